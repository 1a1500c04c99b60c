/**
 * Key-value models in the process (behaviour.md, section 9): what the class adds. What a store does with values, their
 * time and patterns of keys is in `connector-tests/src/cases/values.ts`.
 */
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
  t.equal(await Store.set('k', { a: { b: 'é' } }), undefined)
  t.equal(await Other.get('k'), null, 'models have keys of their own')
  t.equal(await Store.get('none'), null)
  await Store.set('own', 1)
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
  const kept = { at: new Date(0), bytes: [Buffer.from('x')], $date: 'x', none: new Date(NaN), row: { toJSON: () => 7 } }
  await Store.set('typed', kept)
  const read = await Store.get('typed')
  t.strictSame(read, { ...kept, none: null, row: 7 }, 'dates and buffers, and what looks like their form')
  await Store.set('date', new Date(5))
  t.strictSame(await Store.get('date'), new Date(5))
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
  await Store.set('number', 1, 600_000)
  await Store.set('object', 1, { ttl: 600_000 })
  await Store.set('later', 1)
  t.equal(await Store.ttl('later'), undefined, 'it stays')
  await Store.expire('later', 600_000)
  for (const key of ['number', 'object', 'later']) {
    const left = await Store.ttl(key)
    t.ok(left > 0 && left <= 600_000, `${key}: ${String(left)}`)
  }
  await t.rejects(Store.ttl('none'), missing)
  await t.rejects(Store.expire('none', 100), missing)
})

t.test('keys', async t => {
  const { Store, Other } = await start(t)
  for (const key of ['a1', 'a2', 'b1']) await Store.set(key, key)
  await Other.set('a1', 'other')
  t.strictSame((await Store.keys()).sort(), ['a1', 'a2', 'b1'])
  t.strictSame((await Store.keys({ match: 'a?' })).sort(), ['a1', 'a2'])
  const iterator = Store.iterateKeys({ match: 'a?' })
  const found: string[] = []
  for (let key = await iterator.next(); key !== undefined; key = await iterator.next()) found.push(key)
  t.strictSame(found.sort(), ['a1', 'a2'])
  t.equal(await iterator.next(), undefined)
  const called = await new Promise(resolve => {
    Store.iterateKeys({ match: 'b*' }).next((error: unknown, key: unknown) => {
      resolve([error, key])
    })
  })
  t.strictSame(called, [null, 'b1'])
  const looped = []
  for await (const key of Store.iterateKeys({ match: '?1' })) looped.push(key)
  t.strictSame(looped.sort(), ['a1', 'b1'])
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
