/** Requests without a connection: code of applications finds what it finds with every request. */
import { Readable } from 'node:stream'
import { IncomingMessage, ServerResponse } from 'node:http'
import Fastify from 'fastify'
import t from 'tap'
import { InnerIncoming, StreamResponse, TextResponse, type EndedResponse } from './inner-exchange.js'

type Handler = (request: IncomingMessage, response: ServerResponse) => void

const incoming = (method = 'GET', url = '/', body?: string): InnerIncoming => new InnerIncoming({
  method, url, headers: { accept: 'application/json', 'x-own': 'a' }, body, remoteAddress: '10.0.0.1'
})

const textOf = async (handler: Handler, request = incoming()): Promise<EndedResponse> =>
  await new Promise((resolve, reject) => { handler(request, new TextResponse(request, resolve, reject)) })

t.test('through Fastify: a body, headers, texts, bytes, streams, no body, errors', async t => {
  const app = Fastify()
  t.teardown(() => app.close())
  let finished = 0
  app.addHook('onResponse', async () => { finished++ })
  app.post('/echo', async (request, reply) => {
    reply.header('X-Seen', [request.ip, String(request.headers['x-own']), String(request.raw.rawHeaders.length)])
    return { body: request.body, length: request.headers['content-length'] }
  })
  app.get('/bytes', async () => Buffer.from('ä'))
  app.get('/stream', async () => Readable.from(['a', Buffer.from('ä'), 'z']))
  app.get('/none', async (_request, reply) => await reply.code(204).send())
  app.get('/raw', (_request, reply) => {
    reply.hijack()
    reply.raw.setHeader('x-raw', '1')
    reply.raw.write('one')
    reply.raw.end('two')
  })
  app.get('/lost', (_request, reply) => { reply.raw.destroy() })
  await app.ready()
  const send = async (request: InnerIncoming): Promise<EndedResponse> =>
    await textOf((req, res) => { app.routing(req, res) }, request)

  const own = new InnerIncoming({
    method: 'POST',
    url: '/echo',
    headers: { 'content-type': 'application/json', 'x-own': 'a' },
    body: '{"ä":1}',
    remoteAddress: '10.0.0.1'
  })
  const echoed = await send(own)
  t.same(JSON.parse(echoed.text), { body: { ä: 1 }, length: '8' })
  t.same(echoed.headers['x-seen'], ['10.0.0.1', 'a', '8'])
  t.match(await send(incoming('GET', '/bytes')), { status: 200, text: 'ä' })
  t.match(await send(incoming('GET', '/stream')), { status: 200, text: 'aäz' })
  t.match(await send(incoming('GET', '/none')), { status: 204, text: '' })
  t.match(await send(incoming('GET', '/raw')), { status: 200, text: 'onetwo', headers: { 'x-raw': '1' } })
  t.equal((await send(incoming('GET', '/unknown'))).status, 404)
  await t.rejects(send(incoming('GET', '/lost')), { code: 'ECONNRESET' })
  t.ok(finished >= 5, 'hooks hear of the end')
})

t.test('as Node has them', async t => {
  const seen: string[] = []
  const response = await textOf((request, response) => {
    t.ok(request instanceof IncomingMessage)
    t.ok(response instanceof ServerResponse)
    for (const event of ['finish', 'close']) response.on(event, () => seen.push(event))
    response.writeHead(201, 'Made', { 'X-Made': 'yes', 'content-type': 'text/plain' })
    t.ok(response.headersSent)
    t.throws(() => { response.setHeader('x-late', '1') }, { code: 'ERR_HTTP_HEADERS_SENT' })
    response.write('a', () => seen.push('written'))
    response.end(() => seen.push('ended'))
    t.ok(response.writableEnded)
    response.end('again')
  })
  t.match(response, { status: 201, text: 'a', headers: { 'x-made': 'yes', 'content-type': 'text/plain' } })
  await new Promise(resolve => { setImmediate(resolve) })
  t.same(seen, ['finish', 'written', 'ended', 'close'])
})

t.test('a response that goes on: its parts as they come, with their pace, until it is given up', async t => {
  const request = incoming()
  let response: StreamResponse | undefined
  const opened = new Promise<StreamResponse>((resolve, reject) => {
    response = new StreamResponse(request, resolve, reject)
  })
  const server = response as unknown as StreamResponse
  server.writeHead(200, { 'content-type': 'text/event-stream' })
  const { body, statusCode } = await opened
  t.equal(statusCode, 200)
  let isFull = false
  for (let i = 0; i < 100 && !isFull; i++) isFull = !server.write('x'.repeat(10_000))
  t.ok(isFull, 'who does not read holds it up')
  const drained = new Promise<void>(resolve => { server.once('drain', resolve) })
  t.ok(String(body.read()).startsWith('x'))
  await drained
  const closed = new Promise<void>(resolve => { server.once('close', resolve) })
  server.destroy()
  await closed
  t.ok(body.destroyed)
})

t.test('a stream that ends, and one that never began', async t => {
  const request = incoming()
  const opened = await new Promise<StreamResponse>((resolve, reject) => {
    const response = new StreamResponse(request, resolve, reject)
    response.write('a')
    response.end('b')
  })
  const chunks: string[] = []
  for await (const chunk of opened.body) chunks.push(String(chunk))
  t.equal(chunks.join(''), 'ab')
  await t.rejects(new Promise((resolve, reject) => { new StreamResponse(incoming(), resolve, reject).destroy() }), { code: 'ECONNRESET' })
})
