import { tracingChannel } from 'node:diagnostics_channel'
import { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { gzipSync } from 'node:zlib'
import t from 'tap'
import { readClientSettings, type ServiceTrace } from '@fastback/service-client'
import { client, echo, upstream } from './upstream.js'

const json = (body: Buffer): any => JSON.parse(body.toString())

t.test('a call sends what it says and gives the whole answer', async t => {
  const { base, port } = await upstream(t, echo)
  const answer = await client(t).request({
    name: 'make', method: 'POST', url: `${base}/a?b=1`, headers: { 'X-City': 'Oslo', cookie: ['a=1', 'b=2'] }, body: '{"c":1}'
  })
  t.match(answer, { statusCode: 200, headers: { 'content-type': 'application/json' }, url: `${base}/a?b=1` })
  t.match(json(answer.body), {
    method: 'POST', url: '/a?b=1', body: '{"c":1}', headers: { 'x-city': 'Oslo', host: `127.0.0.1:${port}` }
  })
})

t.test('streams go both ways', async t => {
  const { base } = await upstream(t, (req, res) => { req.pipe(res) })
  const answer = await client(t, { maxResponseSize: 10 }).request({
    name: 'copy', method: 'PUT', url: base, body: Readable.from(['a'.repeat(50), 'b'.repeat(50)]), stream: true
  })
  t.equal(await text(answer.body as Readable), 'a'.repeat(50) + 'b'.repeat(50), 'beyond maxResponseSize')
})

t.test('packed answers are unpacked; "gzip" asks for them', async t => {
  const { base } = await upstream(t, (req, res) => {
    res.setHeader('content-encoding', 'gzip')
    res.end(req.method === 'HEAD' ? undefined : gzipSync(String(req.headers['accept-encoding'])))
  })
  const asking = client(t, { gzip: true })
  const { body, headers } = await asking.request({ name: 'get', method: 'GET', url: base })
  t.equal(body.toString(), 'gzip, deflate, br')
  t.notOk(headers['content-encoding'])
  t.equal((await client(t).request({ name: 'get', method: 'GET', url: base })).body.toString(), 'undefined')
  t.equal((await asking.request({ name: 'head', method: 'HEAD', url: base })).body.length, 0)
})

t.test('credentials of settings and of addresses are sent as a header (SC-S8)', async t => {
  const { base, port } = await upstream(t, echo)
  const sent = async (settings: object, url = base) => {
    const answer = await client(t, settings).request({ name: 'get', method: 'GET', url })
    t.notMatch(answer.url, 's3cret')
    return json(answer.body).headers.authorization
  }
  const basic = `Basic ${Buffer.from('ann:s3cret').toString('base64')}`
  t.equal(await sent({ auth: { user: 'ann', pass: 's3cret' } }), basic)
  t.equal(await sent({ auth: { username: 'ann', password: 's3cret' } }), basic)
  t.equal(await sent({ auth: { bearer: 'abc' } }), 'Bearer abc')
  t.equal(await sent({}, `http://ann:s3cret@127.0.0.1:${port}/`), basic)
})

t.test('a header value that would be two is refused before anything is sent (SC-S3)', async t => {
  const { base, seen } = await upstream(t, echo)
  for (const value of ['a\r\nx-evil: 1', 'a\nb', 'a\0b', 'Łódź']) {
    const call = client(t).request({ name: 'get', method: 'GET', url: base, headers: { 'x-city': ['fine', value] } })
    await t.rejects(call, { statusCode: 400, code: 'INVALID_HEADER_VALUE' })
  }
  t.strictSame(seen, [])
})

t.test('calls are told of where somebody listens, and logged without values (LI-5)', async t => {
  const { base, port } = await upstream(t, echo)
  const traces: ServiceTrace[] = []
  const logged: object[] = []
  const subscriber = { asyncEnd: (trace: unknown) => { traces.push({ ...trace as ServiceTrace }) } } as never
  const channel = tracingChannel('fastback:service.call')
  channel.subscribe(subscriber)
  const calling = client(t, {}, { log: { debug: details => { logged.push(details) } } })
  await calling.request({ name: 'byCity', method: 'GET', url: `${base}/oslo?key=s3cret` })
  channel.unsubscribe(subscriber)
  await calling.request({ name: 'byCity', method: 'GET', url: base })
  const told = { dataSource: 'weather', operation: 'byCity', method: 'GET', host: `127.0.0.1:${port}`, status: 200 }
  t.match(traces, [{ ...told, milliseconds: Number }])
  t.equal(traces.length, 1)
  t.match(logged[0], { ...told, path: '/oslo' })
  t.notMatch(JSON.stringify(logged), 's3cret')
})

t.test('who traces adds headers, which go to the service and no further', async t => {
  // Seen to fail: ServiceClient without #propagating (nothing sent); ofOrigin without traceparent (sent elsewhere)
  const other = await upstream(t, echo)
  const { base } = await upstream(t, (req, res) => {
    if (req.url !== '/away') return echo(req, res)
    res.writeHead(302, { location: other.base }).end()
  })
  const channel = tracingChannel('fastback:service.call')
  const added: Record<string, string> = { traceparent: '00-1-2-01', tracestate: 'a=1' }
  const start = (trace: unknown): void => { Object.assign((trace as ServiceTrace).propagated, added) }
  const subscriber = { start } as never
  channel.subscribe(subscriber)
  t.teardown(() => { channel.unsubscribe(subscriber) })
  const calling = client(t, { followRedirect: true })
  const sent = async (call: object = {}) =>
    json((await calling.request({ name: 'get', method: 'GET', url: base, ...call })).body).headers
  t.match(await sent(), added)
  t.match(await sent({ headers: { Traceparent: 'own' } }), { traceparent: 'own', tracestate: 'a=1' })
  t.notOk((await sent({ url: `${base}/away` })).traceparent)
  added.tracestate = 'a\r\nx-evil: 1'
  await t.rejects(sent(), { code: 'INVALID_HEADER_VALUE' })
})

t.test('settings are checked, and others are left to the connector', async t => {
  t.strictSame(readClientSettings({ timeout: 5, baseURL: 'http://a', proxy: null }, 'weather'), { timeout: 5 })
  const refused = (settings: object, message: RegExp) => {
    t.throws(() => readClientSettings(settings, 'weather'), { code: 'FBK_CORE_DATA_SOURCE_SETTINGS', message })
  }
  refused({ timeout: -1 }, /"weather": the setting "timeout"/)
  refused({ retry: { attempts: 2, method: [] } }, /no setting "retry.method"/)
  refused({ allowHosts: ['*.*.org'] }, /allowHosts/)
})

t.test('close waits for calls under way; later ones are refused (LI-6)', async t => {
  const { base } = await upstream(t, (req, res) => { setTimeout(() => { res.end('late') }, 50) })
  const calling = client(t)
  const underWay = calling.request({ name: 'get', method: 'GET', url: base })
  await calling.close()
  t.equal((await underWay).body.toString(), 'late')
  const later = calling.request({ name: 'get', method: 'GET', url: base })
  await t.rejects(later, { statusCode: 503, code: 'SERVICE_UNAVAILABLE' })
  calling.open()
  t.equal((await calling.request({ name: 'get', method: 'GET', url: base })).body.toString(), 'late')
})
