// FASTBACK_TEST_FULL: uploads to each kind of store.
/** The routes of storage over a socket: what the recordings do not say. */
import { mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import type { IncomingMessage } from 'node:http'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { Readable, Transform } from 'node:stream'
import fc from 'fast-check'
import Fastify, { type FastifyInstance } from 'fastify'
import t, { type Test } from 'tap'
import core from '@fastback/core'
import rest from '@fastback/rest'
import { storageConnector, type StorageConnector, type StorageOptions } from '@fastback/storage'

interface Served {
  readonly app: FastifyInstance
  readonly url: string
  readonly root: string
  readonly connector: StorageConnector
}

async function serve (t: Test, options: StorageOptions & Record<string, unknown> = {}): Promise<Served> {
  const root = await mkdtemp(path.join(tmpdir(), 'fastback-storage-'))
  await mkdir(path.join(root, 'box'))
  const app = Fastify()
  await app.register(core, {
    dataSources: { files: { connector: storageConnector, root, ...options } },
    definitions: [{ name: 'Box', base: 'Model', plural: 'boxes' }],
    models: { Box: { dataSource: 'files', public: true } }
  })
  await app.register(rest, { prefix: '/api' })
  const url = await app.listen({ port: 0, host: '127.0.0.1' })
  t.teardown(async () => {
    await app.close()
    await rm(root, { recursive: true, force: true })
  })
  return { app, url: `${url}/api/boxes`, root, connector: app.models.Box?.dataSource?.connector as unknown as StorageConnector }
}

const form = (files: Record<string, string | Buffer>, type = 'text/plain'): FormData => {
  const body = new FormData()
  for (const [name, content] of Object.entries(files)) body.append('file', new Blob([content], { type }), name)
  return body
}

const send = async (url: string, body: FormData): Promise<{ status: number, body: any }> => {
  const answer = await fetch(url, { method: 'POST', body })
  return { status: answer.status, body: await answer.json() }
}

/** A request with a form of one file, as Node has it. */
function formRequest (): IncomingMessage {
  const body = '--b\r\nContent-Disposition: form-data; name="file"; filename="given"\r\n\r\nx\r\n--b--\r\n'
  const headers = { 'content-type': 'multipart/form-data; boundary=b', 'content-length': String(body.length) }
  return Object.assign(Readable.from([Buffer.from(body)]), { method: 'POST', headers, complete: true }) as unknown as IncomingMessage
}

/** What lies in a container and what is on its way. */
const left = async (root: string) => ({
  box: (await readdir(path.join(root, 'box'))).sort(), uploads: await readdir(path.join(root, '.uploads'))
})

t.test('limits refuse at once and leave nothing', async t => {
  const { url, root } = await serve(t, { maxFileSize: 100, maxFiles: 2, maxFields: 2, maxTotalSize: 2000 })
  const refused = async (body: FormData, status: number, code: string) => {
    const answer = await send(`${url}/box/upload`, body)
    t.equal(answer.status, status, code)
    t.equal(answer.body.error.code, code)
    t.strictSame(await left(root), { box: [], uploads: [] })
  }
  await refused(form({ 'a.txt': 'x'.repeat(101) }), 413, 'FILE_TOO_LARGE')
  await refused(form({ a: '1', b: '2', c: '3' }), 413, 'TOO_MANY_PARTS')
  const fields = form({ a: '1' })
  for (const name of ['x', 'y', 'z']) fields.append(name, '1')
  await refused(fields, 413, 'TOO_MANY_PARTS')
  const proto = form({ a: '1' })
  proto.append('__proto__', '1')
  await refused(proto, 400, 'INVALID_FORM')
  const long = form({ a: '1' })
  long.append('n'.repeat(101), '1')
  await refused(long, 413, 'FORM_TOO_LARGE')
  const large = form({ a: '1' })
  large.append('x', 'x'.repeat(2100))
  await refused(large, 413, 'FORM_TOO_LARGE')
  await refused(form({ 'good.txt': 'good', 'bad.txt': 'x'.repeat(101) }), 413, 'FILE_TOO_LARGE')
})

t.test('a connection ends after its keep-alive time, also when a file was the last answer', async t => {
  const { app, url, root } = await serve(t)
  await writeFile(path.join(root, 'box', 'a.txt'), 'whole')
  app.server.keepAliveTimeout = 1
  const { port, pathname } = new URL(`${url}/box/download/a.txt`)
  const socket = connect(Number(port), '127.0.0.1').setEncoding('utf8')
  t.teardown(() => { socket.destroy() })
  socket.write(`GET ${pathname} HTTP/1.1\r\nHost: x\r\n\r\n`)
  let answer = ''
  const ended = (async () => {
    for await (const text of socket) answer += text as string
    return 'ended'
  })()
  t.equal(await Promise.race([ended, wait(15_000, 'still open', { ref: false })]), 'ended')
  t.match(answer, /\r\n\r\nwhole$/)
})

t.test('a form that is compressed, stands still or is cut off', async t => {
  const { url, root } = await serve(t, { uploadTimeout: 200 })
  const packed = await fetch(`${url}/box/upload`, {
    method: 'POST', headers: { 'content-type': 'multipart/form-data; boundary=b', 'content-encoding': 'gzip' }, body: 'x'
  })
  t.equal(packed.status, 415)
  const { port, pathname } = new URL(`${url}/box/upload`)
  const begin = 'Host: x\r\nContent-Type: multipart/form-data; boundary=b\r\nContent-Length: 500\r\n\r\n--b\r\nContent-Disposition: form-data; name="file"; filename="slow.txt"\r\n\r\nab'
  const slow = connect(Number(port), '127.0.0.1').setEncoding('utf8')
  slow.write(`POST ${pathname} HTTP/1.1\r\n${begin}`)
  let answer = ''
  for await (const text of slow) answer += text as string
  t.match(answer, /^HTTP\/1\.1 408 /)
  t.match(answer, /FORM_TIMEOUT/)
  const cut = connect(Number(port), '127.0.0.1')
  cut.write(`POST ${pathname} HTTP/1.1\r\n${begin}`)
  await wait(20)
  cut.destroy()
  for (let tries = 0; tries < 100 && (await left(root)).uploads.length > 0; tries++) await wait(20)
  t.strictSame(await left(root), { box: [], uploads: [] })
})

t.test('SS-06: content that is not what it says', async t => {
  const { url, root } = await serve(t, { sniff: true, allowedContentTypes: ['image/*', 'text/plain'] })
  const png = Buffer.from('89504e470d0a1a0a0000000d49484452', 'hex')
  t.equal((await send(`${url}/box/upload`, form({ 'a.png': png }, 'image/png'))).status, 200)
  for (const [type, content] of [
    ['image/png', '<svg xmlns="http://www.w3.org/2000/svg" onload="alert(1)"/>'],
    ['image/png', 'GIF89a'],
    ['text/plain', ' <!-- x --><script>alert(1)</script>']
  ] as const) {
    const { status, body } = await send(`${url}/box/upload`, form({ 'b.png': content }, type))
    t.equal(status, 415)
    t.equal(body.error.code, 'CONTENT_MISMATCH')
  }
  const other = await send(`${url}/box/upload`, form({ 'c.pdf': '%PDF-1.4' }, 'application/pdf'))
  t.equal(other.body.error.code, 'CONTENT_TYPE_NOT_ALLOWED')
  t.strictSame(await left(root), { box: ['a.png'], uploads: [] })
})

t.test('SS-10: quotas', async t => {
  const { url, root, connector } = await serve(t, { quota: { container: 100 } })
  t.equal((await send(`${url}/box/upload`, form({ a: 'x'.repeat(60) }))).status, 200)
  const refused = await send(`${url}/box/upload`, form({ b: 'x'.repeat(41) }))
  t.equal(refused.status, 507)
  t.equal((await send(`${url}/box/upload`, form({ b: 'x'.repeat(40) }))).status, 200)
  connector.quota = undefined
  connector.minFree = Number.MAX_SAFE_INTEGER
  t.equal((await send(`${url}/box/upload`, form({ c: 'x' }))).status, 507)
  t.strictSame((await left(root)).box, ['a', 'b'])
})

t.test('SS-07: too many uploads at a time', async t => {
  const { url } = await serve(t, { maxConcurrentUploads: 1, uploadTimeout: 300 })
  const { port, pathname } = new URL(`${url}/box/upload`)
  const first = connect(Number(port), '127.0.0.1').resume()
  first.write(`POST ${pathname} HTTP/1.1\r\nHost: x\r\nContent-Type: multipart/form-data; boundary=b\r\nContent-Length: 500\r\n\r\n--b\r\n`)
  await wait(50)
  const answer = await fetch(`${url}/box/upload`, { method: 'POST', body: form({ a: 'a' }) })
  t.equal(answer.status, 503)
  t.equal(answer.headers.get('retry-after'), '1')
  first.destroy()
})

t.test('SS-01, SS-03: no name leads out of the root', async t => {
  const { app, url, root, connector } = await serve(t)
  const outside = await mkdtemp(path.join(tmpdir(), 'fastback-outside-'))
  t.teardown(async () => { await rm(outside, { recursive: true, force: true }) })
  await writeFile(path.join(outside, 'secret'), 'secret')
  await symlink(outside, path.join(root, 'linked'))
  await symlink(path.join(outside, 'secret'), path.join(root, 'box', 'link'))
  for (const at of ['linked', 'linked/files/secret', 'linked/download/secret', 'box/files/link', 'box/download/link']) {
    t.equal((await fetch(`${url}/${at}`)).status, 404, at)
  }
  t.equal((await send(`${url}/linked/upload`, form({ planted: 'x' }))).status, 404)
  t.equal((await send(`${url}/box/upload`, form({ link: 'over' }))).status, 409)
  t.equal((await fetch(`${url}/linked`, { method: 'DELETE' })).status, 404)
  const part = fc.oneof(
    fc.constantFrom('..', '.', '../', '..\\', '/', '\\', '\0', '.uploads', 'box', 'linked', 'link', 'secret', '%2e%2e', '~', 'con', ':'),
    fc.string({ unit: 'binary', maxLength: 4 })
  )
  const name = fc.array(part, { minLength: 1, maxLength: 5 }).map(parts => parts.join(''))
  const Box = app.models.Box as unknown as StorageConnector
  const quiet = async (work: Promise<unknown>): Promise<unknown> => await work.catch((error: unknown) => error)
  await fc.assert(
    fc.asyncProperty(name, name, async (container, file) => {
      for (const found of await Promise.all([
        quiet(Box.getContainer(container)), quiet(Box.getFile(container, file)), quiet(Box.getFile('box', file)),
        quiet(Box.removeFile('box', file)), quiet(Box.destroyContainer(`${container}x`))
      ])) {
        const { message = '', stack: _stack, ...rest } = Object(found) as Error
        if (`${message}${JSON.stringify(rest)}`.includes(root)) throw new Error(`told where files are: ${message}`)
      }
      const bytes = await quiet(Box.downloadStream(container, file).toArray())
      if (String(bytes).includes('secret') && Array.isArray(bytes)) throw new Error('read from outside')
      const written = Box.uploadStream('box', file)
      await new Promise(resolve => {
        written.on('error', resolve).on('success', resolve).end('x')
      })
      // Renamed by the application, which may take a name from anywhere.
      connector.getFilename = () => file
      const renamed = await quiet(Box.upload('box', formRequest(), undefined as never))
      connector.getFilename = undefined
      const stored = (renamed as { files?: { file: Array<{ name: string }> } }).files?.file[0]
      if (stored !== undefined && stored.name !== file) throw new Error(`stored as ${stored.name}`)
      if (String(await readFile(path.join(outside, 'secret'))) !== 'secret') throw new Error('written outside')
    }),
    // Two names each: 10,000 in continuous integration.
    { numRuns: process.env.FASTBACK_TEST_KILLS === undefined ? 500 : 5_000 }
  )
  t.strictSame(await readdir(outside), ['secret'])
  t.strictSame((await readdir(root)).sort(), ['.uploads', 'box', 'linked'])
})

t.test('SD-13: a rule for each container and file', async t => {
  const { url, connector } = await serve(t)
  await send(`${url}/box/upload`, form({ 'mine.txt': 'm', 'theirs.txt': 't' }))
  connector.fileAccess = ({ container, file }) => container !== 'shut' && file !== 'theirs.txt'
  const names = async (address: string) => {
    const found = await (await fetch(address)).json() as Array<{ name: string }>
    return found.map(({ name }) => name)
  }
  t.strictSame(await names(`${url}/box/files`), ['mine.txt'])
  const theirs = await fetch(`${url}/box/files/theirs.txt`)
  const absent = await fetch(`${url}/box/files/absent.txt`)
  t.equal(theirs.status, 404)
  t.equal((await theirs.text()).replaceAll('theirs', 'absent'), await absent.text(), 'files of others and none answer alike')
  t.equal((await fetch(`${url}/box/download/theirs.txt`)).status, 404)
  t.equal((await fetch(`${url}/box/files/theirs.txt`, { method: 'DELETE' })).status, 404)
  t.equal((await send(`${url}/box/upload`, form({ 'theirs.txt': 'x' }))).status, 404)
  t.equal((await send(url.replace(/$/, '/shut/upload'), form({ a: 'x' }))).status, 404)
  connector.fileAccess = undefined
  t.strictSame(await names(`${url}/box/files`), ['mine.txt', 'theirs.txt'])
})

t.test('SD-10: parts of lists', async t => {
  const { url } = await serve(t, { maxList: 2 })
  await send(`${url}/box/upload`, form({ a: '1', b: '2', 'b 3': '3', c: '4' }))
  const first = await fetch(`${url}/box/files`)
  t.equal((await first.json() as unknown[]).length, 2)
  t.equal(first.headers.get('x-next-after'), 'b')
  const filtered = async (filter: object) => {
    const answer = await fetch(`${url}/box/files?filter=${encodeURIComponent(JSON.stringify(filter))}`)
    const body = await answer.json() as Array<{ name: string }>
    return answer.ok ? body.map(({ name }) => name) : answer.status
  }
  t.strictSame(await filtered({ after: 'b' }), ['b 3', 'c'])
  t.strictSame(await filtered({ prefix: 'b', limit: 1, skip: 1 }), ['b 3'])
  t.strictSame(await filtered({ limit: -1 }), 400)
  t.strictSame(await filtered({ order: 'name' }), 400)
})

t.test('hooks see files on their way, and may change or refuse them', async t => {
  const { app, url, root } = await serve(t)
  const Box = app.models.Box as any
  const seen: string[] = []
  Box.observe('before upload', async (ctx: any) => {
    seen.push(`before ${ctx.file.name}`)
    if (ctx.file.name === 'virus') throw Object.assign(new Error('Infected'), { statusCode: 422, code: 'INFECTED' })
    ctx.file.name = `up-${ctx.file.name}`
    ctx.pipeThrough(new Transform({ transform (chunk, _encoding, done) { done(null, String(chunk).toUpperCase() + '!') } }))
  })
  Box.observe('after upload', async (ctx: any) => { seen.push(`after ${ctx.file.name} ${ctx.file.size}`) })
  Box.observe('before download', async (ctx: any) => { seen.push(`download ${ctx.file.name}`) })
  const sent = await send(`${url}/box/upload`, form({ a: 'abc' }))
  t.match(sent.body.result.files.file[0], { name: 'up-a', originalFilename: 'a', size: 4 })
  t.equal(await (await fetch(`${url}/box/download/up-a`)).text(), 'ABC!')
  t.equal((await send(`${url}/box/upload`, form({ b: 'b', virus: 'x' }))).body.error.code, 'INFECTED')
  t.strictSame(seen, ['before a', 'after up-a 4', 'download up-a', 'before b', 'before virus'])
  t.strictSame(await left(root), { box: ['up-a'], uploads: [] })
})

t.test('ST-02: a model that would keep rows has the routes of storage alone', async t => {
  const root = await mkdtemp(path.join(tmpdir(), 'fastback-storage-'))
  t.teardown(async () => { await rm(root, { recursive: true, force: true }) })
  const app = Fastify()
  t.teardown(async () => { await app.close() })
  await app.register(core, {
    dataSources: { files: { connector: storageConnector, root } },
    definitions: [{ name: 'Box', base: 'PersistedModel', plural: 'boxes' }],
    models: { Box: { dataSource: 'files', public: true } }
  })
  await app.register(rest, { prefix: '/api' })
  t.strictSame((await app.inject('/api/boxes')).json(), [])
  t.equal((await app.inject('/api/boxes/count')).json().error.code, 'ENOENT', 'a container of that name')
  t.equal((await app.inject({ method: 'PUT', url: '/api/boxes', payload: {} })).statusCode, 404)
  await t.rejects((app.models.Box as any).create({ a: 1 }), { code: 'FBK_STORAGE_FILES_ONLY' })
})

t.test('SD-9: a file that is replaced while it is read stays whole', async t => {
  const { url, app } = await serve(t)
  await send(`${url}/box/upload`, form({ f: 'a'.repeat(3_000_000) }))
  const reading = (app.models.Box as unknown as StorageConnector).downloadStream('box', 'f')
  const [first] = await Promise.all([reading.once('readable', () => {}).toArray(), send(`${url}/box/upload`, form({ f: 'b'.repeat(3_000_000) }))])
  const text = Buffer.concat(first as Buffer[]).toString()
  t.equal(new Set(text).size, 1, 'of one of the two')
  t.equal(text.length, 3_000_000)
})

t.test('SS-15: a published model without rules is told of at start', async t => {
  const root = await mkdtemp(path.join(tmpdir(), 'fastback-storage-'))
  t.teardown(async () => { await rm(root, { recursive: true, force: true }) })
  const lines: string[] = []
  const app = Fastify({ logger: { level: 'warn', stream: { write: (line: string) => { lines.push(line) } } } })
  t.teardown(async () => { await app.close() })
  const open = { dataSource: 'files', public: true }
  await app.register(core, {
    dataSources: { files: { connector: storageConnector, root } },
    definitions: [
      { name: 'Open', base: 'Model' },
      { name: 'Shut', base: 'Model', acls: [{ principalType: 'ROLE', principalId: '$everyone', permission: 'DENY' }] },
      { name: 'Inner', base: 'Model' }
    ],
    models: { Open: open, Shut: open, Inner: { dataSource: 'files', public: false } }
  })
  await app.ready()
  const told = lines.filter(line => line.includes('Everybody may')).map(line => (JSON.parse(line) as { model: string }).model)
  t.strictSame(told, ['Open'])
})
