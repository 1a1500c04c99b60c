/** Checked by `tsc` alone (`npm run types`): every line below fails to compile when a type is not what it should be. */
import { Type } from '@sinclair/typebox'
import { defineModel, type Model, type ModelRegistry, type Result, type TypedModels } from '@fastback/core'

type Equal<A, B> = (<T>() => T extends A ? 1 : 2) extends (<T>() => T extends B ? 1 : 2) ? true : false
const expect = <T extends true>(): T | undefined => undefined

const Customer = defineModel({
  name: 'TypedCustomer',
  properties: Type.Object({ name: Type.String(), vip: Type.Optional(Type.Boolean()) })
})
const Item = defineModel({
  name: 'TypedItem',
  properties: { sku: { type: 'string', required: true }, qty: { type: 'number', required: true } }
})
const Order = defineModel({
  name: 'TypedOrder',
  properties: Type.Object({
    number: Type.String(),
    total: Type.Optional(Type.Number()),
    placedAt: Type.Optional(Type.Date()),
    tags: Type.Optional(Type.Array(Type.String()))
  }),
  relations: {
    customer: { type: 'belongsTo', model: 'TypedCustomer', foreignKey: 'customerId' },
    items: { type: 'hasMany', model: 'TypedItem', foreignKey: 'orderId' }
  }
})

declare module '@fastback/core' {
  interface ModelTypes {
    TypedCustomer: typeof Customer
    TypedItem: typeof Item
    TypedOrder: typeof Order
  }
}

declare const registry: ModelRegistry
const Orders = registry.defineModel(Order)

// Rows, and what create takes
async function rows (): Promise<void> {
  const order = await Orders.create({ number: 'A-1', customerId: 7 })
  expect<Equal<typeof order.number, string>>()
  expect<Equal<typeof order.id, number>>()
  expect<Equal<typeof order.customerId, number | null | undefined>>()
  // @ts-expect-error a required property is missing
  await Orders.create({ total: 1 })
  // @ts-expect-error a value of another type
  await Orders.create({ number: 5 })
  // @ts-expect-error no such property
  await order.patchAttributes({ nmuber: 'A-2' })
  await Orders.findById(1)
  // @ts-expect-error ids are numbers
  await Orders.findById('x')
}

// Filters
async function filters (): Promise<void> {
  await Orders.find({
    where: { total: { gt: 5, lt: 10 }, number: { like: 'A-%' }, placedAt: { gte: '2020-01-01' }, tags: 'new' },
    order: ['total DESC', 'number'],
    limit: 10
  })
  await Orders.find({ where: { or: [{ number: 'A' }, { total: null }], 'meta.deep': 1 } })
  // @ts-expect-error no such property
  await Orders.find({ where: { totl: 5 } })
  // @ts-expect-error a value of another type
  await Orders.find({ where: { total: 'five' } })
  // @ts-expect-error text has no near
  await Orders.find({ where: { number: { near: '1,2' } } })
  // @ts-expect-error a number has no like
  await Orders.find({ where: { total: { like: '5%' } } })
  // @ts-expect-error no such property
  await Orders.find({ order: 'totl DESC' })
}

// Fields and include shape the result
async function results (): Promise<void> {
  const [picked] = await Orders.find({ fields: ['number', 'total'] })
  expect<Equal<ReturnType<NonNullable<typeof picked>['toJSON']>, { number: string, total?: number }>>()
  const [order] = await Orders.find({
    include: ['customer', { relation: 'items', scope: { where: { qty: { gt: 1 } }, fields: ['qty'] } }]
  })
  if (order === undefined) return
  expect<Equal<ReturnType<typeof order.toJSON>['items'], Array<{ qty: number }>>>()
  expect<Equal<NonNullable<ReturnType<typeof order.toJSON>['customer']>, { name: string, vip?: boolean, id: number }>>()
  const [item] = order.items()
  expect<Equal<NonNullable<typeof item>['qty'], number>>()
  const name: string | undefined = order.customer()?.name
  // @ts-expect-error not among the fields of the scope
  String(item?.sku)
  // @ts-expect-error no such relation
  await Orders.find({ include: ['custmer'] })
  // @ts-expect-error no such property in the related model
  await Orders.find({ include: [{ relation: 'items', scope: { where: { qyt: 1 } } }] })
  // Without include the accessor gives a promise.
  const [plain] = await Orders.find()
  const owner = await plain?.customer()
  expect<Equal<typeof owner extends { name: string } | null | undefined ? true : false, true>>()
  void name
}

expect<Equal<Result<typeof Order, { include: 'customer', fields: ['id'] }>['id'], number>>()

// A second registry is typed where it is read
declare const shop: TypedModels<{ Order: typeof Order }>
expect<Equal<typeof shop.Order, Model<typeof Order>>>()

void rows
void filters
void results
