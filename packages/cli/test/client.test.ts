// FASTBACK_TEST_FULL: clients are written, and compiled with all their types.
/** The written client: compiled under `strict`, and driven against a live server. */
import { readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import t from 'tap'
import { serve, writeClient } from '../src/index.js'
import { compileClient } from './compile-client.js'
import { run } from './terminal.js'

const notes = fileURLToPath(new URL('../templates/notes', import.meta.url))

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
  // @ts-expect-error there is no such property in responses
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

  t.strictSame(compileClient(dir), [])

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

  const { createClient } = await import(pathToFileURL(path.join(dir, 'api.js')).href)
  for (const [token, sent] of [['abc', 'Bearer abc'], ['Basic abc', 'Basic abc']]) {
    let given: string | null = null
    const fetch = async (_url: string, { headers }: RequestInit) => {
      given = new Headers(headers).get('authorization')
      return new Response('[]', { headers: { 'content-type': 'application/json' } })
    }
    await createClient({ baseUrl: 'http://127.0.0.1', token, fetch }).Note.find()
    t.equal(given, sent, 'as logins and OAuth take it')
  }
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
  t.strictSame(compileClient(dir), [])
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

/** Of an application that takes files, and keeps them. */
const useFiles = `
import { openAsBlob, writeFileSync } from 'node:fs'
import { ApiError, createClient } from './api.js'

export async function use (baseUrl: string, file: string): Promise<unknown> {
  const api = createClient({ baseUrl, headers: { 'content-type': 'application/json' } })
  writeFileSync(file, 'from the disk')
  const photo = new File(['pixels'], 'me.png', { type: 'image/png' })
  const taken = await api.Desk.take({ place: 'here' }, { photo, title: 'me', count: 3, tags: ['a', 'b'], more: [await openAsBlob(file), new File(['x'], 'x')] })
  const few = await api.Desk.take({ place: 'there' }, { photo, title: 'me', tags: ['one'] })
  const wrong = await api.Desk.take({ place: 'here' }, { photo: new Blob(['x'], { type: 'text/html' }), title: 'me' }).catch((error: unknown) => error instanceof ApiError ? [error.statusCode, error.code] : error)
  await api.container.createContainer({ name: 'docs' })
  const { result } = await api.container.upload({ container: 'docs' }, { file: [new File(['0123456789'], 'digits.txt', { type: 'text/plain' })], note: 'text' })
  const whole = await api.container.download({ container: 'docs', file: 'digits.txt' })
  let etag = ''
  const part = await api.container.download({ container: 'docs', file: 'digits.txt' }, { headers: { range: 'bytes=2-4' }, onResponse: ({ headers }) => { etag = headers.get('etag') ?? '' } })
  const streamed: Response = await api.container.download({ container: 'docs', file: 'digits.txt' }, { stream: true })
  const chunks = await new Response(streamed.body).text()
  const missing = await api.container.download({ container: 'docs', file: 'none' }, { stream: true }).catch((error: unknown) => error instanceof ApiError ? error.code : error)
  const aborter = new AbortController()
  aborter.abort()
  const aborted = await api.Desk.take({ place: 'here' }, { photo, title: 'me' }, { signal: aborter.signal, onProgress: () => { throw new Error('Node does not tell') } }).catch((error: unknown) => (error as Error).name)
  const verbs: string[] = []
  const told: number[] = []
  let cuts = 1
  const shaky = createClient({
    baseUrl,
    headers: { 'Content-Type': 'application/json' },
    fetch: async (url, init) => {
      verbs.push(String(init?.method))
      if (verbs.filter(verb => verb === 'PATCH').length === 2 && cuts-- > 0) throw new TypeError('cut')
      return await fetch(url, init)
    }
  })
  const digits = new File(['0123456789'], 'größe.txt', { type: 'text/plain' })
  let begun = ''
  const { name } = await shaky.container.uploadResumable({ container: 'docs' }, { file: digits }, { chunkSize: 6, onBegin: id => { begun = id }, onProgress: ({ loaded }) => { told.push(loaded) } })
  const again = await shaky.container.uploadResumable({ container: 'docs' }, { file: digits }, { upload: begun })
  const resumed = {
    name, again: again.name, begun, verbs: [...verbs], told,
    whole: await (await api.container.download({ container: 'docs', file: name })).text(),
    refused: await api.container.uploadResumable({ container: 'docs' }, { file: new File(['x'], '.x') }).catch((error: unknown) => error instanceof ApiError ? error.code : error),
    stopped: await api.container.uploadResumable({ container: 'docs' }, { file: digits }, { signal: aborter.signal }).catch((error: unknown) => (error as Error).name)
  }
  const born = await api.Photo.create({ title: 'sea', image: new File(['GIF89a'], 'me.gif', { type: 'image/gif' }), papers: [new File(['a'], 'a.txt', { type: 'text/plain' })] })
  const more = await api.Photo.patchAttributes({ id: born.id }, { papers: [...born.papers ?? [], new File(['bb'], 'b.txt')] })
  const plain = await api.Photo.patchAttributes({ id: born.id }, { title: 'lake', papers: [] })
  const rows = {
    born: [born.title, born.image?.name, born.papers?.length], more: more.papers?.map(({ name, size }) => [name, size]),
    plain: [plain.title, plain.image?.id === born.image?.id, plain.papers],
    image: await (await api.Photo.getImage({ id: born.id })).text(),
    gone: (await api.Photo.patchAttributes({ id: born.id }, { image: null })).image
  }
  return {
    rows, resumed, taken, few, wrong, result, whole: [whole.type, await whole.text()], part: await part.text(), etag: etag !== '',
    streamed: [streamed.status, streamed.headers.get('content-length'), chunks], missing, aborted
  }
}

export async function wrong (): Promise<void> {
  const api = createClient({ baseUrl: '' })
  // @ts-expect-error a text is no file
  await api.Photo.create({ title: 'x', image: 'pixels' })
  // @ts-expect-error a title is needed
  await api.Desk.take({ place: 'here' }, { photo: new Blob([]) })
  // @ts-expect-error a text is no file
  await api.Desk.take({ place: 'here' }, { photo: 'pixels', title: 'me' })
  // @ts-expect-error a stream is no Blob
  const blob: Blob = await api.container.download({ container: 'docs', file: 'digits.txt' }, { stream: true })
  console.log(blob)
}
`

t.test('files go in and come out', async t => {
  const dir = t.testdir({
    'package.json': '{ "type": "module" }',
    app: {
      'package.json': '{ "type": "module" }',
      files: {},
      server: {
        'component-config.json': '{ "@fastback/explorer": { "mountPath": "/explorer" } }',
        'datasources.json': '{ "files": { "connector": "loopback-component-storage", "root": "./files", "resumable": true }, "db": { "connector": "memory" } }',
        'model-config.json':
          '{ "_meta": { "sources": ["./models"] }, "Desk": { "dataSource": null, "public": true }, "container": { "dataSource": "files", "public": true }, "Photo": { "dataSource": "db", "public": true } }',
        models: {
          'photo.json': `{
            "name": "Photo", "properties": {
              "title": { "type": "string", "required": true }, "image": { "type": "file", "storage": "files", "accept": ["image/*"] },
              "papers": { "type": ["file"], "storage": "files" }
            }
          }`,
          'container.json': '{ "name": "container", "base": "Model" }',
          'desk.json': '{ "name": "Desk", "base": "Model", "plural": "desk" }',
          'desk.js': `export default Desk => {
            Desk.take = async (place, title, count, tags, photo, more) => ({
              place, title, count, tags, photo: [photo.name, photo.type, await photo.text()], more: await Promise.all(more.map(each => each.text()))
            })
            Desk.remoteMethod('take', {
              accepts: [
                { arg: 'place', type: 'string', required: true, http: { source: 'query' } }, { arg: 'title', type: 'string', required: true },
                { arg: 'count', type: 'number' }, { arg: 'tags', type: ['string'] },
                { arg: 'photo', type: 'file', required: true, accept: ['image/*'], maxSize: '2mb' }, { arg: 'more', type: ['file'] }
              ],
              returns: { arg: 'taken', type: { place: 'string', title: 'string' }, root: true },
              http: { verb: 'post', path: '/take' }
            })
          }`
        }
      }
    },
    'use.ts': useFiles
  })
  writeFileSync(path.join(dir, 'api.ts'), (await writeClient(path.join(dir, 'app'))).text)
  t.strictSame(compileClient(dir, ['node']), [])
  const served = await serve(path.join(dir, 'app'), { port: 0, host: '127.0.0.1', log: false })
  t.teardown(() => served.close())
  const { use: drive } = (await import(pathToFileURL(path.join(dir, 'use.js')).href)) as {
    use: (url: string, file: string) => Promise<unknown>
  }
  const result = await drive(served.apiUrl, path.join(dir, 'note.txt'))
  t.match(result, {
    taken: { place: 'here', title: 'me', count: 3, tags: ['a', 'b'], photo: ['me.png', 'image/png', 'pixels'], more: ['from the disk', 'x'] },
    few: { tags: ['one'], more: [] },
    wrong: [415, 'CONTENT_TYPE_NOT_ALLOWED'],
    result: { files: { file: [{ name: 'digits.txt', size: 10 }] }, fields: { note: ['text'] } },
    whole: [/^text\/plain/, '0123456789'],
    part: '234',
    etag: true,
    streamed: [200, '10', '0123456789'],
    missing: 'ENOENT',
    aborted: 'AbortError',
    rows: {
      born: ['sea', 'me.gif', 1], more: [['a.txt', 1], ['b.txt', 2]], plain: ['lake', true, []], image: 'GIF89a', gone: null
    },
    resumed: {
      name: 'größe.txt', again: 'größe.txt', begun: /^[0-9a-f]{32}$/, verbs: ['POST', 'PATCH', 'PATCH', 'HEAD', 'PATCH', 'HEAD'],
      told: [0, 6, 6, 10], whole: '0123456789', refused: 'INVALID_NAME', stopped: 'AbortError'
    }
  })

  const browser = process.env.FASTBACK_TEST_BROWSER
  await t.test('a browser tells how far it is', { skip: browser === undefined ? 'FASTBACK_TEST_BROWSER is not set' : false }, async t => {
    const { chromium } = await import('playwright-core')
    const launched = await chromium.launch({ executablePath: browser as string, args: ['--no-sandbox', '--disable-gpu', '--disable-background-networking'] })
    t.teardown(() => launched.close())
    const page = await launched.newPage()
    await page.goto(`${new URL(served.apiUrl).origin}/explorer/openapi.json`)
    await page.addScriptTag({ type: 'module', content: `${readFileSync(path.join(dir, 'api.js'), 'utf8')}\nglobalThis.createClient = createClient` })
    await page.waitForFunction('typeof globalThis.createClient === "function"')
    const told = (await page.evaluate(`(async () => {
      const api = createClient({ baseUrl: '/api', headers: { 'x-from': 'page' } })
      const seen = []
      const photo = new File([new Uint8Array(1_500_000)], 'me.png', { type: 'image/png' })
      let status
      const taken = await api.Desk.take({ place: 'here' }, { photo, title: 'me' }, { onProgress: each => seen.push(each), onResponse: response => { status = response.status } })
      const refused = await api.Desk.take({ place: 'here' }, { title: 'me' }, { onProgress () {} }).catch(error => error.code)
      const aborter = new AbortController()
      const aborted = await api.Desk.take({ place: 'here' }, { photo, title: 'me' }, { signal: aborter.signal, onProgress: () => aborter.abort() }).catch(error => error.name)
      const lost = await createClient({ baseUrl: 'http://127.0.0.1:1' }).Desk.take({ place: 'here' }, { photo, title: 'me' }, { onProgress () {} }).catch(error => error.name)
      return { status, title: taken.title, last: seen.at(-1), steps: seen.length, refused, aborted, lost }
    })()`)) as { steps: number, last: { loaded: number, total: number } }
    t.match(told, { status: 200, title: 'me', refused: 'MISSING_REQUIRED_PARAMETER', aborted: 'AbortError', lost: 'TypeError' })
    t.ok(told.steps > 0 && told.last.loaded === told.last.total && told.last.total > 1_500_000)
  })
})
