import { createServer, type AddressInfo } from 'node:net'
import { gzipSync } from 'node:zlib'
import t from 'tap'
import type { ServiceClient } from '@fastback/service-client'
import { client, upstream } from './upstream.js'

const get = (calling: ServiceClient, url: string, more: object = {}) =>
  calling.request({ name: 'get', method: 'GET', url, ...more })

t.test('connections that fail and answers that break off are 502 (SC-E3)', async t => {
  const { base } = await upstream(t, (req, res) => {
    if (req.url === '/cut') return req.socket.destroy()
    res.writeHead(200, { 'content-length': 100 })
    res.write('half')
    setTimeout(() => { req.socket.destroy() }, 20)
  })
  const calling = client(t)
  const wanted = { statusCode: 502, code: 'BAD_GATEWAY' }
  await t.rejects(get(calling, `${base}/cut`), { ...wanted, cause: { code: 'UND_ERR_SOCKET' } })
  await t.rejects(get(calling, `${base}/half`), wanted)
  await t.rejects(get(calling, 'http://127.0.0.1:1/'), { ...wanted, cause: { code: 'ECONNREFUSED' } })
  await t.rejects(get(calling, 'http://no.such.host.invalid/'), wanted)
  const garbage = createServer(socket => { socket.end('this is no HTTP\r\n\r\n') })
  await new Promise<void>(resolve => { garbage.listen(0, '127.0.0.1', resolve) })
  t.teardown(() => garbage.close())
  await t.rejects(get(calling, `http://127.0.0.1:${(garbage.address() as AddressInfo).port}/`), wanted)
})

t.test('a service that takes too long is 504, in each of its phases (SC-E4)', async t => {
  const { base } = await upstream(t, (req, res) => {
    if (req.url === '/headers') return
    res.write('drip')
    const drip = setInterval(() => { res.write('drip') }, 20)
    res.on('close', () => { clearInterval(drip) })
  })
  const wanted = { statusCode: 504, code: 'GATEWAY_TIMEOUT' }
  const start = performance.now()
  await t.rejects(get(client(t, { timeout: 100 }), `${base}/headers`), wanted)
  await t.rejects(get(client(t, { timeout: 100 }), `${base}/drip`), wanted, 'a response that never ends')
  await t.rejects(get(client(t), `${base}/headers`, { timeout: 100 }), wanted, 'of the call')
  t.ok(performance.now() - start < 2000)
  await t.rejects(get(client(t, { headersTimeout: 100 }), `${base}/headers`), wanted, 'headersTimeout')
})

t.test('a caller who goes away ends the call with the reason', async t => {
  let hasClosed = (): void => {}
  const closed = new Promise<void>(resolve => { hasClosed = resolve })
  const { base } = await upstream(t, req => { req.on('close', hasClosed) })
  const controller = new AbortController()
  setTimeout(() => { controller.abort(new Error('gone')) }, 30)
  await t.rejects(get(client(t), base, { signal: controller.signal }), { message: 'gone' })
  await closed
  await t.rejects(get(client(t), base, { signal: AbortSignal.abort(new Error('long gone')) }), { message: 'long gone' })
})

t.test('answers are bounded after they are unpacked (SC-S9)', async t => {
  const bomb = gzipSync(Buffer.alloc(50_000_000))
  const { base } = await upstream(t, (req, res) => {
    if (req.url === '/bomb') return res.setHeader('content-encoding', 'gzip').end(bomb)
    if (req.url === '/strange') return res.setHeader('content-encoding', 'zip').end('PK')
    if (req.url === '/broken') return res.setHeader('content-encoding', 'gzip').end('no gzip')
    const chunk = Buffer.alloc(65_536)
    const send = (): void => { while (!res.destroyed && res.write(chunk)); }
    res.on('drain', send)
    send()
  })
  const calling = client(t, { maxResponseSize: 100_000 })
  const before = process.memoryUsage().rss
  const wanted = { statusCode: 502, code: 'BAD_GATEWAY' }
  await t.rejects(get(calling, `${base}/endless`), { ...wanted, message: /maxResponseSize/ })
  await t.rejects(get(calling, `${base}/bomb`), { ...wanted, message: /maxResponseSize/ })
  await t.rejects(get(calling, `${base}/strange`), { ...wanted, message: /encoding/ })
  await t.rejects(get(calling, `${base}/broken`), wanted)
  t.ok(process.memoryUsage().rss - before < 60_000_000, 'memory stays bounded')
})

t.test('more calls than may wait are refused at once (LI-1)', async t => {
  const waiting: Array<() => void> = []
  const { base } = await upstream(t, (req, res) => { waiting.push(() => { res.end('done') }) })
  const calling = client(t, { maxConnections: 1, maxQueue: 1 })
  const first = get(calling, base)
  const second = get(calling, base)
  await t.rejects(get(calling, base), { statusCode: 503, code: 'SERVICE_BUSY', retryAfter: 1 })
  const poll = setInterval(() => { waiting.shift()?.() }, 5)
  await Promise.all([first, second])
  t.equal((await get(calling, base)).statusCode, 200, 'there is room again')
  clearInterval(poll)
})

t.test('the time counts while a call waits for a connection', async t => {
  const { base } = await upstream(t, () => {})
  const calling = client(t, { maxConnections: 1 })
  const first = get(calling, base, { timeout: 400 })
  const start = performance.now()
  await t.rejects(get(calling, base, { timeout: 100 }), { statusCode: 504, code: 'GATEWAY_TIMEOUT' })
  t.ok(performance.now() - start < 350)
  await t.rejects(first, { statusCode: 504, code: 'GATEWAY_TIMEOUT' })
})
