/**
 * How code uses typed models: what is right compiles, what is wrong does not. Checked by `tsc` alone (`npm run types`).
 */
import { Type } from '@sinclair/typebox'
import { defineModel, type Instance, type ModelRegistry } from '@fastback/core'

type Equal<A, B> = (<T>() => T extends A ? 1 : 2) extends (<T>() => T extends B ? 1 : 2) ? true : false
const expect = <T extends true>(): T | undefined => undefined
const use = (..._values: unknown[]): void => {}

const Customer = defineModel({
  name: 'UsageCustomer',
  properties: Type.Object({ name: Type.String(), vip: Type.Optional(Type.Boolean()) }),
  relations: { orders: { type: 'hasMany', model: 'UsageOrder', foreignKey: 'customerId' } }
})
const Product = defineModel({
  name: 'UsageProduct',
  properties: { title: 'string', price: { type: 'number', required: true } }
})
const Item = defineModel({
  name: 'UsageItem',
  properties: { sku: { type: 'string', required: true }, qty: { type: 'number', required: true } },
  relations: {
    product: { type: 'belongsTo', model: 'UsageProduct' },
    order: { type: 'belongsTo', model: 'UsageOrder' }
  }
})
const Order = defineModel({
  name: 'UsageOrder',
  properties: { number: { type: 'string', required: true }, total: 'number', at: 'date', tags: ['string'] },
  relations: {
    customer: { type: 'belongsTo', model: 'UsageCustomer', foreignKey: 'customerId' },
    items: { type: 'hasMany', model: 'UsageItem', foreignKey: 'orderId' },
    products: { type: 'hasMany', model: 'UsageProduct', through: 'UsageItem' }
  }
})

declare module '@fastback/core' {
  interface ModelTypes {
    UsageCustomer: typeof Customer
    UsageProduct: typeof Product
    UsageItem: typeof Item
    UsageOrder: typeof Order
  }
}

declare const registry: ModelRegistry
const Orders = registry.defineModel(Order)
type Row = Instance<typeof Order>

/** Conditions on related rows have the names and types of the related model, at every level. */
async function related (): Promise<void> {
  await Orders.find({ where: { customer: { name: 'Ana', vip: true } } })
  await Orders.find({ where: { $search: 'fast "exact words"' }, order: ['$rank', 'at DESC'] })
  // @ts-expect-error words are a text
  await Orders.find({ where: { $search: 1 } })
  await Orders.find({ where: { customer: null } })
  await Orders.find({ where: { customer: { none: {} } } })
  await Orders.find({ where: { 'customer.name': { like: 'A%' } } })
  await Orders.find({ where: { items: { some: { qty: { gt: 1 }, product: { price: { lt: 9 } } } } } })
  await Orders.count({ or: [{ items: { every: { sku: 'x' } } }, { products: { none: { title: 'y' } } }] })
  // @ts-expect-error no such property of a customer
  await Orders.find({ where: { customer: { nam: 'Ana' } } })
  // @ts-expect-error a text
  await Orders.find({ where: { customer: { name: 1 } } })
  // @ts-expect-error a relation to several rows takes some, every or none
  await Orders.find({ where: { items: { qty: 1 } } })
  // @ts-expect-error no such quantifier
  await Orders.find({ where: { items: { any: { qty: 1 } } } })
  // @ts-expect-error no such property of an item
  await Orders.find({ where: { items: { some: { qyt: 1 } } } })
  // @ts-expect-error a number
  await Orders.find({ where: { items: { some: { product: { price: 'dear' } } } } })
  // @ts-expect-error no such relation
  await Orders.find({ where: { custmer: { name: 'Ana' } } })
  // @ts-expect-error several rows are never null
  await Orders.find({ where: { items: null } })
}

/** Rows that are only counted are not at hand, and their number is in the plain row. */
async function counted (): Promise<void> {
  const [o] = await Orders.find({ include: [{ relation: 'items', count: true }, 'customer'] })
  if (o === undefined) return
  const plain = o.toJSON()
  const items: number = plain.items.count
  const rows: Promise<Array<{ qty: number }>> = o.items()
  use(items, rows, o.customer()?.name)
  // @ts-expect-error no rows
  plain.items.map(item => item)
  // @ts-expect-error true or false
  await Orders.find({ include: [{ relation: 'items', count: 'all' }] })
}

/** What is included is at hand, nested includes too. */
async function included (): Promise<void> {
  const [o] = await Orders.find({
    include: [
      'customer',
      { relation: 'items', scope: { where: { qty: { gt: 1 } }, order: 'qty DESC', include: 'product' } }
    ]
  })
  if (o === undefined) return
  const name: string | undefined = o.customer()?.name
  const qty: number | undefined = o.items()[0]?.qty
  const price: number | undefined = o.items()[0]?.product()?.price
  const json = o.toJSON()
  use(name, qty, price, json.items[0]?.product?.price, json.customer?.name)
  // @ts-expect-error not included
  use(o.toJSON().products)
}

/** Names and values that models do not have. */
async function wrong (o: Row): Promise<void> {
  // @ts-expect-error no such relation
  await Orders.find({ include: [{ relation: 'itms' }] })
  // @ts-expect-error no such relation
  await Orders.find({ include: { itms: 'product' } })
  // @ts-expect-error no such relation of the related model
  await Orders.find({ include: { items: 'prodct' } })
  // @ts-expect-error no such property to order by
  await Orders.find({ include: [{ relation: 'items', scope: { order: 'qyt' } }] })
  // @ts-expect-error no such property
  await Orders.find({ include: [{ relation: 'items', scope: { fields: ['qyt'] } }] })
  // @ts-expect-error a number has no like
  await Orders.find({ include: [{ relation: 'items', scope: { where: { qty: { like: 'x' } } } }] })
  // @ts-expect-error no such relation, one level down
  await Orders.find({ include: [{ relation: 'items', scope: { include: 'prodct' } }] })
  // @ts-expect-error no such property
  await Orders.find({ fields: ['nmuber'] })
  // @ts-expect-error no such property
  await Orders.find({ fields: { nmuber: true } })
  // @ts-expect-error no such property within and
  await Orders.find({ where: { and: [{ totl: 1 }] } })
  // @ts-expect-error no such key of a filter
  await Orders.find({ lmit: 5 })
  // @ts-expect-error no such operator
  await Orders.find({ where: { total: { gtt: 5 } } })
  // @ts-expect-error no such direction
  await Orders.find({ order: ['total DSC'] })
  // @ts-expect-error no such relation
  await Orders.findOne({ include: 'custmer' })
  // @ts-expect-error no such relation
  await Orders.findById(1, { include: 'custmer' })
  // @ts-expect-error no such property
  await Orders.count({ totl: 5 })
  // @ts-expect-error no such property
  await Orders.updateAll({ totl: 5 }, { total: 1 })
  // @ts-expect-error no such property to set
  await Orders.updateAll({ total: 5 }, { totl: 1 })
  // @ts-expect-error no such property
  await Orders.destroyAll({ totl: 5 })
  // @ts-expect-error a required property is missing
  await o.items.create({ sku: 'x' })
  // @ts-expect-error no such property of the related model
  await o.items.find({ where: { qyt: 1 } })
  // @ts-expect-error no such property of the related model
  await o.items.count({ qyt: 1 })
  // @ts-expect-error not among the fields
  use((await Orders.find({ fields: ['number'] }))[0]?.total)
  // @ts-expect-error left out by fields
  use((await Orders.find({ fields: { total: false } }))[0]?.total)
  // @ts-expect-error no such property
  Orders.validatesPresenceOf('nmuber')
  // @ts-expect-error no such property
  Orders.observe('before save', async context => { use(context.instance?.nmuber.length) })
  // @ts-expect-error a value of another type
  await o.updateAttribute('total', {})
  // @ts-expect-error no such relation
  Orders.nestRemoting('itms')
}

/** What reads, relations and declarations give. */
async function right (o: Row): Promise<void> {
  await o.items.find({ where: { qty: { between: [1, 2] } }, include: 'product', limit: 1 })
  const made = await o.items.create({ sku: 'x', qty: 1 })
  expect<Equal<typeof made.qty, number>>()
  const cust = await o.customer.get()
  use(cust?.vip)
  const one = await Orders.findById(1, { include: ['customer'] })
  use(one?.customer()?.name)
  const many = await o.items.create([{ sku: 'x', qty: 1 }])
  use(many[0]?.qty)
  await o.items.updateAll({ qty: 1 }, { qty: 2 })
  await o.products.add(1, { qty: 4 })
  await Orders.upsert({ id: 1, total: 4 })
  await Orders.findOrCreate({ where: { number: 'x' } }, { number: 'x' })
  await Orders.patchById(1, { total: 5 })
  Orders.validatesPresenceOf('number')
  Orders.validatesUniquenessOf('number', { ignoreCase: true })
  Orders.observe('before save', async ctx => { use(ctx.instance?.number.length, ctx.data?.total?.toFixed()) })
  Orders.beforeRemote('create', async ctx => { use(ctx.args, ctx.request.headers) })
  Orders.remoteMethod('x', { http: { verb: 'get' } })
  Orders.remoteMethod('y', { accepts: Type.Object({ since: Type.Date() }), returns: Type.Object({ n: Type.Integer() }) })
  // @ts-expect-error -- arguments are members of an object
  Orders.remoteMethod('z', { accepts: Type.Date() })
  await Orders.transaction(async ({ transaction }) => await Orders.find({}, { transaction }))
  const { db } = registry.dataSources
  const numbers = await db?.transaction(async ({ UsageOrder, UsageProduct }) => {
    await UsageProduct.create({ title: 'x', price: 1 })
    // @ts-expect-error -- the models of a transaction are typed as those of the application
    await UsageProduct.create({ title: 'x', price: 'dear' })
    return (await UsageOrder.find()).map(({ number }) => number)
  }, { isolationLevel: 'SERIALIZABLE', timeout: 1000, retry: { attempts: 3 } })
  expect<Equal<typeof numbers, string[] | undefined>>()
  // @ts-expect-error -- there is no such model
  await db?.transaction(async ({ UsageNothing }) => { use(UsageNothing) })
  // @ts-expect-error -- "retry" has attempts and delays
  await db?.transaction(async () => {}, { retry: { times: 3 } })
  const whole = await Orders.beginTransaction({ timeout: 100 })
  const count: number = await whole.savepoint(async part => await Orders.count({}, { transaction: part }))
  use(count)
  for (const each of await Orders.find({ where: { id: { inq: [1, 2] } } })) use(each.number)
  await Orders.find({ where: { customerId: 1 } })
  await Orders.find({ order: 'items.qty' })
  await Orders.deleteAll({ total: 1 })
  await Orders.create({ number: 'x', at: '2020-01-01' })
  await Orders.patchOrCreate({ number: 'x' })
  await one?.updateAttribute('total', 5)
}

use(related, counted, included, wrong, right)

/** The version of a row is a number that nobody needs to say, and that writes may expect. */
const Counted = defineModel({ name: 'UsageCounted', version: true, properties: { title: { type: 'string', required: true } } })
const Named = defineModel({ name: 'UsageNamed', version: 'rev', properties: { title: 'string', rev: 'number' } })
async function versions (): Promise<void> {
  const Counts = registry.defineModel(Counted)
  const row = await Counts.create({ title: 'a' })
  use(row.version.toFixed(), (await registry.defineModel(Named).findOne())?.rev.toFixed())
  await Counts.find({ where: { version: { gt: 1 } }, order: 'version DESC' })
  await row.patchAttributes({ title: 'b' }, { ifVersion: row.version })
  // @ts-expect-error a version is a number
  await row.patchAttributes({ title: 'b' }, { ifVersion: 'one' })
  // @ts-expect-error no such property
  use(row.rev)
}
use(versions)
