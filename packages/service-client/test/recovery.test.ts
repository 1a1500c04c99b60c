import { setTimeout as pause } from 'node:timers/promises'
import t from 'tap'
import { client, upstream } from './upstream.js'

/** Answers the statuses one after the other, then 200. */
const failing = (statuses: number[], headers = {}) => (req: unknown, res: any) => {
  const status = statuses.shift() ?? 200
  res.writeHead(status, headers)
  res.end(String(status))
}

t.test('nothing is tried twice unless "retry" says so (SC-E6)', async t => {
  const { base, seen } = await upstream(t, failing([503]))
  t.equal((await client(t).request({ name: 'get', method: 'GET', url: base })).statusCode, 503)
  t.equal(seen.length, 1)
})

t.test('"retry" tries idempotent calls again (LI-2)', async t => {
  const retry = { attempts: 3, minDelay: 1 }
  const { base, seen } = await upstream(t, failing([503, 502, 200, 503, 200, 503, 503, 503, 500, 503, 200]))
  const calling = client(t, { retry })
  const call = { name: 'x', method: 'GET', url: base } as const
  t.equal((await calling.request(call)).statusCode, 200)
  t.equal(seen.length, 3)
  t.equal((await calling.request({ ...call, method: 'POST', body: 'a', idempotent: true })).statusCode, 200)
  t.equal(seen.length, 5)
  t.equal((await calling.request(call)).statusCode, 503, 'the last answer')
  t.equal(seen.length, 8)
  t.equal((await calling.request(call)).statusCode, 500, 'not among the statuses')
  t.equal((await calling.request({ ...call, method: 'POST', body: 'a' })).statusCode, 503, 'not idempotent')
  t.equal(seen.length, 10)
})

t.test('connections that fail are tried again', async t => {
  let calls = 0
  const { base } = await upstream(t, (req, res) => {
    if (++calls < 3) req.socket.destroy()
    else res.end('at last')
  })
  const calling = client(t, { retry: { attempts: 3, minDelay: 1 } })
  t.equal((await calling.request({ name: 'get', method: 'GET', url: base })).body.toString(), 'at last')
})

t.test('Retry-After is obeyed, within the time of the call', async t => {
  const { base, seen } = await upstream(t, failing([503, 503], { 'retry-after': '1' }))
  const calling = client(t, { retry: { attempts: 3 }, timeout: 1500 })
  const start = performance.now()
  t.equal((await calling.request({ name: 'get', method: 'GET', url: base })).statusCode, 503, 'a second wait has no room')
  t.ok(performance.now() - start >= 990)
  t.equal(seen.length, 2)
})

t.test('the breaker opens, stays open, tries once and closes (LI-3)', async t => {
  const statuses = [500, 500, 500]
  const { base, seen } = await upstream(t, failing(statuses))
  const calling = client(t, { breaker: { failures: 2, within: 1000, open: 80 } })
  const call = { name: 'get', method: 'GET', url: base } as const
  const open = { statusCode: 503, code: 'SERVICE_UNAVAILABLE', retryAfter: 1 }
  await calling.request(call)
  await calling.request(call)
  await t.rejects(calling.request(call), open)
  t.equal(seen.length, 2, 'the service is left alone')
  await pause(100)
  const [trial, other] = await Promise.allSettled([calling.request(call), calling.request(call)])
  t.match(trial, { value: { statusCode: 500 } }, 'one trial, which fails')
  t.match(other, { reason: open })
  await t.rejects(calling.request(call), open)
  await pause(100)
  t.equal((await calling.request(call)).statusCode, 200)
  t.equal((await calling.request(call)).statusCode, 200)
})

t.test('4xx, and callers who go away, say nothing against a service', async t => {
  const { base } = await upstream(t, (req, res) => {
    if (req.url === '/slow') return
    res.writeHead(404)
    res.end()
  })
  const calling = client(t, { breaker: { failures: 1 } })
  const call = { name: 'get', method: 'GET', url: base } as const
  await calling.request(call)
  const gone = { ...call, url: `${base}/slow`, signal: AbortSignal.timeout(30) }
  await t.rejects(calling.request(gone), { name: 'TimeoutError' })
  t.equal((await calling.request(call)).statusCode, 404)
})
