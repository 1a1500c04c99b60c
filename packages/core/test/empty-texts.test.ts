/** Empty texts in definitions, as LoopBack's tools write them: as if they were absent. */
import t from 'tap'
import { ModelRegistry } from '@fastback/core'
import { memoryConnector } from '@fastback/connector-memory'

type Loose = any

t.test('empty texts say nothing', async t => {
  const registry = new ModelRegistry()
  registry.defineDataSource('db', { connector: memoryConnector })
  const define = (definition: Loose): Loose => registry.attach(registry.defineModel(definition), 'db')
  const Client = define({
    name: 'Client',
    plural: '',
    base: '',
    http: { path: '' },
    relations: {
      orders: { type: 'hasMany', model: 'Order', foreignKey: '', through: '', options: { http: { path: '' } } },
      address: { type: 'embedsOne', model: 'Address', property: '', as: '' }
    }
  })
  const Order = define({
    name: 'Order', options: { plural: '' }, relations: { client: { type: 'belongsTo', model: 'Client', foreignKey: '' } }
  })
  define({ name: 'Address', properties: { street: 'string' } })
  Order.belongsTo('payer', { model: 'Client', foreignKey: '', primaryKey: '' })
  await registry.start()
  t.teardown(() => registry.stop())
  t.equal(Client.pluralModelName, 'Clients')
  t.equal(Client.http.path, '/Clients')
  t.equal(Client.base.modelName, 'PersistedModel')
  t.equal(Order.pluralModelName, 'Orders')
  const { orders } = Client.relations
  t.same([orders.keyTo, orders.path], ['clientId', 'orders'])
  t.same([Order.relations.client.keyFrom, Order.relations.payer.keyFrom], ['clientId', 'payerId'])
  t.equal(Client.relations.address.keyFrom, '_address')
  const client = await Client.create({})
  t.equal((await client.orders.create({})).clientId, client.id)
})
