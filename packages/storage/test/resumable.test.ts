/** Uploads that go on after a cut (tus 1.0), over a socket. */
import { mkdir, mkdtemp, readdir, readFile, rm, utimes, writeFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { Transform } from 'node:stream'
import Fastify, { type FastifyInstance } from 'fastify'
import t, { type Test } from 'tap'
import core from '@fastback/core'
import rest from '@fastback/rest'
import { storageConnector, StorageService, type StorageConnector, type StorageDriver, type StorageOptions } from '@fastback/storage'

interface Served {
  readonly app: FastifyInstance
  readonly url: string
  readonly root: string
  readonly connector: StorageConnector
}

const rootOf = async (t: Test): Promise<string> => {
  const root = await mkdtemp(path.join(tmpdir(), 'fastback-storage-'))
  await mkdir(path.join(root, 'box'))
  t.teardown(async () => { await rm(root, { recursive: true, force: true }) })
  return root
}

/** Callers are who their header says. */
async function serve (t: Test, options: StorageOptions & Record<string, unknown> = {}, root?: string): Promise<Served> {
  root ??= await rootOf(t)
  const app = Fastify()
  app.addHook('onRequest', async request => {
    const who = request.headers['x-user']
    if (who !== undefined) Object.assign(request, { accessToken: { userId: who } })
    Object.assign(request.raw, { accessToken: who === undefined ? null : { userId: who } })
  })
  await app.register(core, {
    dataSources: { files: { connector: storageConnector, root, resumable: true, ...options } },
    definitions: [{ name: 'Box', base: 'Model', plural: 'boxes' }],
    models: { Box: { dataSource: 'files', public: true } }
  })
  await app.register(rest, { prefix: '/api' })
  const url = await app.listen({ port: 0, host: '127.0.0.1' })
  t.teardown(async () => { await app.close() })
  return { app, url: `${url}/api/boxes`, root, connector: app.models.Box?.dataSource?.connector as unknown as StorageConnector }
}

const tus = { 'tus-resumable': '1.0.0' }
const metadata = (given: Record<string, string>): string =>
  Object.entries(given).map(([key, value]) => `${key} ${Buffer.from(value).toString('base64')}`).join(',')

const begin = async (
  url: string,
  size: number,
  filename: string,
  { type = 'text/plain', body, headers = {} }: { type?: string, body?: string, headers?: Record<string, string> } = {}
) => await fetch(`${url}/box/resumable`, {
  method: 'POST',
  headers: {
    ...tus,
    'upload-length': String(size),
    'upload-metadata': metadata({ filename, filetype: type }),
    ...(body === undefined ? {} : { 'content-type': 'application/offset+octet-stream' }),
    ...headers
  },
  ...(body === undefined ? {} : { body })
})

const patch = async (
  address: string, offset: number, body: string, headers: Record<string, string> = {}
) => await fetch(address, {
  method: 'PATCH',
  headers: { ...tus, 'upload-offset': String(offset), 'content-type': 'application/offset+octet-stream', ...headers },
  body
})

const head = async (address: string, headers: Record<string, string> = {}) =>
  await fetch(address, { method: 'HEAD', headers: { ...tus, ...headers } })

const at = (answer: Response, url: string): string => new URL(answer.headers.get('location') as string, url).href
const codeOf = async (answer: Response): Promise<[number, unknown]> =>
  [answer.status, (await answer.json() as { error: { code?: unknown } }).error.code]
const kept = async (root: string): Promise<string[]> => await readdir(path.join(root, '.uploads/resumable'))

t.test('an upload in parts becomes a file once it is whole', async t => {
  const { app, url, root } = await serve(t)
  const told: string[] = []
  const Box = app.models.Box as any
  Box.observe('before upload', async (ctx: any) => {
    told.push(`before ${ctx.file.name} ${ctx.file.type}`)
    if (ctx.file.name === 'virus') throw Object.assign(new Error('Infected'), { statusCode: 422, code: 'INFECTED' })
    if (ctx.file.name !== 'loud') return
    ctx.file.name = 'LOUD'
    ctx.pipeThrough(new Transform({ transform (chunk, _encoding, done) { done(null, `${String(chunk).toUpperCase()}!`) } }))
  })
  Box.observe('after upload', async (ctx: any) => { told.push(`after ${ctx.file.name} ${ctx.file.size}`) })
  const offered = await fetch(`${url}/box/resumable`, { method: 'OPTIONS' })
  t.equal(offered.status, 204)
  t.equal(offered.headers.get('tus-extension'), 'creation,creation-with-upload,termination,expiration')
  t.equal(offered.headers.get('tus-max-size'), String(10 * 1024 * 1024))

  const begun = await begin(url, 11, 'größe.txt')
  t.equal(begun.status, 201)
  t.equal(begun.headers.get('tus-resumable'), '1.0.0')
  t.ok(new Date(begun.headers.get('upload-expires') as string) > new Date())
  const address = at(begun, url)
  t.equal((await patch(address, 0, 'hello ')).headers.get('upload-offset'), '6')
  t.strictSame(await codeOf(await patch(address, 3, 'x')), [409, 'UPLOAD_OFFSET'])
  const far = await head(address)
  t.equal(far.status, 204)
  t.equal(far.headers.get('upload-offset'), '6')
  t.equal(far.headers.get('upload-length'), '11')
  t.match(far.headers.get('upload-metadata'), 'filename')
  t.equal(far.headers.get('upload-file'), null)
  t.strictSame(await readdir(path.join(root, 'box')), [])
  const last = await patch(address, 6, 'world')
  t.equal(last.status, 204)
  t.equal(last.headers.get('upload-file'), encodeURIComponent('größe.txt'))
  t.equal(await (await fetch(`${url}/box/download/${encodeURIComponent('größe.txt')}`)).text(), 'hello world')
  const again = await head(address)
  t.equal(again.headers.get('upload-offset'), '11', 'whoever missed the answer learns of the end')
  t.equal(again.headers.get('upload-file'), encodeURIComponent('größe.txt'))
  t.strictSame(await codeOf(await fetch(address, { method: 'DELETE', headers: tus })), [409, 'UPLOAD_IS_OVER'])

  const whole = await begin(url, 4, 'loud', { body: 'abcd' })
  t.equal(whole.status, 201)
  t.equal(whole.headers.get('upload-offset'), '4')
  t.equal(whole.headers.get('upload-file'), 'LOUD')
  t.equal(await readFile(path.join(root, 'box/LOUD'), 'utf8'), 'ABCD!')
  t.equal((await begin(url, 0, 'empty')).headers.get('upload-file'), 'empty')
  t.strictSame(await codeOf(await begin(url, 1, 'virus', { body: 'v' })), [422, 'INFECTED'])

  const given = at(await begin(url, 9, 'given-up', { body: 'abc' }), url)
  t.equal((await fetch(given, { method: 'DELETE', headers: tus })).status, 204)
  t.equal((await head(given)).status, 404)
  t.strictSame((await readdir(path.join(root, 'box'))).sort(), ['LOUD', 'empty', 'größe.txt'])
  t.strictSame((await kept(root)).filter(name => !name.endsWith('.json')), [], 'no bytes stay')
  t.strictSame(told, [
    'before größe.txt text/plain', 'after größe.txt 11', 'before loud text/plain', 'after LOUD 5', 'before empty text/plain',
    'after empty 0', 'before virus text/plain'
  ])
})

t.test('what breaks the protocol, the rules for names or a limit', async t => {
  const { url, root, connector } = await serve(t, {
    maxFileSize: 20, allowedContentTypes: ['text/*', 'image/png'], sniff: true, quota: 30, maxResumable: 3, uploadTimeout: 150
  })
  const refused = async (answer: Promise<Response>, status: number, code?: string) => {
    t.strictSame(await codeOf(await answer), [status, code], code ?? String(status))
  }
  const old = await begin(url, 1, 'a', { headers: { 'tus-resumable': '0.2.2' } })
  t.equal(old.headers.get('tus-version'), '1.0.0')
  await refused(Promise.resolve(old), 412, 'TUS_VERSION')
  await refused(begin(url, 1, 'a', { headers: { 'upload-checksum': 'sha1 x' } }), 400, 'CHECKSUM_NOT_OFFERED')
  await refused(begin(url, 1, 'a', { headers: { 'upload-metadata': '' } }), 400, 'INVALID_UPLOAD')
  await refused(begin(url, 1, 'a', { headers: { 'upload-length': 'x' } }), 400, 'INVALID_UPLOAD')
  await refused(begin(url, 1, 'a', { headers: { 'content-encoding': 'gzip' }, body: 'x' }), 415, 'UNSUPPORTED_MEDIA_TYPE')
  await refused(begin(url.replace('boxes', 'boxes/none/..'), 1, '../x'), 400, 'INVALID_NAME')
  for (const name of ['../x', '.x', 'a/b', 'a\0']) await refused(begin(url, 1, name), 400, 'INVALID_NAME')
  await refused(begin(url, 21, 'a'), 413, 'FILE_TOO_LARGE')
  await refused(begin(url, 1, 'a', { type: 'application/pdf' }), 415, 'CONTENT_TYPE_NOT_ALLOWED')
  await refused(begin(url, 1, 'a').then(async () => await fetch(`${url}/none/resumable`, {
    method: 'POST', headers: { ...tus, 'upload-length': '1', 'upload-metadata': metadata({ filename: 'a' }) }
  })), 404, 'ENOENT')
  const picture = at(await begin(url, 20, 'a.png', { type: 'image/png', body: 'PNG' }), url)
  await refused(patch(picture, 3, '<svg onload="x()"'), 415, 'CONTENT_MISMATCH')
  t.equal((await head(picture)).status, 404, 'it will not become a picture')
  const first = at(await begin(url, 20, 'first', { body: 'x'.repeat(19) }), url)
  await refused(begin(url, 12, 'second'), 507, 'INSUFFICIENT_STORAGE')
  await refused(patch(first, 19, 'too much'), 413, 'FILE_TOO_LARGE')
  connector.quota = 10
  await wait(1_001)
  await refused(patch(first, 19, 'x'), 507, 'INSUFFICIENT_STORAGE')
  connector.quota = undefined
  t.equal((await begin(url, 2, 'third')).status, 201)
  await refused(begin(url, 2, 'fourth'), 503, 'SERVICE_UNAVAILABLE')

  const { port, pathname } = new URL(first)
  const slow = connect(Number(port), '127.0.0.1').setEncoding('utf8')
  slow.write(`PATCH ${pathname} HTTP/1.1\r\nHost: x\r\nTus-Resumable: 1.0.0\r\nUpload-Offset: 19\r\nContent-Type: application/offset+octet-stream\r\nContent-Length: 1\r\n\r\n`)
  let answer = ''
  for await (const text of slow) answer += text as string
  t.match(answer, /^HTTP\/1\.1 408 [^]*UPLOAD_TIMEOUT/)
  t.equal((await patch(first, 19, 'y')).headers.get('upload-file'), 'first')
  t.strictSame(await readdir(path.join(root, 'box')), ['first'])
})

t.test('only the caller who began an upload goes on with it', async t => {
  const { url, connector } = await serve(t)
  const ann = { 'x-user': 'ann' }
  const address = at(await begin(url, 6, 'hers', { headers: ann, body: 'abc' }), url)
  const absent = address.replace(/[0-9a-f]{32}$/, '0'.repeat(32))
  for (const other of [{ 'x-user': 'ben' }, {}] as Array<Record<string, string>>) {
    const body = async (answer: Promise<Response>) => [(await answer).status, await (await answer).text()]
    t.strictSame(await body(patch(address, 3, 'xyz', other)), await body(patch(absent, 3, 'xyz', other)))
    t.strictSame(await body(fetch(address, { method: 'DELETE', headers: { ...tus, ...other } })), [404, await (await patch(absent, 0, '')).text()])
    t.equal((await head(address, other)).status, 404)
  }
  t.equal((await head(address.replace('/box/', '/other/'), ann)).status, 404, 'nor below another container')
  connector.fileAccess = ({ file }) => file !== 'hers'
  t.equal((await patch(address, 3, 'def', ann)).status, 404, 'a rule that has changed holds')
  t.equal((await begin(url, 6, 'hers', { headers: ann })).status, 404)
  connector.fileAccess = undefined
  t.equal((await patch(address, 3, 'def', ann)).headers.get('upload-file'), 'hers')
})

t.test('a cut connection and a restart: it goes on where it was', async t => {
  const root = await rootOf(t)
  const { app, url } = await serve(t, {}, root)
  const size = 3_000_000
  const address = at(await begin(url, size, 'large'), url)
  const { port, pathname } = new URL(address)
  const cut = connect(Number(port), '127.0.0.1')
  cut.write(`PATCH ${pathname} HTTP/1.1\r\nHost: x\r\nTus-Resumable: 1.0.0\r\nUpload-Offset: 0\r\nContent-Type: application/offset+octet-stream\r\nContent-Length: ${size}\r\n\r\n`)
  cut.write('a'.repeat(1_000_000))
  const id = pathname.slice(-32)
  const bytes = async () => (await readFile(path.join(root, '.uploads/resumable', id))).length
  for (let tries = 0; tries < 200 && await bytes() < 900_000; tries++) await wait(10)
  // The connection is still open: anyone who comes again gets the upload.
  const offset = Number((await head(address)).headers.get('upload-offset'))
  t.ok(offset > 0 && offset <= 1_000_000, `${offset}`)
  cut.destroy()
  t.equal((await patch(address, offset, 'b'.repeat(100))).headers.get('upload-offset'), String(offset + 100))
  await app.close()
  const next = await serve(t, {}, root)
  const there = address.replace(/^.*(?=\/box\/)/, next.url)
  t.equal((await head(there)).headers.get('upload-offset'), String(offset + 100))
  const end = await patch(there, offset + 100, 'c'.repeat(size - offset - 100))
  t.equal(end.headers.get('upload-file'), 'large')
  const stored = await readFile(path.join(root, 'box/large'), 'utf8')
  t.equal(stored, 'a'.repeat(offset) + 'b'.repeat(100) + 'c'.repeat(size - offset - 100))
})

t.test('a process that was killed at the end is taken up; what does not go on is removed', async t => {
  const root = await rootOf(t)
  const { app, url } = await serve(t, {}, root)
  const folder = path.join(root, '.uploads/resumable')
  const bytesOf = (address: string) => path.join(folder, address.slice(-32))
  const all = at(await begin(url, 3, 'all', { body: 'ab' }), url)
  const placed = at(await begin(url, 3, 'placed', { body: 'ab' }), url)
  const old = at(await begin(url, 3, 'old', { body: 'ab' }), url)
  await app.close()
  // All bytes had come, and nothing else had been done.
  await writeFile(bytesOf(all), 'abc')
  // The file had its place, and nobody had been told.
  const record = JSON.parse(await readFile(`${bytesOf(placed)}.json`, 'utf8')) as object
  await rm(bytesOf(placed))
  await writeFile(`${bytesOf(placed)}.json`, JSON.stringify({ ...record, uploaded: { container: 'box', name: 'placed', size: 3 } }))
  await utimes(bytesOf(old), new Date(0), new Date(Date.now() - 25 * 60 * 60 * 1000))

  const next = await serve(t, {}, root)
  const told: string[] = []
  ;(next.app.models.Box as any).observe('after upload', async (ctx: any) => { told.push(ctx.file.name) })
  const there = (address: string) => address.replace(/^.*(?=\/box\/)/, next.url)
  t.equal((await head(there(old))).status, 404)
  t.notOk((await kept(root)).includes(old.slice(-32)), 'removed at start')
  t.equal((await head(there(all))).headers.get('upload-file'), 'all')
  t.equal((await head(there(placed))).headers.get('upload-file'), 'placed')
  t.strictSame(told, ['all', 'placed'])
  t.strictSame(await readdir(path.join(root, 'box')), ['all'])
  await next.app.close()
  const off = await serve(t, { resumable: false }, root)
  t.equal((await begin(off.url, 1, 'a')).status, 404, 'no such route without the setting')
})

t.test('closing "upload" closes them; a provider that cannot says so at start', async t => {
  const { app } = await serve(t)
  const methods = (app.models.Box as any).sharedClass.methods() as Array<{ name: string, aliases: string[] }>
  t.strictSame(methods.filter(({ aliases }) => aliases.includes('upload')).map(({ name }) => name).sort(), [
    'beginUpload', 'cancelUpload', 'continueUpload', 'describeUpload', 'statUpload'
  ])
  app.models.Box?.disableRemoteMethodByName('upload')
  const answer = await app.inject({ method: 'POST', url: '/api/boxes/box/resumable', headers: { ...tus, 'upload-length': '1' } })
  t.equal(answer.statusCode, 404)
  const driver = Object.fromEntries(
    ['connect', 'close', 'containers', 'container', 'create', 'destroy', 'files', 'stat', 'read', 'stage', 'remove'].map(name => [name, async () => {}])
  )
  await t.rejects(StorageService({ provider: driver as unknown as StorageDriver, resumable: true }).connect(), {
    code: 'FBK_STORAGE_NOT_RESUMABLE', message: /presign/
  })
})
