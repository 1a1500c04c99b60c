/** The written client: compiled under `strict`, and driven against a live server. */
import { spawnSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import path from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import t from 'tap'
import { serve, writeClient } from '../src/index.js'
import { run } from './terminal.js'

const tsc = createRequire(import.meta.url).resolve('typescript/bin/tsc')
const notes = fileURLToPath(new URL('../templates/notes', import.meta.url))

const compilerOptions = {
  strict: true,
  noUncheckedIndexedAccess: true,
  exactOptionalPropertyTypes: true,
  noUnusedLocals: true,
  verbatimModuleSyntax: true,
  types: [],
  target: 'es2022',
  lib: ['es2022', 'dom', 'dom.iterable'],
  module: 'nodenext'
}

/** Compiles all files of a folder, to JavaScript beside them. */
function compile (dir: string): { status: number | null, stdout: string } {
  writeFileSync(path.join(dir, 'tsconfig.json'), JSON.stringify({ compilerOptions, include: ['*.ts'] }))
  return spawnSync(process.execPath, [tsc, '-p', dir], { encoding: 'utf8' })
}

/** Code of somebody who uses the client; it is compiled with the client, and run. */
const use = `
import { ApiError, createClient, type Note, type NoteFilter } from './api.js'

export async function use (baseUrl: string): Promise<object> {
  const seen: string[] = []
  const api = createClient({ baseUrl, headers: { 'x-from': 'test' }, token: async () => undefined, fetch: async (url, init) => { seen.push(String(url).slice(baseUrl.length)); return await fetch(url, init) } })
  const category = await api.Category.create({ name: 'a/b & c' })
  const one = await api.Note.create({ title: 'one', categoryId: category.id })
  const more: Array<Note & { id: number }> = await api.Note.create([{ title: 'two', done: true }, { title: 'three' }])
  const { id } = one
  const filter: NoteFilter = { where: { id: { gte: id }, or: [{ title: { like: 'o%' } }, { done: true }] }, order: ['title DESC'], include: 'category', limit: 5 }
  const found = await api.Note.find({ filter })
  const nameOfFirst: string | undefined = found[1]?.category?.name
  const patched = await api.Note.patchAttributes({ id }, { content: 'text' })
  const { count } = await api.Category.countNotes({ id: category.id, where: { title: 'one' } })
  const owner = await api.Note.getCategory({ id })
  const finished = await api.Note.finish({ id })
  const refused = await api.Note.create({ title: 5 as unknown as string }).catch((error: unknown) => error)
  const missing = await api.Note.findById({ id: 987654 }).catch((error: unknown) => error)
  if (!(refused instanceof ApiError) || !(missing instanceof ApiError)) throw new TypeError('no ApiError')
  const violation = refused.details?.[0]?.path
  const problems = createClient({ baseUrl, headers: { accept: 'application/json, application/problem+json' } })
  const problem = await problems.Note.create({ title: 5 as unknown as string }).catch((error: unknown) => error)
  if (!(problem instanceof ApiError)) throw new TypeError('no problem')
  const dots = await api.User.findById({ id: '..' as unknown as number }).catch((error: unknown) => (error as Error).name)
  const removed = await api.Note.deleteById({ id })
  let type: string | null = null
  await api.Note.count({}, { onResponse: response => { type = response.headers.get('content-type') } })
  const nobody = await api.User.login({}, { email: 'nobody@example.com', password: 'x' }).catch((error: unknown) => error instanceof ApiError ? error.code : error)
  return {
    more: more.length, titles: found.map(({ title }) => title), nameOfFirst, content: patched.content, count, owner: owner?.name, done: finished.done, dots, removed: removed.count, type, nobody, seen,
    refused: [refused.statusCode, refused.code, violation], missing: [missing.statusCode, missing.code, missing.message], problem: [problem.code, problem.message, problem.details?.[0]?.message]
  }
}

export async function wrong (): Promise<void> {
  const api = createClient({ baseUrl: '' })
  // @ts-expect-error a title is needed
  await api.Note.create({ content: 'x' })
  // @ts-expect-error there is no such property
  await api.Note.find({ filter: { where: { colour: 'red' } } })
  // @ts-expect-error nor such an operator of numbers
  await api.Note.find({ filter: { where: { id: { like: '1' } } } })
  // @ts-expect-error nor such a relation
  await api.Note.find({ filter: { include: 'author' } })
  // @ts-expect-error the id is needed
  await api.Note.findById({})
  // @ts-expect-error there is no such property in answers
  console.log((await api.Note.findOne()).colour)
}
`

t.test('a client that compiles under strict, and works', async t => {
  const dir = t.testdir({ 'package.json': '{ "type": "module" }', 'use.ts': use })
  const { code, out, err } = await run(dir, ['client', notes, '--out', 'api.ts'])
  t.strictSame([code, err], [0, ''])
  t.equal(out, `Wrote ${path.join(dir, 'api.ts')}`)
  const text = readFileSync(path.join(dir, 'api.ts'), 'utf8')
  t.notMatch(text, /^import|: any\b|<any\b|require\(/m)
  t.equal((await writeClient(notes)).text, text, 'the same models, the same client')

  const compiled = compile(dir)
  t.equal(compiled.status, 0, compiled.stdout)

  const served = await serve(notes, {
    port: 0,
    host: '127.0.0.1',
    log: false,
    dataSources: { db: { connector: 'memory' } }
  })
  t.teardown(() => served.close())
  const { use: drive } = (await import(pathToFileURL(path.join(dir, 'use.js')).href)) as {
    use: (url: string) => Promise<{ seen: string[] }>
  }
  const result = await drive(served.apiUrl)
  t.match(result, {
    more: 2,
    titles: ['two', 'one'],
    nameOfFirst: 'a/b & c',
    content: 'text',
    count: 1,
    owner: 'a/b & c',
    done: true,
    dots: 'TypeError',
    removed: 1,
    type: /^application\/json/,
    nobody: 'LOGIN_FAILED',
    refused: [422, 'VALIDATION_FAILED', '.title'],
    missing: [404, 'MODEL_NOT_FOUND', 'Unknown "Note" id "987654".'],
    problem: ['VALIDATION_FAILED', 'The data is not valid: `title` must be a string.', 'must be a string']
  })
  t.match(result.seen[3], /^\/Notes\?filter=%7B%22where%22/)
})

t.test('names that are in each other\'s way, open models, files, lists of arguments', async t => {
  const dir = t.testdir({
    'package.json': '{ "type": "module" }',
    app: {
      'package.json': '{ "type": "module" }',
      server: {
        'config.json': '{ "remoting": { "errorHandler": { "rootProperty": "fault" } } }',
        'datasources.json': '{ "db": { "connector": "memory" } }',
        'model-config.json':
          '{ "_meta": { "sources": ["./models"] }, "Date": { "dataSource": "db", "public": true }, "odd-name": { "dataSource": "db", "public": true }, "Place": { "dataSource": "db", "public": true }, "PlaceApi": { "dataSource": "db", "public": true } }',
        models: {
          'date.json': '{ "name": "Date", "properties": { "day": { "type": "date", "required": true } } }',
          'odd-name.json':
            '{ "name": "odd-name", "strict": true, "properties": { "it\'s": "number", "tags": ["string"], "where": { "type": { "x": "number" } } } }',
          'place.json': '{ "name": "Place", "properties": { "name": "string" } }',
          'place-api.json': '{ "name": "PlaceApi", "properties": { "name": "string" } }',
          'odd-name.js': `export default Odd => {
            Odd.prototype.find = async () => 1
            Odd.remoteMethod('prototype.find', { returns: { arg: 'x', type: 'number' }, http: { verb: 'get', path: '/own' } })
            Odd.echo = async (ids, since) => ({ ids, since })
            Odd.remoteMethod('echo', { accepts: [{ arg: 'ids', type: ['number'] }, { arg: 'since', type: 'date' }], returns: { arg: 'said', type: 'object', root: true }, http: { verb: 'get', path: '/echo' } })
            Odd.page = cb => cb(null, 'a,b', 'text/csv')
            Odd.remoteMethod('page', { returns: [{ arg: 'body', type: 'file', root: true }, { arg: 'Content-Type', type: 'string', http: { target: 'header' } }], http: { verb: 'get', path: '/page' } })
            Odd.file = async () => Buffer.from('bytes')
            Odd.remoteMethod('file', { returns: { arg: 'body', type: 'file', root: true }, http: { verb: 'get', path: '/file' } })
            Odd.tell = async (to, what) => [to, what]
            Odd.remoteMethod('tell', { accepts: [{ arg: 'to', type: 'string', required: true }, { arg: 'what', type: 'number' }], returns: { arg: 'said', type: 'array', root: true } })
          }`
        }
      }
    },
    'use.ts': `
      import { ApiError, createClient, type DateBody } from './api.js'
      export async function use (baseUrl: string): Promise<unknown> {
        const api = createClient({ baseUrl })
        const day: DateBody = await api.Date.create({ day: '2026-01-02T00:00:00.000Z', more: 1 })
        await api['odd-name'].create({ "it's": 1, tags: ['a'], where: { x: 1 } })
        const file = await api['odd-name'].file()
        const page = await api['odd-name'].page()
        await api.Place.create({ name: (await api.PlaceApi.create({ name: 'x' })).name ?? '' })
        return [page.type.split(';')[0], await page.text(), day.day, day.more, await file.text(), await api['odd-name'].echo({ ids: [1], since: '2026-01-02T00:00:00.000Z' }), (await api['odd-name'].find2({ id: 1 })).x, await api['odd-name'].tell({ to: 'you', what: 3 }),
          await api.Date.findById({ id: 99 }).catch((error: unknown) => error instanceof ApiError ? error.code : error)]
      }`
  })
  writeFileSync(path.join(dir, 'api.ts'), (await writeClient(path.join(dir, 'app'))).text)
  const compiled = compile(dir)
  t.equal(compiled.status, 0, compiled.stdout)
  const served = await serve(path.join(dir, 'app'), { port: 0, host: '127.0.0.1', log: false })
  t.teardown(() => served.close())
  const { use: drive } = (await import(pathToFileURL(path.join(dir, 'use.js')).href)) as {
    use: (url: string) => Promise<unknown>
  }
  t.strictSame(await drive(served.apiUrl), [
    'text/csv',
    'a,b',
    '2026-01-02T00:00:00.000Z',
    1,
    'bytes',
    { ids: [1], since: '2026-01-02T00:00:00.000Z' },
    1,
    ['you', 3],
    'MODEL_NOT_FOUND'
  ])
})
