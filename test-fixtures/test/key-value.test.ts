/**
 * Key-value models: the same in memory and in Redis, in the process and over HTTP (behaviour.md, section 9). Without a
 * Redis server its part is skipped.
 */
import { setTimeout as wait } from 'node:timers/promises'
import t, { type Test } from 'tap'
import Fastify from 'fastify'
import { core, ModelRegistry, type DataSourceSettings } from '@fastback/core'
import { memoryConnector } from '@fastback/connector-memory'
import { redisConnector } from '@fastback/connector-redis'
import { sqlConnector } from '@fastback/connector-sql'
import { rest } from '@fastback/rest'

type Loose = any

/** Used when it is reachable; one that is asked for must be. */
const asked = process.env.FASTBACK_TEST_REDIS
const url = asked ?? 'redis://127.0.0.1:6379'
const prefix = `fastback-test-${process.pid}-*[x]?\\:`

async function reachable (): Promise<boolean> {
  const connector = redisConnector(
    { connector: 'redis', url, connectTimeout: 1000 },
    { dataSource: 'kv', baseDir: '.', log: { warn () {}, info () {}, debug () {} } }
  )
  try {
    await connector.connect()
    await connector.ping()
    await connector.disconnect()
    return true
  } catch { return false }
}

async function start (t: Test, settings: DataSourceSettings) {
  const registry = new ModelRegistry()
  registry.defineDataSource('kv', settings)
  for (const name of ['Store', 'Other']) {
    registry.attach(registry.defineModel({ name, plural: `${name}s`, base: 'KeyValueModel' }), 'kv', { public: true })
  }
  const app = Fastify()
  await app.register(core, { registry })
  await registry.start()
  await app.register(rest, { prefix: '/api', remoting: { errorHandler: { log: false } } })
  const { Store, Other } = registry.models as Loose
  t.teardown(async () => {
    await Store.deleteAll()
    await Other.deleteAll()
    await app.close()
  })
  const send = async (
    method: 'GET' | 'PUT' | 'POST',
    url: string,
    payload?: unknown
  ): Promise<[status: number, body: Loose]> => {
    const response = await app.inject({
      method,
      url: `/api${url}`,
      ...(payload === undefined
        ? {}
        : { payload: JSON.stringify(payload), headers: { 'content-type': 'application/json' } })
    })
    return [response.statusCode, response.body === '' ? undefined : response.json()]
  }
  return { Store, Other, send }
}

const missing = { statusCode: 404, code: 'KEY_NOT_FOUND' }

async function suite (t: Test, settings: DataSourceSettings): Promise<void> {
  await t.test('in the process', async t => {
    const { Store, Other } = await start(t, settings)
    for (const value of ['text', 0, false, '', [1, null], { a: { b: 'é' } }]) {
      t.equal(await Store.set('k', value), undefined)
      t.strictSame(await Store.get('k'), value)
    }
    const given = { list: [1] }
    await Store.set('own', given)
    given.list.push(2)
    const read = await Store.get('own')
    read.list.push(3)
    t.strictSame(await Store.get('own'), { list: [1] }, 'nobody else holds what is stored')
    t.equal(await Other.get('own'), null, 'models have keys of their own')
    t.equal(await Store.get('none'), null)
    t.equal(await Store.ttl('k'), undefined, 'it stays')
    await t.rejects(Store.ttl('none'), missing)
    await t.rejects(Store.expire('none', 100), missing)
    t.equal(await Store.delete('own'), true)
    t.equal(await Store.delete('own'), false)
    const answer = await new Promise(resolve => {
      t.equal(
        Store.get('k', (error: unknown, value: unknown) => {
          resolve([error, value])
        }),
        undefined
      )
    })
    t.strictSame(answer, [null, { a: { b: 'é' } }])
    for (const bad of [0, -1, NaN, 'x', Infinity]) {
      await t.rejects(Store.set('k', 1, bad), { statusCode: 400 } as never, `ttl ${bad}`)
    }
    await t.rejects(Store.set('', 1), { statusCode: 400 } as never)
    await t.rejects(Store.set({ neq: 1 }, 1), { statusCode: 400 } as never)
    await t.rejects(Store.set('k', undefined), { statusCode: 400 } as never)
    await t.rejects(Store.keys({ match: { length: 1 } }), { statusCode: 400 } as never)
  })

  await t.test('time to live', async t => {
    const { Store } = await start(t, settings)
    await Store.set('short', 1, 40)
    await Store.set('object', 1, { ttl: 40 })
    await Store.set('long', 1, 60_000)
    await Store.set('kept', 1, 40)
    await Store.set('kept', 2)
    await Store.set('later', 1)
    await Store.expire('later', 40)
    const left = await Store.ttl('long')
    t.ok(left > 50_000 && left <= 60_000, String(left))
    await wait(80)
    for (const gone of ['short', 'object', 'later']) {
      t.equal(await Store.get(gone), null)
      await t.rejects(Store.ttl(gone), missing)
      await t.rejects(Store.expire(gone, 1000), missing, 'what is over cannot be prolonged')
    }
    t.equal(await Store.get('kept'), 2, 'setting it again takes the time away')
    t.strictSame((await Store.keys()).sort(), ['kept', 'long'])
  })

  await t.test('keys', async t => {
    const { Store, Other } = await start(t, settings)
    const keys = [
      'a1',
      'a2',
      'b1',
      'a%',
      'a_',
      'a*',
      'a?',
      'a[12]',
      'a\\1',
      'é1',
      '😀1',
      'x:y/z',
      ...Array.from({ length: 2500 }, (_, i) => `many-${i}`)
    ]
    await Promise.all(keys.map(async key => { await Store.set(key, key) }))
    await Other.set('a1', 'other')
    t.strictSame((await Store.keys()).sort(), [...keys].sort())
    const patterns: Array<[match: string, expected: string[]]> = [
      ['a?', ['a%', 'a*', 'a1', 'a2', 'a?', 'a_']],
      ['a1', ['a1']],
      ['*1', ['a1', 'a\\1', 'b1', 'é1', '😀1', ...keys.filter(key => /^many-.*1$/.test(key))]],
      ['a[12]', ['a[12]']],
      ['a\\1', ['a\\1']],
      ['a%', ['a%']],
      ['?1', ['a1', 'b1', 'é1', '😀1']],
      ['many-24*9', keys.filter(key => /^many-24.*9$/.test(key))],
      ['A*', []],
      ['', []]
    ]
    for (const [match, expected] of patterns) {
      t.strictSame((await Store.keys({ match })).sort(), [...expected].sort(), match)
    }
    const iterator = Store.iterateKeys({ match: 'a?' })
    const found: string[] = []
    for (let key = await iterator.next(); key !== undefined; key = await iterator.next()) found.push(key)
    t.equal(found.length, 6)
    t.equal(await iterator.next(), undefined)
    const called = await new Promise(resolve => {
      Store.iterateKeys({ match: 'b*' }).next((error: unknown, key: unknown) => {
        resolve([error, key])
      })
    })
    t.strictSame(called, [null, 'b1'])
    const looped = []
    for await (const key of Store.iterateKeys({ match: '?1' })) looped.push(key)
    t.equal(looped.length, 4)
    const began = Date.now()
    await Store.keys({ match: `${'a*'.repeat(60)}b` })
    t.ok(Date.now() - began < 1000, 'a hostile pattern takes linear time')
    await Store.deleteAll()
    t.strictSame(await Store.keys(), [])
    t.equal(await Other.get('a1'), 'other')
  })

  await t.test('over HTTP', async t => {
    const { send } = await start(t, settings)
    t.strictSame(await send('PUT', '/Stores/k1', { n: 1 }), [204, undefined])
    t.strictSame(await send('GET', '/Stores/k1'), [200, { n: 1 }])
    for (const value of ['text', 5, false, [1]]) {
      t.strictSame(await send('PUT', '/Stores/k2', value), [204, undefined])
      t.strictSame(await send('GET', '/Stores/k2'), [200, value])
    }
    t.match(await send('GET', '/Stores/none'), [
      404,
      { error: { statusCode: 404, code: 'KEY_NOT_FOUND', message: 'Unknown "Store" key "none".' } }
    ])
    t.strictSame(await send('GET', '/Stores/k1/ttl'), [204, undefined])
    t.match(await send('GET', '/Stores/none/ttl'), [404, { error: { code: 'KEY_NOT_FOUND' } }])
    t.strictSame(await send('PUT', '/Stores/k1/expire', { ttl: 5000 }), [204, undefined])
    const [status, left] = await send('GET', '/Stores/k1/ttl')
    t.ok(status === 200 && left > 4000 && left <= 5000)
    t.match(await send('PUT', '/Stores/none/expire', { ttl: 5000 }), [404, { error: { code: 'KEY_NOT_FOUND' } }])
    t.match(await send('PUT', '/Stores/k3?ttl=9000', 'v'), [204, undefined])
    t.ok((await send('GET', '/Stores/k3/ttl'))[1] > 8000)
    const [, keys] = await send('GET', '/Stores/keys')
    t.strictSame(keys.sort(), ['k1', 'k2', 'k3'])
    t.strictSame(await send('GET', `/Stores/keys?filter=${encodeURIComponent('{"match":"?1"}')}`), [200, ['k1']])
    t.strictSame(await send('PUT', `/Stores/${encodeURIComponent('a/b:ü')}`, 1), [204, undefined])
    t.strictSame(await send('GET', `/Stores/${encodeURIComponent('a/b:ü')}`), [200, 1])
    t.match(await send('PUT', '/Stores/k1'), [400, {}], 'a value is needed')
    t.match(await send('PUT', '/Stores/k1?ttl=-5', 1), [400, {}])
    t.match(await send('PUT', '/Stores/k1?ttl=x', 1), [400, {}])
    t.match(await send('PUT', '/Stores/k1/expire', {}), [422, {}])
    t.match(await send('GET', '/Stores/keys?filter=5'), [400, {}])
    t.match(await send('GET', `/Stores/keys?filter=${encodeURIComponent(`{"match":"${'*'.repeat(300)}"}`)}`), [400, {}])
    t.match(await send('POST', '/Stores', {}), [404, {}], 'there are no rows')
  })
}

t.test('memory', async t => { await suite(t, { connector: memoryConnector }) })

t.test('redis', asked !== undefined || await reachable() ? {} : { skip: 'no Redis server' }, async t => {
  await suite(t, { connector: redisConnector, url, prefix })

  await t.test('rows are refused at start', async t => {
    const registry = new ModelRegistry()
    registry.defineDataSource('kv', { connector: redisConnector, url })
    registry.attach(registry.defineModel({ name: 'Note' }), 'kv')
    await t.rejects(registry.start(), { code: 'FBK_REDIS_KEYS_ONLY', message: /"Note" must extend "KeyValueModel"/ })
    await registry.stop()
  })
})

t.test('stores without keys, servers that are not there, wrong settings', async t => {
  const registry = new ModelRegistry()
  registry.defineDataSource('db', { connector: sqlConnector, url: 'sqlite::memory:' })
  const Store = registry.defineModel({ name: 'Store', base: 'KeyValueModel' }) as Loose
  await t.rejects(Store.get('x'), { code: 'FBK_CORE_NOT_ATTACHED' })
  registry.attach(Store, 'db')
  await registry.start()
  await t.rejects(Store.get('x'), { code: 'FBK_CORE_NO_KEY_VALUE', message: /"db" \(connector "sql"\).*"Store"/ })
  await registry.stop()
  const away = new ModelRegistry()
  away.defineDataSource('kv', { connector: redisConnector, host: '127.0.0.1', port: 1 })
  await t.rejects(away.start(), { code: 'FBK_REDIS_NOT_REACHABLE', message: /"kv".*ECONNREFUSED/ })
  t.throws(() => away.defineDataSource('bad', { connector: redisConnector, port: 'x' }), {
    code: 'FBK_CORE_DATA_SOURCE_SETTINGS',
    message: /"port"/
  })
})
