// The rows that the examples of the guides work on.
import assert from 'node:assert/strict'
import { memoryConnector } from '@fastback/connector-memory'
import { ModelRegistry } from '@fastback/core'

const registry = new ModelRegistry()
registry.defineDataSource('db', { connector: memoryConnector })
registry.defineModel({
  name: 'Shop',
  properties: { name: 'string', place: 'geopoint' },
  relations: { products: { type: 'hasMany', model: 'Product', foreignKey: 'shopId' } }
})
registry.defineModel({
  name: 'Product',
  properties: {
    name: 'string', price: 'number', stock: 'number', tags: ['string'], addedAt: 'date', size: 'object'
  },
  relations: { shop: { type: 'belongsTo', model: 'Shop', foreignKey: 'shopId' } }
})
for (const name of ['Shop', 'Product']) registry.attach(name, 'db')

export const { Shop, Product } = registry.models

await Shop.create([
  { name: 'Paris', place: { lat: 48.86, lng: 2.35 } },
  { name: 'Lyon', place: { lat: 45.76, lng: 4.84 } },
  { name: 'Rome', place: { lat: 41.9, lng: 12.5 } }
])
await Product.create([
  { name: 'Lamp', price: 25.5, stock: 3, tags: ['light', 'desk'], addedAt: '2026-01-05', size: { height: 40 }, shopId: 1 },
  { name: 'Chair', price: 60, stock: 0, tags: ['wood'], addedAt: '2026-02-10', size: { height: 90 }, shopId: 1 },
  { name: 'Table', price: 180, stock: 1, tags: ['wood', 'desk'], addedAt: '2026-02-20', size: { height: 75 }, shopId: 2 },
  { name: 'lamp oil', price: 8, stock: 12, addedAt: '2026-03-01', shopId: 2 },
  { name: '50% voucher', price: 10, stock: null, addedAt: '2026-03-15' }
])

/** The names of the rows that a filter finds. */
export const names = async filter => (await Product.find(filter)).map(product => product.name)

/** What conditions find is what the example says. */
export async function finds (where, expected) {
  assert.deepEqual(await names({ where }), expected)
}

/** What an example says is so. */
export async function gives (work, expected) {
  assert.deepEqual(JSON.parse(JSON.stringify(await work)), expected)
}
