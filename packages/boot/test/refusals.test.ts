/** What a server refuses before any route is asked. */
import { connect } from 'node:net'
import { gzipSync } from 'node:zlib'
import { once } from 'node:events'
import t, { type Test } from 'tap'
import { createServer } from '../src/index.js'

const folder = (t: Test, config: object): string => t.testdir({
  'package.json': '{ "type": "module" }',
  server: {
    'config.json': JSON.stringify({ host: '127.0.0.1', port: 0, ...config }),
    'datasources.json': '{ "db": { "connector": "memory" } }',
    'model-config.json': '{ "_meta": { "sources": ["./models"] }, "Note": { "dataSource": "db", "public": true } }',
    models: { 'note.json': '{ "name": "Note", "properties": { "title": "string" } }' }
  }
})

/** Sends bytes and gives the whole response. */
async function send (url: string, bytes: string): Promise<{ head: string, body: any }> {
  const { hostname, port } = new URL(url)
  const socket = connect(Number(port), hostname)
  socket.on('error', () => {})
  let text = ''
  socket.setEncoding('utf8').on('data', chunk => { text += String(chunk) })
  socket.write(bytes, 'latin1')
  await once(socket, 'close')
  const [head = '', body = ''] = text.split('\r\n\r\n')
  return { head, body: JSON.parse(body) }
}

t.test('what Node\'s parser refuses, in the shape of all errors', async t => {
  const server = await createServer(folder(t, {}), { log: false })
  t.teardown(() => server.stop())
  const url = await server.start()
  const table: Array<[string, string, number, string]> = [
    [
      'headers',
      `GET /api/Notes HTTP/1.1\r\nHost: x\r\nX-Long: ${'a'.repeat(20_000)}\r\n\r\n`,
      431,
      'RequestHeaderFieldsTooLargeError'
    ],
    [
      'address',
      `GET /api/Notes?filter=${'a'.repeat(20_000)} HTTP/1.1\r\nHost: x\r\n\r\n`,
      431,
      'RequestHeaderFieldsTooLargeError'
    ],
    ['no HTTP', 'good morning\r\n\r\n', 400, 'BadRequestError'],
    [
      'an expectation',
      'POST /api/Notes HTTP/1.1\r\nHost: x\r\nExpect: miracles\r\nContent-Length: 2\r\n\r\n',
      417,
      'ExpectationFailedError'
    ]
  ]
  for (const [name, bytes, statusCode, errorName] of table) {
    const { head, body } = await send(url, bytes)
    t.ok(head.startsWith(`HTTP/1.1 ${statusCode} `), name)
    t.match(head, /^content-type: application\/json; charset=utf-8$/im)
    t.match(head, /^connection: close$/im)
    t.match(head, /^x-content-type-options: nosniff$/im)
    t.match(body, { error: { statusCode, name: errorName, message: String } }, name)
    t.notMatch(JSON.stringify(body), /HPE_|stack/)
  }
  t.equal((await fetch(`${url}/api/Notes`)).status, 200, 'it goes on')

  const bare = await createServer(folder(t, { remoting: { errorHandler: { rootProperty: false } } }), { log: false })
  t.teardown(() => bare.stop())
  t.match((await send(await bare.start(), 'x\r\n\r\n')).body, { statusCode: 400, message: String })
})

t.test('what is no HTTP on a connection that was kept gets its answer, too', async t => {
  const server = await createServer(folder(t, {}), { log: false })
  t.teardown(() => server.stop())
  const { hostname, port } = new URL(await server.start())
  const socket = connect(Number(port), hostname)
  socket.setEncoding('utf8').write('GET /api/Notes/count HTTP/1.1\r\nHost: x\r\n\r\n')
  t.match((await once(socket, 'data'))[0], /^HTTP\/1\.1 200 /)
  socket.write('good morning\r\n\r\n')
  t.match((await once(socket, 'data'))[0], /^HTTP\/1\.1 400 [^]*"statusCode":400/)
  await once(socket, 'close')
})

t.test('a transfer coding that does not say where the request ends: refused before anything is done', async t => {
  const server = await createServer(folder(t, {}), { log: false })
  t.teardown(() => server.stop())
  const url = await server.start()
  const post = { method: 'POST', headers: { 'content-type': 'application/json' }, body: '{"title":"stays"}' }
  t.equal((await fetch(`${url}/api/Notes`, post)).status, 200)
  for (const coding of ['identity', 'gzip', 'chunked, gzip']) {
    const { head } = await send(url, `DELETE /api/Notes/1 HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: ${coding}\r\n\r\n`)
    t.ok(head.startsWith('HTTP/1.1 400 '), coding)
  }
  t.equal((await fetch(`${url}/api/Notes/1`)).status, 200, 'nothing was removed')
  const { head } = await send(
    url,
    'DELETE /api/Notes/1 HTTP/1.1\r\nHost: x\r\nConnection: close\r\nTransfer-Encoding: gzip, chunked\r\n\r\n0\r\n\r\n'
  )
  t.ok(head.startsWith('HTTP/1.1 200 '), 'chunked at the end is fine')
})

t.test('what comes too slowly: 408 in the shape of all errors, and the connection is closed', async t => {
  const server = await createServer(folder(t, { server: { requestTimeout: 400, headersTimeout: 200 } }), { log: false })
  t.teardown(() => server.stop())
  const url = await server.start()
  const slow: Array<[string, string]> = [
    ['headers that do not end', 'GET /api/Notes HTTP/1.1\r\nHost: x\r\nX-Slow: '],
    [
      'a body that does not end',
      'POST /api/Notes HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 20\r\n\r\n{"title":'
    ]
  ]
  // Node looks for late requests every five seconds.
  await Promise.all(slow.map(async ([name, bytes]) => {
    const { head, body } = await send(url, bytes)
    t.ok(head.startsWith('HTTP/1.1 408 '), name)
    t.match(head, /^connection: close$/im)
    t.match(body, { error: { statusCode: 408, name: 'RequestTimeoutError', message: String } }, name)
  }))
  t.equal((await fetch(`${url}/api/Notes`)).status, 200, 'it goes on')
})

t.test('too much body: 413 over the wire, as it comes and after it is expanded', async t => {
  const server = await createServer(folder(t, { remoting: { json: { limit: '1kb' } } }), { log: false })
  t.teardown(() => server.stop())
  const url = await server.start()
  const post = (rest: string): Promise<{ head: string, body: any }> =>
    send(url, `POST /api/Notes HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Type: application/json\r\n${rest}`)
  const long = JSON.stringify({ title: 'x'.repeat(2000) })
  const packed = gzipSync(JSON.stringify({ title: 'x'.repeat(200_000) }))
  const tooLarge = { error: { statusCode: 413, name: 'PayloadTooLargeError', message: 'request entity too large' } }
  t.strictSame((await post(`Content-Length: ${long.length}\r\n\r\n${long}`)).body, tooLarge, 'by its length')
  t.strictSame(
    (await post(`Transfer-Encoding: chunked\r\n\r\n${long.length.toString(16)}\r\n${long}\r\n0\r\n\r\n`)).body,
    tooLarge,
    'in chunks'
  )
  t.ok(packed.length < 1024)
  t.strictSame(
    (await post(`Content-Encoding: gzip\r\nContent-Length: ${packed.length}\r\n\r\n${packed.toString('latin1')}`)).body,
    tooLarge,
    'expanded'
  )
  const huge = 'x'.repeat(8_000_000)
  for (let attempt = 0; attempt < 5; attempt++) {
    t.strictSame(
      (await post(`Content-Length: ${huge.length}\r\n\r\n${huge}`)).body,
      tooLarge,
      'the answer arrives although the client was still sending'
    )
    t.strictSame(
      (await post(`Transfer-Encoding: chunked\r\n\r\n${huge.length.toString(16)}\r\n${huge}\r\n0\r\n\r\n`)).body,
      tooLarge,
      'in chunks, too'
    )
  }
  t.match((await post('Content-Length: 13\r\n\r\n{"title":"x"}')).head, /^HTTP\/1.1 200 /)
})

t.test('limits of config.json', async t => {
  const { fastify, stop } = await createServer(
    folder(t, { queryLimits: { orderTerms: 1 }, remoting: { rest: { limits: { objectText: 50 } } } }),
    { log: false }
  )
  t.teardown(stop)
  const get = async (filter: object): Promise<unknown> =>
    (await fastify.inject(`/api/Notes?filter=${encodeURIComponent(JSON.stringify(filter))}`)).json()
  t.strictSame(await get({ order: 'title' }), [])
  t.match(await get({ order: ['title', 'id'] }), {
    error: { statusCode: 400, code: 'QUERY_LIMIT_EXCEEDED', message: /more than 1 order terms/ }
  })
  t.match(await get({ where: { title: 'x'.repeat(50) } }), {
    error: { statusCode: 400, code: 'INVALID_PARAMETER_VALUE', message: /50 characters/ }
  })
  await t.rejects(createServer(folder(t, { queryLimits: { order: 1 } }), { log: false }), {
    code: 'FBK_CORE_INVALID_SETTING',
    message: /queryLimits\.order" is not known/
  })
})

t.test('under pressure: 503 with Retry-After', async t => {
  const pressed = await createServer(
    folder(t, { server: { underPressure: { maxRssBytes: 1, retryAfter: 7, sampleInterval: 10 } } }),
    { log: false }
  )
  t.teardown(() => pressed.stop())
  let answer = await pressed.fastify.inject('/api/Notes')
  for (let tries = 0; tries < 3000 && answer.statusCode === 200; tries++) {
    await new Promise(resolve => setTimeout(resolve, 10))
    answer = await pressed.fastify.inject('/api/Notes')
  }
  t.match(answer, { statusCode: 503, headers: { 'retry-after': '7' } })
  t.strictSame(answer.json(), { error: { statusCode: 503, message: 'Service Unavailable' } })

  for (const underPressure of [true, false]) {
    const calm = await createServer(folder(t, { server: { underPressure } }), { log: false })
    t.equal((await calm.fastify.inject('/api/Notes')).statusCode, 200)
    t.equal(calm.fastify.hasDecorator('isUnderPressure'), underPressure)
    await calm.stop()
  }
  for (const [underPressure, message] of [
    [5, /must be true, false or an object/],
    [{ maxLoad: 1 }, /underPressure\.maxLoad" is not known/],
    [{ maxRssBytes: '1' }, /must be a number/]
  ] as const) {
    await t.rejects(createServer(folder(t, { server: { underPressure } }), { log: false }), {
      code: 'FBK_BOOT_INVALID_CONFIG',
      message
    })
  }
})
