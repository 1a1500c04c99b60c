/** The suite on Redis, and what models say of it. Without a server its part is skipped. */
import t from 'tap'
import { ModelRegistry } from '@fastback/core'
import { redisConnector } from '@fastback/connector-redis'
import { connectorSuite } from '@fastback/connector-tests'

type Loose = any

/** Used when it is reachable; one that is asked for must be. */
const asked = process.env.FASTBACK_TEST_REDIS
const url = asked ?? 'redis://127.0.0.1:6379'
// A prefix with everything in it that patterns of Redis know.
const prefix = `fastback-test-${process.pid}-*[x]?\\:`
const context = { dataSource: 'kv', baseDir: '.', log: { warn () {}, info () {}, debug () {} } }

async function reachable (): Promise<boolean> {
  const connector = redisConnector({ connector: 'redis', url, connectTimeout: 1000 }, context)
  try {
    await connector.connect()
    await connector.ping()
    await connector.disconnect()
    return true
  } catch { return false }
}

t.test('redis', asked !== undefined || await reachable() ? {} : { skip: 'no Redis server' }, async t => {
  t.test('suite', async t => {
    await connectorSuite(t, {
      name: 'redis',
      make: () => redisConnector({ connector: 'redis', url, prefix }, context),
      claims: ['keyValue']
    })
  })

  t.test('models', async t => {
    const registry = new ModelRegistry()
    registry.defineDataSource('kv', { connector: redisConnector, url, prefix: `${prefix}models:` })
    registry.attach(registry.defineModel({ name: 'Store', base: 'KeyValueModel' }), 'kv')
    await registry.start()
    const { Store } = registry.models as Loose
    t.teardown(async () => {
      await Store.deleteAll()
      await registry.stop()
    })
    for (const key of ['a1', 'a2', 'b1']) await Store.set(key, { key }, { ttl: 600_000 })
    t.strictSame(await Store.get('a1'), { key: 'a1' })
    t.equal(await Store.get('none'), null)
    await t.rejects(Store.ttl('none'), { statusCode: 404, code: 'KEY_NOT_FOUND' })
    t.ok(await Store.ttl('a1') <= 600_000)
    t.strictSame((await Store.keys({ match: 'a?' })).sort(), ['a1', 'a2'])
    const iterator = Store.iterateKeys({ match: 'a?' })
    const found: string[] = []
    for (let key = await iterator.next(); key !== undefined; key = await iterator.next()) found.push(key)
    t.strictSame(found.sort(), ['a1', 'a2'])
    t.equal(await iterator.next(), undefined)
    const looped = []
    for await (const key of Store.iterateKeys({ match: '?1' })) looped.push(key)
    t.strictSame(looped.sort(), ['a1', 'b1'])
  })

  t.test('what was written is there for the next connection', async t => {
    for (const round of [1, 2]) {
      const registry = new ModelRegistry()
      registry.defineDataSource('kv', { connector: redisConnector, url, prefix: `${prefix}next:` })
      registry.attach(registry.defineModel({ name: 'Store', base: 'KeyValueModel' }), 'kv')
      await registry.start()
      const { Store } = registry.models as Loose
      if (round === 1) await Store.set('k', 'kept')
      else t.equal(await Store.get('k'), 'kept')
      if (round === 2) await Store.deleteAll()
      await registry.stop()
    }
  })

  t.test('rows are refused at start', async t => {
    const registry = new ModelRegistry()
    registry.defineDataSource('kv', { connector: redisConnector, url })
    registry.attach(registry.defineModel({ name: 'Note' }), 'kv')
    await t.rejects(registry.start(), { code: 'FBK_REDIS_KEYS_ONLY', message: /"Note" must extend "KeyValueModel"/ })
    await registry.stop()
  })
})

t.test('servers that are not there, wrong settings', async t => {
  const away = new ModelRegistry()
  away.defineDataSource('kv', { connector: redisConnector, host: '127.0.0.1', port: 1 })
  await t.rejects(away.start(), { code: 'FBK_REDIS_NOT_REACHABLE', message: /"kv".*ECONNREFUSED/ })
  t.equal(
    away.defineDataSource('no url', { connector: redisConnector, url: '', host: 'x' }).connector.name,
    'redis',
    'an empty url says nothing'
  )
  t.throws(() => away.defineDataSource('bad', { connector: redisConnector, port: 'x' }), {
    code: 'FBK_CORE_DATA_SOURCE_SETTINGS',
    message: /"port"/
  })
})
