/** Key-value models in the process (behaviour.md, section 9), on the memory connector. */
import { setTimeout as wait } from 'node:timers/promises'
import t, { type Test } from 'tap'
import { ModelRegistry } from '@fastback/core'
import { memoryConnector } from '@fastback/connector-memory'
import { sqlConnector } from '@fastback/connector-sql'

type Loose = any

async function start (t: Test): Promise<{ Store: Loose, Other: Loose }> {
  const registry = new ModelRegistry()
  registry.defineDataSource('kv', { connector: memoryConnector })
  for (const name of ['Store', 'Other']) {
    registry.attach(registry.defineModel({ name, plural: `${name}s`, base: 'KeyValueModel' }), 'kv')
  }
  await registry.start()
  t.teardown(() => registry.stop())
  return registry.models as Loose
}

const missing = { statusCode: 404, code: 'KEY_NOT_FOUND' }

t.test('values', async t => {
  const { Store, Other } = await start(t)
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

t.test('time to live', async t => {
  const { Store } = await start(t)
  await Store.set('kept', 1, 40)
  await Store.set('kept', 2)
  await Store.set('short', 1, 40)
  await Store.set('object', 1, { ttl: 40 })
  await Store.set('long', 1, 600_000)
  await Store.set('later', 1)
  await Store.expire('later', 40)
  const left = await Store.ttl('long')
  t.ok(left > 0 && left <= 600_000, String(left))
  for (const gone of ['short', 'object', 'later']) {
    for (let tries = 0; tries < 3000 && await Store.get(gone) !== null; tries++) await wait(10)
    t.equal(await Store.get(gone), null)
    await t.rejects(Store.ttl(gone), missing)
    await t.rejects(Store.expire(gone, 1000), missing, 'what is over cannot be prolonged')
  }
  t.equal(await Store.get('kept'), 2, 'setting it again takes the time away')
  t.strictSame((await Store.keys()).sort(), ['kept', 'long'])
})

t.test('keys', async t => {
  const { Store, Other } = await start(t)
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
  await Store.deleteAll()
  t.strictSame(await Store.keys(), [])
  t.equal(await Other.get('a1'), 'other')
})

t.test('stores without keys', async t => {
  const registry = new ModelRegistry()
  registry.defineDataSource('db', { connector: sqlConnector, url: 'sqlite::memory:' })
  const Store = registry.defineModel({ name: 'Store', base: 'KeyValueModel' }) as Loose
  await t.rejects(Store.get('x'), { code: 'FBK_CORE_NOT_ATTACHED' })
  registry.attach(Store, 'db')
  await registry.start()
  await t.rejects(Store.get('x'), { code: 'FBK_CORE_NO_KEY_VALUE', message: /"db" \(connector "sql"\).*"Store"/ })
  await registry.stop()
})
