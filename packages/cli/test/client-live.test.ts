/** Live queries of the written client: typed as the list is, and followed through lost connections. */
import { writeFileSync } from 'node:fs'
import path from 'node:path'
import type { Socket } from 'node:net'
import { pathToFileURL } from 'node:url'
import t from 'tap'
import { serve, writeClient } from '../src/index.js'
import { compileClient } from './compile-client.js'

const use = `
import { ApiError, createClient, type LiveOptions, type Order } from './api.js'

type Equal<A, B> = (<T>() => T extends A ? 1 : 2) extends (<T>() => T extends B ? 1 : 2) ? true : false
const expect = <T extends true>(): T | undefined => undefined

interface Steps { step (): Promise<void>, readonly ids: Array<string | null> }

export async function use (baseUrl: string, steps: Steps): Promise<unknown> {
  const api = createClient({
    baseUrl,
    fetch: async (url, init) => {
      if (String(url).includes('/live')) steps.ids.push(new Headers(init?.headers).get('last-event-id'))
      return await fetch(url, init)
    }
  })
  await api.Order.create([{ title: 'b', stars: 1 }, { title: 'a', stars: 2 }])
  const seen: string[] = []
  for await (const orders of api.Order.live({ filter: { where: { stars: { gt: 0 } }, order: 'title', limit: 3 } })) {
    expect<Equal<typeof orders, Order[]>>()
    const list = orders.map(({ title }) => title).join()
    if (seen.at(-1) !== list) seen.push(list)
    if (seen.length === 1) await api.Order.create({ title: '0', stars: 5 })
    else if (seen.length === 2) await api.Order.patchAttributes({ id: 1 }, { stars: 0 })
    else if (seen.length === 3) {
      await steps.step()
      await api.Order.create({ title: 'c', stars: 3 })
    } else if (seen.length === 4) await api.Order.patchAttributes({ id: 4 }, { title: 'A' })
    else break
  }
  const end = new AbortController()
  const options: LiveOptions = { signal: end.signal }
  let rows = 0
  for await (const orders of api.Order.live(undefined, options)) {
    rows = orders.length
    end.abort()
  }
  const refused = await api.Order.live({ filter: { where: { title: { regexp: '(' } } } }).next()
    .catch((error: unknown) => error instanceof ApiError ? error.statusCode : error)
  return { seen, rows, refused }
}

export async function wrong (): Promise<void> {
  const { LiveData, Order, Quiet } = createClient({ baseUrl: '' })
  // @ts-expect-error no such property
  void Order.live({ filter: { where: { titel: 'x' } } })
  // @ts-expect-error a condition of another type
  void Order.live({ filter: { where: { stars: { gt: 'many' } } } })
  // @ts-expect-error no such property in rows
  for await (const [order] of Order.live()) console.log(order?.colour)
  // Not hidden by models of the same name.
  for await (const [data] of LiveData.live()) expect<Equal<NonNullable<typeof data>['rows'], string | null | undefined>>()
  // @ts-expect-error the model has no live queries
  void Quiet.live()
}
`

const model = (definition: object): string => JSON.stringify({ base: 'PersistedModel', strict: true, ...definition })
const attached = { dataSource: 'db', public: true }
const folder = (live: boolean) => ({
  'package.json': '{ "type": "module" }',
  server: {
    'config.json': JSON.stringify({ live, modelDefinitions: 'strict' }),
    'datasources.json': '{ "db": { "connector": "memory" } }',
    'model-config.json': JSON.stringify({ _meta: { sources: ['./models'] }, Order: attached, Quiet: attached, LiveData: attached, LiveOptions: attached }),
    models: {
      'order.json': model({ name: 'Order', properties: { title: { type: 'string', required: true }, stars: 'number' } }),
      'live-data.json': model({ name: 'LiveData', properties: { rows: 'string' } }),
      'live-options.json': model({ name: 'LiveOptions', properties: { signal: 'string' } }),
      'quiet.json': model({ name: 'Quiet', live: false, properties: { name: 'string' } })
    }
  }
})

t.test('the rows of a filter, as a loop, through a lost connection', async t => {
  const dir = t.testdir({ 'package.json': '{ "type": "module" }', app: folder(true), 'use.ts': use })
  writeFileSync(path.join(dir, 'api.ts'), (await writeClient(path.join(dir, 'app'))).text)
  t.strictSame(compileClient(dir), [])
  const served = await serve(path.join(dir, 'app'), { port: 0, host: '127.0.0.1', log: false })
  t.teardown(() => served.close())
  const sockets = new Set<Socket>()
  served.server.fastify.server.on('request', ({ url, socket }) => { if (url?.includes('/live') === true) sockets.add(socket) })
  const ids: Array<string | null> = []
  const { use: drive } = (await import(pathToFileURL(path.join(dir, 'use.js')).href)) as {
    use: (url: string, steps: object) => Promise<unknown>
  }
  const step = async (): Promise<void> => { for (const each of sockets) each.destroy() }
  t.strictSame(await drive(served.apiUrl, { step, ids }), {
    seen: ['a,b', '0,a,b', '0,a', '0,a,c', '0,A,a'], rows: 4, refused: 400
  })
  t.equal(ids[0], null)
  t.match(ids[1], /^[a-z0-9]+\.\d+$/, 'it went on where it was')
})

t.test('an application without them has none of it', async t => {
  const { text } = await writeClient(path.join(t.testdir({ app: folder(false) }), 'app'))
  t.notMatch(text, /type LiveOptions =|followLive|'live'/)
})
