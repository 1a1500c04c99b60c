import t from 'tap'
import { json, rest, service } from './service.js'

t.test('answers of 400 and above are errors of their own status (SC-E1, SC-E2)', async t => {
  const { base } = await service(t, ({ url }, req, res) => {
    const status = Number(url.slice(1))
    if (status === 404) res.writeHead(status).end('x'.repeat(3000))
    else json(res, status, { why: 'upstream' })
  })
  const operations = [{ template: { url: `${base}/{code}` }, functions: { get: ['code'] } }]
  const { call } = await rest(t, { operations })
  await t.rejects(async () => call.get?.(422), { statusCode: 422, message: '{"why":"upstream"}' })
  await t.rejects(async () => call.get?.(503), { statusCode: 503, message: '{"why":"upstream"}' })
  await t.rejects(async () => call.get?.(401), { statusCode: 401, message: '{"why":"upstream"}' })
  const long = await call.get?.(404).catch((error: unknown) => error) as Error
  t.equal(long.message.length, 2000)
  const { call: closed } = await rest(t, { operations, exposeErrors: false, credentialErrors: 'gateway' }, 'closed')
  await t.rejects(async () => closed.get?.(422), { statusCode: 422, message: 'Unprocessable Entity' })
  for (const code of [401, 403, 407]) {
    await t.rejects(async () => closed.get?.(code), { statusCode: 502, message: 'Bad Gateway' })
  }
})

t.test('JSON that is nested too deep is no response (SC-S9)', async t => {
  const deep = (levels: number) => '['.repeat(levels) + ']'.repeat(levels)
  const { base } = await service(t, ({ url }, req, res) => { res.end(url === '/text' ? JSON.stringify(deep(200) + '\\"') : deep(Number(url.slice(1)))) })
  const { call } = await rest(t, { operations: [{ template: { url: `${base}/{n}` }, functions: { get: ['n'] } }] })
  t.ok(Array.isArray(await call.get?.(100)))
  t.equal(await call.get?.('text'), deep(200) + '\\"', 'brackets of texts do not count')
  await t.rejects(async () => call.get?.(101), { statusCode: 502, code: 'BAD_GATEWAY' })
  await t.rejects(async () => call.get?.(1_000_000), { statusCode: 502, code: 'BAD_GATEWAY' })
})

t.test('hosts of callers need allowHosts, and public addresses (SC-S4)', async t => {
  const { port, seen } = await service(t)
  const operations = [{ template: { url: `http://{host}:${port}/x` }, functions: { get: ['host'] } }]
  const { call } = await rest(t, { operations, allowHosts: ['127.0.0.1', '*.localhost'] })
  t.match(await call.get?.('127.0.0.1'), { url: '/x' }, 'the configuration names it')
  await t.rejects(async () => call.get?.('169.254.169.254'), { statusCode: 400, code: 'HOST_NOT_ALLOWED' })
  await t.rejects(async () => call.get?.('a.localhost'), { statusCode: 502, code: 'BAD_GATEWAY' }, 'leads to this machine')
  t.throws(() => call.get?.('127.0.0.1/a?'), { statusCode: 400, code: 'INVALID_PATH_VALUE' })
  t.equal(seen.length, 1)
})

t.test('observers see each request, and may change, answer and refuse it (SC-H1 to SC-H3)', async t => {
  const { base, seen } = await service(t)
  const { call, dataSource } = await rest(t, {
    operations: [{ template: { url: `${base}/{a}`, query: { n: 1 } }, functions: { get: ['a'] } }]
  })
  const connector = dataSource.connector as unknown as {
    observe (name: string, observer: (ctx: any, next: (error?: unknown) => void) => unknown): void
    clearObservers (name: string): void
  }
  let statuses: unknown[] = []
  connector.observe('before execute', (ctx, next) => {
    ctx.req.headers['x-trace'] = '1'
    if (ctx.req.uri.endsWith('/refused')) return next(Object.assign(new Error('no'), { statusCode: 403 }))
    if (ctx.req.uri.endsWith('/answered')) return ctx.end(null, { statusCode: 200, headers: {} }, 'at once')
    ctx.req.qs.n++
    next()
  })
  connector.observe('after execute', async ctx => {
    statuses.push(ctx.res.statusCode)
    ctx.res.body.edited = true
    if (ctx.req.uri.endsWith('/swapped')) ctx.results = [ctx.res, 'another']
  })
  t.match(await call.get?.('x'), { url: '/x?n=2', headers: { 'x-trace': '1' }, edited: true })
  t.match(await call.get?.('x'), { url: '/x?n=2' }, 'what an observer changed is of one request')
  await t.rejects(async () => call.get?.('refused'), { message: 'no', statusCode: 403 })
  t.equal(await call.get?.('answered'), 'at once')
  t.equal(await call.get?.('swapped'), 'another')
  t.equal(seen.length, 3)
  t.strictSame(statuses, [200, 200, 200])
  statuses = []
  connector.clearObservers('before execute')
  connector.clearObservers('after execute')
  t.notOk((await call.get?.('x')).edited)
})
