/** Addresses that a model signs itself, for a folder (storage.md, SD-12, SS-17). */
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { connect } from 'node:net'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import fc from 'fast-check'
import Fastify from 'fastify'
import t from 'tap'
import core from '@fastback/core'
import rest, { logMasking } from '@fastback/rest'
import { storageConnector, type SignedAddress, type StorageConnector } from '@fastback/storage'

const root = await mkdtemp(path.join(tmpdir(), 'fastback-signed-'))
const lines: string[] = []
const app = Fastify({ logger: { level: 'info', ...logMasking, stream: { write: (line: string) => { lines.push(line) } } } })
t.teardown(async () => {
  await app.close()
  await rm(root, { recursive: true, force: true })
})
for (const name of ['a', 'b']) await mkdir(path.join(root, name, 'box'), { recursive: true })
const presignSecret = 'a secret of thirty-two characters'
const source = (name: string, options = {}) =>
  ({ connector: storageConnector, root: path.join(root, name), presign: true, ...options })
await app.register(core, {
  dataSources: { a: source('a', { presignSecret, maxFileSize: 1000 }), b: source('b', { presignSecret }), c: source('b') },
  definitions: ['Box', 'Twin', 'Other', 'Random'].map(name => ({ name, base: 'Model' })),
  models: {
    Box: { dataSource: 'a', public: true },
    Twin: { dataSource: 'a', public: true },
    Other: { dataSource: 'b', public: true },
    Random: { dataSource: 'c', public: true }
  }
})
await app.register(rest, { prefix: '/api' })
const origin = await app.listen({ port: 0, host: '127.0.0.1' })
const Box = app.models.Box as any
const connector = Box.dataSource.connector as StorageConnector
const box = path.join(root, 'a', 'box')
await writeFile(path.join(box, 'secret.txt'), 'secret')

const ask = async (name: string, type?: string, at = 'Boxes'): Promise<SignedAddress> => {
  const answer = await fetch(`${origin}/api/${at}/box/presign-upload`, {
    method: 'POST', headers: { 'content-type': 'application/json' }, body: JSON.stringify({ name, type })
  })
  const body = await answer.json() as SignedAddress & { error?: { code: string } }
  if (!answer.ok) throw new Error(body.error?.code)
  return body
}
const put = async (url: string, body: string | Buffer, headers: Record<string, string> = {}) => {
  const answer = await fetch(origin + url, { method: 'PUT', headers, body })
  return { status: answer.status, body: await answer.json() as any }
}
/** What every refused address is answered with. */
const refusal = { error: { statusCode: 403, code: 'SIGNATURE_REFUSED' } }
const left = async () => [(await readdir(box)).sort(), await readdir(path.join(root, 'a', '.uploads'))]

t.test('an upload and a download by signed addresses', async t => {
  const address = await ask('größe 1.json', 'application/json')
  t.match(address, { method: 'PUT', headers: { 'content-type': 'application/json' }, url: /^\/api\/Boxes\/box\/signed\/gr/ })
  const seen: string[] = []
  for (const hook of ['before upload', 'after upload', 'before download']) {
    Box.observe(hook, async (ctx: any) => { seen.push(`${hook} ${ctx.file.name}`) })
  }
  // No JSON: what is stored is nobody's to parse.
  const sent = await put(address.url, '{"not": json', address.headers)
  t.equal(sent.status, 200)
  t.match(sent.body, { container: 'box', name: 'größe 1.json', type: 'application/json', size: 12 })
  t.equal(await readFile(path.join(box, 'größe 1.json'), 'utf8'), '{"not": json')
  connector.redirect = true
  const moved = await fetch(`${origin}/api/Boxes/box/download/${encodeURIComponent('größe 1.json')}`, { redirect: 'manual' })
  connector.redirect = undefined
  t.equal(moved.status, 302)
  const got = await fetch(origin + (moved.headers.get('location') as string), { headers: { range: 'bytes=2-4' } })
  t.equal(got.status, 206)
  t.equal(await got.text(), 'not')
  t.match(Object.fromEntries(got.headers), {
    'cache-control': 'private, no-cache', 'referrer-policy': 'no-referrer', 'x-content-type-options': 'nosniff'
  })
  t.strictSame(seen, ['before upload größe 1.json', 'after upload größe 1.json', 'before download größe 1.json', 'before download größe 1.json'])
  connector.presignBase = 'https://files.example.org/boxes/'
  t.match(await Box.presignDownload('box', 'a b'), { method: 'GET', url: /^https:\/\/files\.example\.org\/boxes\/box\/signed\/a%20b\?expires=\d+&signature=[\w-]{43}$/ })
  connector.presignBase = undefined
  await t.rejects(Box.presignDownload('box', 'a'), { code: 'NO_PRESIGN_BASE' })
  await t.rejects(ask('../x'), { message: 'INVALID_NAME' })
  await rm(path.join(box, 'größe 1.json'))
})

t.test('whatever else is asked with an address has one answer', async t => {
  const { url, headers } = await ask('in.txt', 'text/plain')
  const other = await ask('in.txt', undefined, 'Others')
  const random = await ask('in.txt', undefined, 'Randoms')
  const wrong: Array<[string, RequestInit]> = [
    [url, {}],
    [url, { method: 'PUT', body: Buffer.from('no type') }],
    [url, { method: 'PUT', headers: { 'content-type': 'text/html' }, body: 'x' }],
    [url.replace('in.txt', 'secret.txt'), {}],
    [url.replace('in.txt', 'absent.txt'), {}],
    [url.replace('Boxes', 'Twins'), { method: 'PUT', headers, body: 'x' }],
    [other.url.replace('Others', 'Boxes'), { method: 'PUT', body: 'x' }],
    [random.url.replace('Randoms', 'Others'), { method: 'PUT', body: 'x' }],
    [url.replace('/box/', '/none/'), { method: 'PUT', headers, body: 'x' }],
    [url.replace(/expires=\d+/, 'expires=99999999999'), { method: 'PUT', headers, body: 'x' }],
    [`${url}&type=text%2Fhtml`, { method: 'PUT', headers: { 'content-type': 'text/html' }, body: 'x' }],
    [url.replace(/&?type=[^&]*/, ''), { method: 'PUT', headers, body: 'x' }],
    [url.replace(/\?.*/, ''), { method: 'PUT', headers, body: 'x' }]
  ]
  for (const [address, init] of wrong) {
    const answer = await fetch(origin + address, init)
    const { error } = await answer.json() as { error: object }
    t.equal(answer.status, 403, `${init.method ?? 'GET'} ${address.replace(/signature=.*/, '')}`)
    t.match({ error }, refusal)
  }
  connector.presignTtl = 1
  const short = await ask('late.txt')
  connector.presignTtl = undefined
  await wait(1_050)
  const late = await put(short.url, 'x')
  t.match(late.body, refusal)
  t.strictSame(await left(), [['secret.txt'], []])
})

t.test('altered signatures and names never pass', async t => {
  const signed = connector.client
  t.equal(signed?.presign, undefined)
  connector.presignBase = '/api/Boxes'
  const { url } = await Box.presignDownload('box', 'mine.txt') as SignedAddress
  connector.presignBase = undefined
  const query = url.slice(url.indexOf('?') + 1)
  const signature = new URLSearchParams(query).get('signature') as string
  const part = fc.constantFrom('..', '/', '\\', '%2e', '%2f', '\0', 'box', 'secret.txt', 'mine.txt', '.uploads', ' ', 'mine.tx', 't')
  const name = fc.array(fc.oneof(part, fc.string({ unit: 'binary', maxLength: 3 })), { minLength: 1, maxLength: 4 }).map(parts => parts.join(''))
  const altered = fc.oneof(
    fc.tuple(fc.nat(signature.length - 1), fc.constantFrom(...'ABCxyz019-_%')).map(([at, to]) => signature.slice(0, at) + to + signature.slice(at + 1)),
    fc.string({ unit: 'binary', maxLength: 60 }),
    fc.nat(signature.length - 1).map(length => signature.slice(0, length))
  )
  const res = { setHeader () { return res } }
  const tried = async (container: string, file: string, address: string): Promise<void> => {
    try {
      await Box.downloadSigned(container, file, { url: address, headers: {} }, res)
    } catch (error) {
      if ((error as { code?: string }).code === 'SIGNATURE_REFUSED' && !String(error).includes(root)) return
      throw error
    }
    throw new Error('it passed')
  }
  await fc.assert(fc.asyncProperty(name, name, altered, async (container, file, text) => {
    if (container !== 'box' || file !== 'mine.txt') await tried(container, file, url)
    if (file !== 'mine.txt') await tried('box', file, url)
    if (text !== signature) await tried('box', 'mine.txt', url.replace(/signature=.*/, `signature=${encodeURIComponent(text)}`))
  }), { numRuns: 10_000 })
})

t.test('limits hold as for every upload, and leave nothing', async t => {
  const refused = async (
    status: number, code: string, body: string, headers: Record<string, string> = {}, type?: string
  ) => {
    const { url } = await ask('in.txt', type)
    const answer = await put(url, body, headers)
    t.equal(answer.body.error?.code, code)
    t.equal(answer.status, status)
    t.strictSame(await left(), [['secret.txt'], []])
  }
  await refused(413, 'FILE_TOO_LARGE', 'x'.repeat(1001))
  connector.maxFileSize = () => 500
  await refused(413, 'FILE_TOO_LARGE', 'x'.repeat(501))
  connector.maxFileSize = 1000
  connector.allowedContentTypes = ['image/png']
  await refused(415, 'CONTENT_TYPE_NOT_ALLOWED', 'x', { 'content-type': 'text/plain' })
  connector.sniff = true
  await refused(415, 'CONTENT_MISMATCH', '<svg/>', { 'content-type': 'image/png' }, 'image/png')
  connector.allowedContentTypes = undefined
  connector.sniff = undefined
  connector.quota = 10
  await refused(507, 'INSUFFICIENT_STORAGE', 'x'.repeat(11))
  connector.quota = undefined
  await refused(415, 'UNSUPPORTED_MEDIA_TYPE', 'x', { 'content-encoding': 'gzip' })
  const { url } = await ask('in.txt')
  const begin = `PUT ${url} HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n\r\nhalf`
  const { port } = new URL(origin)
  const cut = connect(Number(port), '127.0.0.1')
  cut.write(begin)
  await wait(50)
  cut.destroy()
  connector.uploadTimeout = 100
  const slow = connect(Number(port), '127.0.0.1').setEncoding('utf8')
  slow.write(begin)
  let answer = ''
  for await (const text of slow) answer += text as string
  connector.uploadTimeout = undefined
  t.match(answer, /^HTTP\/1\.1 408 [^]*UPLOAD_TIMEOUT/)
  t.strictSame(await left(), [['secret.txt'], []])
})

t.test('SS-17: no signature is in the log; a random secret is told of once', async t => {
  t.ok(lines.some(line => line.includes('/signed/in.txt')), 'requests are logged')
  t.notOk(lines.some(line => /signature=(?!\[masked\])/.test(line)), 'their signatures are not')
  const told = lines.filter(line => line.includes('presignSecret'))
  t.equal(told.length, 1)
  t.match(told[0], /"dataSource":"c"/)
})
