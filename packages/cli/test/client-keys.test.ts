/** The written client sends writes again under one key, and batches. */
import { mkdirSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { pathToFileURL } from 'node:url'
import t from 'tap'
import { serve, writeClient } from '../src/index.js'
import { compileClient } from './compile-client.js'

type Loose = any

const use = `
import { ApiError, createClient } from './api.js'

export async function use (baseUrl: string): Promise<unknown> {
  const sent: Array<string | null> = []
  let losses = 0
  const losing: typeof globalThis.fetch = async (input, init) => {
    sent.push(new Headers(init?.headers).get('idempotency-key'))
    const response = await globalThis.fetch(input, init)
    if (losses-- > 0) { await response.text(); throw new TypeError('the line is cut') }
    return response
  }
  const api = createClient({ baseUrl, fetch: losing, retries: 2 })
  losses = 2
  const made = await api.Note.create({ text: 'a' })
  const keysOfOne = new Set(sent.splice(0))
  losses = 1
  const found = await api.Note.find()
  const keysOfReads = sent.splice(0)
  losses = 5
  const lost = await api.Note.create({ text: 'b' }, { retries: 1 }).catch((error: unknown) => error instanceof TypeError)
  const tries = sent.splice(0).length
  losses = 0
  const wrong = await api.Note.findById({ id: 99 }).catch((error: unknown) => error instanceof ApiError && error.statusCode)
  const own = await createClient({ baseUrl, fetch: losing }).Note.create({ text: 'c' })
  const keysWithout = sent.splice(-1)
  const batch = await api.Batch.run({ operations: [
    { id: 'n', method: 'POST', path: '/Notes', body: { text: 'd' } }, { method: 'GET', path: '/Notes/{n.id}' }
  ] })
  return {
    made, count: found.length, keys: [keysOfOne.size, [...keysOfOne][0]], keysOfReads, lost, tries, wrong, own: own.text, keysWithout,
    batch: batch.results.map(({ status }) => status)
  }
}
`

t.test('writes are sent again under one key', async t => {
  const dir = t.testdir({
    app: {
      'package.json': '{ "type": "module", "private": true }',
      server: {
        'config.json': JSON.stringify({ restApiRoot: '/api', remoting: { rest: { idempotency: true, batch: true } } }),
        'datasources.json': '{ "db": { "connector": "sql", "url": "sqlite::memory:" } }',
        'model-config.json': '{ "_meta": { "sources": ["./models"] }, "Note": { "dataSource": "db", "public": true } }',
        models: { 'note.json': '{ "name": "Note", "properties": { "text": "string" } }' }
      }
    }
  })
  const app = path.join(dir, 'app')
  const out = path.join(dir, 'client')
  mkdirSync(out)
  const { text } = await writeClient(app, { out: path.join(out, 'api.ts') })
  t.notMatch(text, /'Idempotency-Key'\?/, 'the key is no parameter')
  writeFileSync(path.join(out, 'use.ts'), use)
  writeFileSync(path.join(out, 'package.json'), '{ "type": "module" }')
  t.strictSame(compileClient(out), [])
  const served = await serve(app, { port: 0, host: '127.0.0.1', log: false })
  t.teardown(() => served.close())
  const module = await import(pathToFileURL(path.join(out, 'use.js')).href) as { use (url: string): Promise<Loose> }
  const result = await module.use(served.apiUrl)
  t.match(result, {
    made: { text: 'a', id: 1 },
    count: 1,
    keys: [1, /^"[\da-f-]{36}"$/],
    keysOfReads: [null, null],
    lost: true,
    tries: 2,
    wrong: 404,
    own: 'c',
    keysWithout: [null],
    batch: [200, 200]
  })
})
