/** What relations say of rows whose key leads to a row that goes: who hears of it, and what cannot be said. */
import t from 'tap'
import { ModelRegistry } from '@fastback/core'
import { memoryConnector } from '@fastback/connector-memory'
import { sqlConnector } from '@fastback/connector-sql'

type Loose = any

async function shop (t: Loose, connector: unknown, rule: string, more: object = {}): Promise<Loose> {
  const registry = new ModelRegistry()
  registry.defineDataSource('db', { connector: connector as typeof memoryConnector, url: 'sqlite::memory:' })
  registry.attach(registry.defineModel({
    name: 'Customer',
    properties: { name: 'string' },
    relations: { orders: { type: 'hasMany', model: 'Order', foreignKey: 'customerId', onDelete: rule as 'cascade' } }
  }), 'db')
  registry.attach(registry.defineModel({ name: 'Order', properties: { text: 'string' }, ...more }), 'db')
  await registry.start()
  t.teardown(() => registry.stop())
  return registry.models
}

t.test('hooks and change streams of rows that go along hear of it', async t => {
  const { Customer, Order } = await shop(t, memoryConnector, 'cascade')
  const told: unknown[] = []
  Order.observe('before delete', async (ctx: Loose) => { told.push(['before', ctx.where]) })
  Order.observe('after delete', async (ctx: Loose) => { told.push(['after', ctx.where, ctx.info]) })
  const { id } = await Customer.create({ name: 'a' })
  await Order.create([{ customerId: id }, { customerId: id }, { customerId: 7 }])
  await (await Customer.findById(id)).destroy()
  t.same(told, [['before', { id: { inq: [1, 2] } }], ['after', { id: { inq: [1, 2] } }, { count: 2 }]])
  t.equal(await Order.count(), 1)
})

t.test('an error of such a hook takes everything back where the store has transactions', async t => {
  const { Customer, Order } = await shop(t, sqlConnector, 'cascade')
  Order.observe('after delete', async () => { throw new Error('no') })
  const { id } = await Customer.create({ name: 'a' })
  await Order.create({ customerId: id })
  await t.rejects(Customer.destroyById(id), { message: 'no' })
  t.same([await Customer.count(), await Order.count()], [1, 1])
})

t.test('a row that the default scope hides does not keep a key that leads nowhere', async t => {
  const { Customer, Order } = await shop(t, memoryConnector, 'cascade', { scope: { where: { text: 'seen' } } })
  const { id } = await Customer.create({})
  await Order.create([{ customerId: id, text: 'hidden' }])
  await Customer.destroyAll()
  t.equal(await Order.dataSource.connector.count(Order.compiled, undefined, {}), 0)
})

t.test('within a transaction the rules are part of it', async t => {
  const { Customer, Order } = await shop(t, sqlConnector, 'setNull')
  const { id } = await Customer.create({})
  await Order.create({ customerId: id })
  for (const withOption of [true, false]) {
    if (withOption) {
      const transaction = await Customer.beginTransaction()
      await Customer.destroyById(id, { transaction })
      await transaction.rollback()
    } else {
      const bound = await Customer.dataSource.transaction()
      await bound.models.Customer.destroyById(id)
      await bound.rollback()
    }
    t.equal((await Order.findOne()).customerId, id)
  }
  await Customer.dataSource.transaction(async (models: Loose) => { await models.Customer.destroyById(id) })
  t.equal((await Order.findOne()).customerId, null)
})

t.test('a polymorphic hasMany follows its own rows only', async t => {
  const registry = new ModelRegistry()
  registry.defineDataSource('db', { connector: memoryConnector })
  for (const name of ['Person', 'Team']) {
    const pictures = { type: 'hasMany' as const, model: 'Picture', polymorphic: { selector: 'of' }, onDelete: 'cascade' as const }
    registry.attach(registry.defineModel({ name, relations: { pictures } }), 'db')
  }
  registry.attach(registry.defineModel({ name: 'Picture' }), 'db')
  await registry.start()
  const { Person, Team, Picture } = registry.models as Loose
  await Person.create({})
  await Team.create({})
  await Picture.create([{ ofId: 1, ofType: 'Person' }, { ofId: 1, ofType: 'Team' }])
  await Person.destroyAll()
  t.match(await Picture.find(), [{ ofType: 'Team' }])
})

t.test('what cannot be said is refused at the start', async t => {
  const wrong = { code: 'FBK_CORE_INVALID_DEFINITION' }
  await t.rejects(shop(t, memoryConnector, 'cascade', {
    relations: { customer: { type: 'belongsTo', model: 'Customer', foreignKey: 'customerId', onDelete: 'restrict' } }
  }), { ...wrong, message: /the other side of the relation says "/ })
  await t.rejects(shop(t, memoryConnector, 'setNull', { properties: { customerId: { type: 'number', required: true } } }), {
    ...wrong, message: /customerId.* is required, and a relation says "setNull"/
  })
  await t.rejects(shop(t, memoryConnector, 'delete'), { message: /onDelete/ })
  await t.rejects(shop(t, memoryConnector, 'cascade', {
    relations: { tags: { type: 'hasAndBelongsToMany', model: 'Customer', onDelete: 'cascade' } }
  }), { ...wrong, message: /is for belongsTo/ })
})
