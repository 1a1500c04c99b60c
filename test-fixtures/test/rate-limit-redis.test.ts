/**
 * Limits of attempts that processes share through Redis (behaviour.md, B-15.12). Without a Redis server this is
 * skipped.
 */
import { createRequire } from 'node:module'
import { connect } from 'node:net'
import t, { type Test } from 'tap'
import Fastify from 'fastify'
import { core, ModelRegistry } from '@fastback/core'
import { memoryConnector } from '@fastback/connector-memory'
import { auth, installAuthModels } from '@fastback/auth'
import { rest } from '@fastback/rest'

interface Redis {
  keys(pattern: string): Promise<string[]>
  del(...keys: string[]): Promise<unknown>
  pttl(key: string): Promise<number>
  pexpire(key: string, milliseconds: number): Promise<unknown>
  exists(...keys: string[]): Promise<number>
  disconnect(): void
  on(event: string, listener: () => void): this
}

/** The client of the Redis connector. */
const { Redis: Client } = createRequire(new URL('../../packages/connector-redis/package.json', import.meta.url))(
  'ioredis'
) as { Redis: new (url: string, options?: object) => Redis }

/** Used when it is reachable; one that is asked for must be. */
const asked = process.env.FASTBACK_TEST_REDIS
const url = asked ?? 'redis://127.0.0.1:6379'
const answers = async (): Promise<boolean> => await new Promise(resolve => {
  const { hostname, port } = new URL(url)
  const socket = connect({ host: hostname, port: Number(port === '' ? 6379 : port) })
  socket.once('connect', () => { socket.destroy(); resolve(true) }).once('error', () => { resolve(false) })
})
const skip = asked === undefined && !await answers() ? 'no Redis server' : false

/** A name of this run's own. */
const somebody = `somebody-${process.pid}-${Date.now()}`

/** One of several processes with the same users. */
async function start (
  t: Test,
  redis: Redis,
  timeWindow: number
): Promise<(path: string, body?: object) => Promise<{ status: number; retry: number; code: unknown }>> {
  const registry = new ModelRegistry()
  registry.defineDataSource('db', { connector: memoryConnector })
  installAuthModels(registry)
  registry.attach('User', 'db', { public: true })
  registry.attach('AccessToken', 'db', { public: false })
  const app = Fastify()
  t.teardown(() => app.close())
  await app.register(core, { registry })
  await app.register(auth, {
    rateLimit: { account: { max: 3, timeWindow }, address: { max: 1000, timeWindow }, redis },
    hashing: { concurrency: 1 }
  })
  await registry.start()
  await app.register(rest, { prefix: '/api', accessControl: false, remoting: { errorHandler: { log: false } } })
  const address = await app.listen({ port: 0, host: '127.0.0.1' })
  return async (path, body) => {
    const response = await fetch(`${address}/api/Users${path}`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', connection: 'close' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) })
    })
    const text = await response.text()
    return {
      status: response.status,
      retry: Number(response.headers.get('retry-after')),
      code: text === '' ? undefined : (JSON.parse(text) as { error?: { code?: unknown } }).error?.code
    }
  }
}

t.test('processes that share a Redis share the limits; time gives them back', { skip }, async t => {
  const redis = new Client(url)
  t.teardown(async () => {
    const keys = await redis.keys(`*${somebody}*`)
    if (keys.length > 0) await redis.del(...keys)
    redis.disconnect()
  })
  const [one, two] = [await start(t, redis, 600_000), await start(t, redis, 600_000)]
  const login = { username: somebody, password: 'x' }
  t.same(
    [await one('/login', login), await two('/login', login), await one('/login', login)].map(({ status }) => status),
    [401, 401, 401]
  )
  const [refused, here] = [
    await two('/login', login),
    await one('/login', { ...login, username: somebody.toUpperCase() })
  ]
  t.match(refused, { status: 429, code: 'TOO_MANY_REQUESTS' }, 'in the other process')
  t.ok(refused.retry >= 1 && refused.retry <= 600, `Retry-After: ${refused.retry}`)
  t.equal(here.status, 429, 'whatever the letters')
  t.equal((await two('/login', { ...login, username: `${somebody}-other` })).status, 401, 'others are not concerned')
  t.equal((await two('/reset', { email: `${somebody}@x.test` })).status, 204, 'nor other methods')
  const keys = await redis.keys(`*${somebody}*`)
  t.ok(keys.length >= 2 && keys.every(key => key.startsWith('fastback-attempts-')), 'under a name of their own')
  for (const key of keys) t.ok(await redis.pttl(key) > 0, 'nothing stays for ever')
  // The window ends: its keys run out.
  for (const key of keys) await redis.pexpire(key, 1)
  while (await redis.exists(...keys) > 0);
  t.equal((await two('/login', login)).status, 401, 'later again')
})

t.test('what is right is given back in Redis, too, and its address is known to all processes', { skip }, async t => {
  const redis = new Client(url)
  const name = `${somebody}-right`
  t.teardown(async () => {
    const keys = await redis.keys(`*${name}*`)
    if (keys.length > 0) await redis.del(...keys)
    redis.disconnect()
  })
  const [one, two] = [await start(t, redis, 60_000), await start(t, redis, 60_000)]
  const right = { username: name, password: 'right' }
  for (const send of [one, two]) t.equal((await send('', { ...right, email: `${name}@x.test` })).status, 200)
  const answers: number[] = []
  for (let i = 0; i < 5; i++) answers.push((await (i % 2 === 0 ? one : two)('/login', right)).status)
  t.same(answers, [200, 200, 200, 200, 200])
  const wrong = { ...right, password: 'x' }
  for (const send of [one, two, one]) t.equal((await send('/login', wrong)).status, 401)
  t.equal((await two('/login', wrong)).status, 429, 'what was wrong counts for all')
  const ids = (await redis.keys('*')).filter(key => key.startsWith('fastback-attempts-known'))
  t.ok(ids.length > 0)
  for (const key of ids) t.ok(await redis.pttl(key) > 0, 'nothing stays for ever')
  await redis.del(...ids, ...await redis.keys('fastback-attempts-*at 127.0.0.1'))
})

t.test('attempts that nobody can count are refused, and nothing of Redis is told', async t => {
  const gone = new Client('redis://127.0.0.1:1', { enableOfflineQueue: false, retryStrategy: () => null }).on(
    'error',
    () => {}
  )
  t.teardown(() => { gone.disconnect() })
  const send = await start(t, gone, 1000)
  t.match(await send('/login', { username: somebody, password: 'x' }), { status: 503, code: 'SERVICE_UNAVAILABLE' })
})
