/** The bus in a stream of Redis. Without a server it is skipped. */
import t from 'tap'
import { Redis } from 'ioredis'
import { ModelRegistry } from '@fastback/core'
import { redisBus, redisConnector } from '@fastback/connector-redis'
import { busSuite } from '@fastback/connector-tests'

/** Used when it is reachable; one that is asked for must be. */
const asked = process.env.FASTBACK_TEST_REDIS
const url = asked ?? 'redis://127.0.0.1:6379'
const admin = new Redis(url, { lazyConnect: true, retryStrategy: () => null })
admin.on('error', () => {})
const isThere = await admin.connect().then(() => true, () => false)
const prefix = `fastback-test-${process.pid}:`

function registryOf (bus: unknown): ModelRegistry {
  const registry = new ModelRegistry({ settings: { bus } })
  registry.busDrivers.set('redis', redisBus)
  return registry
}

t.test('redis', asked !== undefined || isThere ? {} : { skip: 'no Redis server' }, async t => {
  t.teardown(async () => {
    const keys = await admin.keys(`${prefix}*`)
    if (keys.length > 0) await admin.del(...keys)
    admin.disconnect()
  })
  const inRedis = { url, prefix }
  /** The connections of the members alone: they have their namespace's stream open, or wrote to it. */
  const cut = async (): Promise<void> => {
    for (const line of String(await admin.client('LIST')).trim().split('\n')) {
      const id = /\bid=(\d+)/.exec(line)?.[1]
      if (id !== undefined && /\bcmd=(xread|eval)\b/.test(line)) await admin.client('KILL', 'ID', id).catch(() => {})
    }
  }
  await busSuite(t, {
    name: 'Redis', registry: namespace => registryOf({ redis: inRedis, namespace }), cut, resumes: true
  })

  t.test('a stream that was lost is a gap, and begins anew', async t => {
    const [one, two] = [1, 2].map(() => registryOf({ redis: inRedis, namespace: 'lost' })) as [ModelRegistry, ModelRegistry]
    t.teardown(() => Promise.all([one.stop(), two.stop()]))
    await one.start()
    await two.start()
    const heard: unknown[] = []
    two.bus.subscribe('news', { message: each => { heard.push(each) }, reset: () => { heard.push('reset') } })
    const comes = async (what: unknown): Promise<void> => {
      while (!heard.includes(what)) await new Promise(resolve => setTimeout(resolve, 5))
    }
    one.bus.publish('news', 'a')
    await comes('a')
    await admin.del(...await admin.keys(`${prefix}{fastback-bus:lost}*`))
    one.bus.publish('news', 'b')
    await comes('b')
    t.strictSame(heard.slice(heard.indexOf('a')), ['a', 'reset', 'b'])
  })

  t.test('a data source of Redis is a setting, what is none is refused', async t => {
    const registry = registryOf({ redis: 'kv' })
    registry.defineDataSource('kv', { connector: redisConnector, url, prefix })
    await registry.start()
    t.equal(registry.bus.driver, 'redis')
    await registry.stop()
    for (const redis of [true, 'nowhere', []]) {
      await t.rejects(registryOf({ redis }).start(), { code: 'FBK_CORE_BUS_SETTINGS' })
    }
    await t.rejects(registryOf({ redis: { port: 'x' } }).start(), { code: 'FBK_CORE_DATA_SOURCE_SETTINGS' })
    await t.rejects(registryOf({ redis: 'redis://127.0.0.1:1' }).start())
  })
})
