/** The new form of a folder, and that the application answers as before. */
import { cpSync, existsSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import t, { type Test } from 'tap'
import { modernize } from '../src/entries/folder.js'
import { createServer } from '../src/index.js'
import { run } from './terminal.js'

const fixture = fileURLToPath(new URL('../../../test-fixtures/apps/boot-full', import.meta.url))

function copyTo (folder: string): void {
  cpSync(fixture, folder, { recursive: true })
  const stores = { db: { connector: 'memory' }, 'my-store': { connector: 'memory' } }
  writeFileSync(path.join(folder, 'server/datasources.json'), JSON.stringify(stores))
}

function folderOf (t: Test): string {
  const folder = mkdtempSync(path.join(import.meta.dirname, '.typescript-'))
  t.teardown(() => { rmSync(folder, { recursive: true }) })
  copyTo(folder)
  return folder
}

/** What the application answers: lists, rows, what is refused, what methods and middleware do. */
async function answers (folder: string): Promise<unknown[]> {
  const server = await createServer(folder, { log: false })
  try {
    await server.fastify.ready()
    const { paths } = (await server.fastify.inject('/explorer/openapi.json')).json<{ paths?: Record<string, object> }>()
    const routes = ['/api/Notes', '/api/Authors', ...Object.entries(paths ?? {})
      .filter(([, verbs]) => 'get' in verbs).map(([at]) => `/api${at}`)]
      .filter(at => !at.includes('{') && !at.includes('change-stream'))
    const found: unknown[] = []
    const ask = async (method: 'GET' | 'POST' | 'PATCH', url: string, payload?: object): Promise<void> => {
      const sent = payload === undefined ? {} : { payload }
      const { statusCode, body } = await server.fastify.inject({ method, url, ...sent })
      found.push([method, url, statusCode, body.replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, 'DATE')])
    }
    await ask('POST', '/api/Notes', { title: 'New', undeclared: { deep: 1 } })
    await ask('POST', '/api/Notes', { title: 5, done: 'maybe' })
    await ask('POST', '/api/Notes', {})
    await ask('POST', '/api/Notes', { title: null })
    await ask('PATCH', '/api/Notes/1', { title: 'Changed' })
    for (const route of routes) await ask('GET', route)
    await ask('GET', '/api/Notes?filter={"include":"author"}')
    return found
  } finally {
    await server.stop()
  }
}

t.test('a folder in its new form answers as before', async t => {
  const folder = folderOf(t)
  const before = await answers(folder)
  t.ok(before.length > 8)
  t.ok(before.some(each => (each as unknown[])[2] === 422))
  const dry = await run(folder, ['modernize', '--dry-run'])
  t.match(dry, { code: 0, out: /\+export const Note = defineModel\(/ })
  t.ok(existsSync(path.join(folder, 'common/models/note.json')), 'nothing is written')

  const done = await run(folder, ['modernize', '--allow-dirty', '--json'])
  t.equal(done.code, 0, done.err)
  const { files, left } = JSON.parse(done.out)
  t.match(files, [{ before: /\.json$/, after: /\.model\.mjs$/ }])
  t.ok(files.length >= 4)
  t.same(left.filter(({ why }: { why: string }) => why === ''), [])
  t.notOk(existsSync(path.join(folder, 'common/models/note.json')))
  t.same(await answers(folder), before)
  const again = await run(folder, ['modernize', '--allow-dirty'])
  t.match(again, { code: 0, out: /Nothing to do\./ })
})

t.test('where git does not keep the folder, undo does', async t => {
  const folder = mkdtempSync(path.join(tmpdir(), 'fastback-modernize-'))
  t.teardown(() => { rmSync(folder, { recursive: true }) })
  copyTo(folder)
  const filesOf = (): string[] => readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter(file => !file.startsWith('.fastback')).sort()
  const before = filesOf()
  const done = await run(folder, ['modernize'])
  t.match(done, { code: 0, err: /not tried whether the application starts: .*typebox must be installed first/ })
  t.notSame(filesOf(), before)
  t.match(await run(folder, ['undo']), { code: 0 })
  t.same(filesOf(), before)
})

t.test('one model at a time', async t => {
  const folder = folderOf(t)
  const { changes, files } = await modernize(folder, { models: ['Author'], typescript: true })
  t.same(files.map(({ after }) => after), ['common/models/author.model.ts'])
  t.match(changes.read('package.json'), '@sinclair/typebox')
  t.ok(changes.has('common/models/note.json'))
  t.match(await run(folder, ['modernize', '--models', 'Nothing']), { code: 2, err: /defines no model "Nothing"/ })
})
