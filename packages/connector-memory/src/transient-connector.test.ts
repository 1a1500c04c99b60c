import t from 'tap'
import { ModelRegistry } from '@fastback/core'
import { transientConnector } from './index.js'

type Loose = any

t.test('rows are given their id and forgotten; everything else of a model holds', async t => {
  const registry = new ModelRegistry()
  registry.defineDataSource('none', { connector: transientConnector, defaultIdType: 'number' })
  const Order = registry.defineModel({
    name: 'Order',
    properties: { number: { type: 'string', required: true }, state: { type: 'string', default: 'new' } },
    relations: {
      items: { type: 'hasMany', model: 'Item' },
      notes: { type: 'embedsMany', model: 'Note', property: 'noteList' }
    }
  }) as Loose
  const Item = registry.defineModel({
    name: 'Item',
    properties: { sku: { type: 'string', id: true, generated: true, useDefaultIdType: false } }
  }) as Loose
  const Note = registry.defineModel({ name: 'Note', properties: { text: { type: 'string', required: true } } }) as Loose
  for (const Model of [Order, Item, Note]) registry.attach(Model, 'none')
  await registry.start()
  t.teardown(() => registry.stop())
  const told: string[] = []
  for (const hook of ['before save', 'after save', 'before delete', 'after delete']) {
    Order.observe(hook, async () => {
      told.push(hook)
    })
  }

  t.match((await Order.create({ number: 'a' })).toJSON(), { id: Number, number: 'a', state: 'new', noteList: [] })
  const ids = (await Order.create([{ number: 'b' }, { number: 'c' }])).map(({ id }: Loose) => id)
  t.ok(new Set(ids).size === 2 && ids.every(Number.isSafeInteger), 'numbers that others are unlikely to have')
  t.match((await Item.create({})).sku, /^[0-9a-f]{24}$/)
  t.same(told.splice(0), ['before save', 'after save', 'before save', 'before save', 'after save', 'after save'])
  await t.rejects(Order.create({}), { statusCode: 422 } as never, 'validations hold')

  t.same(await Order.find({ where: { number: 'a' }, include: 'items' }), [])
  t.equal(await Order.findById(1), null)
  t.equal(await Order.findOne(), null)
  t.equal(await Order.count(), 0)
  t.equal(await Order.exists(1), false)
  t.same(await Order.updateAll({ number: 'a' }, { state: 'old' }), { count: 0 })
  t.same(await Order.destroyAll(), { count: 0 })
  t.same(await Order.destroyById(1), { count: 0 })
  await t.rejects(Order.replaceById(1, { number: 'x' }), { statusCode: 404 } as never)
  await t.rejects(Order.patchById(1, { state: 'x' }), { statusCode: 404 } as never)
  const [made, created] = await Order.findOrCreate({ where: { number: 'z' }, fields: ['number'] }, { number: 'z' })
  t.equal(made.number, 'z')
  t.equal(created, true)
  t.equal((await Order.upsertWithWhere({ number: 'y' }, { number: 'y' })).number, 'y')
  const order = await Order.create({ number: 'd', noteList: [{ id: 1, text: 'x' }] })
  t.equal(order.notes()[0].text, 'x', 'rows nested in it are instances')
  await t.rejects(Order.create({ number: 'd', noteList: [{ id: 1 }] }), { statusCode: 422 } as never)
  t.same(await order.items.find(), [])
  t.equal(await Order.dataSource.isActual(), true)
  await Order.dataSource.automigrate()
  await Order.dataSource.ping()
})

t.test('ids are random texts, also those of rows that are embedded', async t => {
  const registry = new ModelRegistry()
  registry.defineDataSource('none', { connector: transientConnector })
  const Order = registry.defineModel({
    name: 'Order', relations: { notes: { type: 'embedsMany', model: 'Note', property: 'noteList' } }
  }) as Loose
  const Note = registry.defineModel({ name: 'Note', properties: { text: 'string' }, forceId: false }) as Loose
  for (const Model of [Order, Note]) registry.attach(Model, 'none')
  const order = new Order()
  t.match(order.notes.build({ text: 'a' }).id, /^[0-9a-f]{24}$/)
  t.equal(order.notes.build({ id: 'home' }).id, 'home')
  t.equal(order.noteList[1].id, 'home', 'what is built is kept')
  await registry.stop()
})
