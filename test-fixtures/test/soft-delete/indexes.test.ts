/** A table whose model gets `softDelete` later: its unique indexes become those of rows that are there. */
import t, { type Test } from 'tap'
import { ModelRegistry } from '@fastback/core'
import { createChangeStream } from '@fastback/core/remote'
import { stores, type Stores } from '../agreement-stores.js'

type Loose = any

const opened = async (t: Test, { main }: Stores, settings: object, migrate: string): Promise<Loose> => {
  const registry = new ModelRegistry({ log: { warn () {}, info () {}, debug () {} } as Loose })
  registry.defineDataSource('db', { ...main, migrate } as never)
  registry.defineModel({
    name: 'Page', strict: true, ...settings,
    properties: { slug: { type: 'string', index: { unique: true }, length: 50 }, alias: 'string' },
    validations: undefined
  } as never)
  registry.attach('Page', 'db')
  await registry.start()
  await registry.migrateAttached()
  t.teardown(async () => { await registry.stop() })
  return registry.models.Page
}

for (const [name, open] of stores.filter(([name]) => name === 'postgres' || name === 'mysql')) {
  t.test(name, async t => {
    const store = await open(t)
    if (store === undefined) { t.pass('there is no such server'); return }
    const before = await opened(t, store, {}, 'reset')
    await before.create({ slug: 'a' })
    await t.rejects(before.create({ slug: 'a' }), { statusCode: 422 } as Loose)
    await before.registry.stop()
    const Page = await opened(t, store, { softDelete: true }, 'update')
    t.equal(await Page.dataSource.isActual(), true, 'nothing is left to be changed')
    await t.rejects(Page.create({ slug: 'a' }), { statusCode: 422 } as Loose)
    await Page.deleteById(1)
    await Page.create({ slug: 'a' })
    await t.rejects(Page.create({ slug: 'a' }), { statusCode: 422 } as Loose)
    await t.rejects(Page.restoreById(1), { statusCode: 422 } as Loose)
    t.equal(await Page.count(), 1)
    await Page.registry.stop()
    if (store.done !== undefined) await store.done()
  })
}

t.test('streams tell a removal and a new row', async t => {
  const [, open] = stores[0] as typeof stores[number]
  const Page = await opened(t, await open(t) as Stores, { softDelete: true }, 'update')
  const stream = createChangeStream(Page, {}, {})
  const told: string[] = []
  stream.on('data', (change: Loose) => { told.push(change.type) })
  await Page.create({ slug: 'a' })
  await Page.deleteById(1)
  await Page.restoreById(1)
  await new Promise(resolve => { setTimeout(resolve, 50) })
  t.strictSame(told, ['create', 'remove', 'create'])
  stream.destroy()
})

t.test('a relation whose rows could not come back is refused at start', async t => {
  const registry = new ModelRegistry({ log: { warn () {}, info () {}, debug () {} } as Loose })
  registry.defineDataSource('db', (await (stores[0] as typeof stores[number])[1](t) as Stores).main as never)
  registry.defineModel({
    name: 'Page', softDelete: true,
    relations: { parts: { type: 'hasMany', model: 'Part', foreignKey: 'pageId', onDelete: 'cascade' } }
  } as never)
  registry.defineModel({ name: 'Part', properties: { pageId: 'number' } } as never)
  for (const name of ['Page', 'Part']) registry.attach(name, 'db')
  await t.rejects((async () => {
    await registry.start()
    await (registry.models.Page as Loose).deleteAll({})
  })(), { code: 'FBK_CORE_INVALID_DEFINITION' })
  await registry.stop()
})
