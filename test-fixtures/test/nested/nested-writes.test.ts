/** Rows written with rows of their relations, on every store: what is stored, what is refused, all or nothing. */
import t from 'tap'
import { modelsOn, stores } from '../agreement-stores.js'

type Loose = any

const definitions = [
  {
    name: 'Order',
    version: true,
    properties: { title: { type: 'string', required: true, jsonSchema: { maxLength: 10 } } },
    relations: {
      items: { type: 'hasMany', model: 'Item', foreignKey: 'orderId', nestedWrite: true },
      notes: { type: 'hasMany', model: 'Remark', foreignKey: 'orderId', nestedWrite: 'replace' },
      invoice: { type: 'hasOne', model: 'Invoice', foreignKey: 'orderId', nestedWrite: 'replace' },
      customer: { type: 'belongsTo', model: 'Customer', nestedWrite: true },
      tags: { type: 'hasAndBelongsToMany', model: 'Tag', nestedWrite: 'replace' },
      plain: { type: 'hasMany', model: 'Item', foreignKey: 'orderId' }
    }
  },
  {
    name: 'Item',
    properties: { name: { type: 'string', required: true }, qty: { type: 'number', jsonSchema: { minimum: 0 } } },
    relations: {
      order: { type: 'belongsTo', model: 'Order' },
      parts: { type: 'hasMany', model: 'Part', foreignKey: 'itemId', nestedWrite: true }
    }
  },
  { name: 'Part', properties: { name: { type: 'string', required: true }, itemId: { type: 'number', required: true } } },
  { name: 'Remark', properties: { text: 'string' } },
  { name: 'Invoice', properties: { number: 'string' } },
  { name: 'Customer', properties: { name: { type: 'string', required: true } } },
  { name: 'Tag', properties: { name: { type: 'string', required: true } } }
]
const names = definitions.map(({ name }) => name)
/** What is put back counts as a write. */
const withoutVersions = (rows: string): string => rows.replaceAll(/"version":\d+/g, '')
const plain = (value: unknown): Loose => JSON.parse(JSON.stringify(value))

for (const [name, open] of stores) {
  if (name === 'sqlite beside memory') continue
  t.test(name, { timeout: 120_000 }, async t => {
    const opened = await open(t)
    if (opened === undefined) { t.pass('there is no such server'); return }
    const texts = name === 'mongodb'
    const given = plain(definitions)
    if (texts) given[2].properties.itemId.type = 'string'
    const { Order, Item, Part, Remark, Invoice, Customer, Tag } = await modelsOn(opened, t, given, names)
    const all = [Order, Item, Part, Remark, Invoice, Customer, Tag]
    const counts = async (): Promise<number[]> => await Promise.all(all.map(Model => Model.count()))
    const unknown = texts ? '507f1f77bcf86cd799439011' : 9999

    await t.test('a tree is made at once', async t => {
      const order = plain(await Order.create({
        title: 'a',
        customer: { name: 'Ann' },
        items: [{ name: 'x', qty: 1, parts: [{ name: 'p' }, { name: 'q' }] }, { name: 'y' }],
        invoice: { number: '1' },
        tags: [{ name: 'red' }, { name: 'blue' }],
        notes: []
      }))
      t.match(order, {
        title: 'a', customer: { name: 'Ann' }, invoice: { number: '1' }, notes: [],
        items: [{ name: 'x', parts: [{ name: 'p' }, { name: 'q' }] }, { name: 'y' }], tags: [{ name: 'red' }, { name: 'blue' }]
      })
      t.equal(order.customerId, order.customer.id)
      const read = plain(await Order.findById(order.id, { include: ['customer', { items: 'parts' }, 'invoice', 'tags'] }))
      t.match(read, { customer: { name: 'Ann' }, items: [{ parts: [{}, {}] }, { parts: [] }], tags: [{}, {}], invoice: { number: '1' } })
      t.equal(read.version, 1)
      t.strictSame(await counts(), [1, 2, 2, 0, 1, 1, 2])
    })

    await t.test('a patch makes, changes and links, and leaves the rest', async t => {
      const order = await Order.findOne({ include: ['items', 'tags'] })
      const [first, second] = plain(order).items
      const tag = await Tag.create({ name: 'green' })
      const patched = plain(await (await Order.findById(order.id)).patchAttributes({
        items: [{ id: first.id, qty: 7 }, { name: 'z', parts: [{ name: 'r' }] }], tags: [{ id: tag.id }]
      }))
      t.match(patched, { items: [{ name: 'x', qty: 7 }, { name: 'z', parts: [{ name: 'r' }] }], tags: [{ name: 'green' }] })
      t.equal(await Item.count({ orderId: order.id }), 3)
      t.match(await Item.findById(second.id), { name: 'y', orderId: order.id })
      t.equal(plain(await Order.findById(order.id, { include: 'tags' })).tags.length, 3)
      t.match(plain(await Order.findById(order.id, { include: 'customer' })), { customer: { name: 'Ann' } })
      const moved = plain(await (await Order.findById(order.id)).patchAttributes({ customer: { name: 'Ben' } }))
      t.match(plain(await Order.findById(order.id, { include: 'customer' })), { customer: { name: 'Ben' } })
      t.equal(await Customer.count(), 2)
      await (await Order.findById(order.id)).patchAttributes({ customer: { id: moved.customerId, name: 'Bob' } })
      t.match(await Customer.findById(moved.customerId), { name: 'Bob' })
      t.equal((await (await Order.findById(order.id)).patchAttributes({ customer: null })).customerId, null)
      t.match(plain(await (await Order.findById(order.id)).patchAttributes({ invoice: { number: '2' } })), { invoice: { number: '2' } })
      t.equal(await Invoice.count(), 1)
    })

    await t.test('a replacement removes what is not named, where the relation says so', async t => {
      const order = plain(await Order.create({ title: 'r', notes: [{ text: 'a' }, { text: 'b' }], items: [{ name: 'i' }], tags: [{ name: 't' }], invoice: { number: '3' } }))
      const tags = await Tag.count()
      const [, b] = order.notes
      const replaced = plain(await Order.replaceById(order.id, {
        title: 's', notes: [{ id: b.id, text: 'B' }, { text: 'c' }], items: [{ name: 'j' }], tags: [], invoice: null
      }))
      t.match(replaced, { title: 's', notes: [{ id: b.id, text: 'B' }, { text: 'c' }] })
      t.strictSame((await Remark.find({ where: { orderId: order.id }, order: 'text' })).map((each: Loose) => each.text), ['B', 'c'])
      t.equal(await Item.count({ orderId: order.id }), 2, 'items stay')
      t.equal(plain(await Order.findById(order.id, { include: 'tags' })).tags.length, 0)
      t.equal(await Tag.count(), tags, 'rows that were linked stay')
      t.equal(await Invoice.count({ orderId: order.id }), 0)
      await (await Order.findById(order.id)).patchAttributes({ notes: [{ text: 'd' }] })
      t.equal(await Remark.count({ orderId: order.id }), 3, 'a patch removes nothing')
      t.match(plain(await Order.replaceOrCreate({ id: order.id, title: 'u', notes: [] })), { title: 'u', notes: [] })
      t.equal(await Remark.count({ orderId: order.id }), 0)
    })

    await t.test('what is wrong is told of all rows, and nothing is stored', async t => {
      const before = await counts()
      await t.rejects(Order.create({ title: 'much too long for it', items: [{ qty: 1 }, { name: 'x', qty: -1, parts: [{}] }], customer: {}, tags: [{}] }), {
        statusCode: 422,
        violations: [
          { path: '.title' }, { path: '.items[0]', code: 'required' }, { path: '.items[1].qty' }, { path: '.items[1].parts[0]' },
          { path: '.customer' }, { path: '.tags[0]' }
        ]
      } as Loose)
      await t.rejects(Order.create([{ title: 'a', items: [{ name: 'a' }] }, { title: 'b', items: [{}] }]), { violations: [{ path: '[1].items[0]' }] } as Loose)
      const one = plain(await Order.create({ title: 'one', items: [{ name: 'mine' }] }))
      const two = plain(await Order.create({ title: 'two', items: [{ name: 'his' }] }))
      const stranger = two.items[0].id
      for (const items of [[{ id: stranger, name: 'stolen' }], [{ id: unknown, name: 'x' }], [{ id: one.items[0].id }, { id: one.items[0].id }]]) {
        await t.rejects((await Order.findById(one.id)).patchAttributes({ title: 'changed', items }), { statusCode: 422, violations: [{ path: /^\.items\[[01]\]/ }] } as Loose)
        await t.rejects(Order.replaceById(one.id, { title: 'changed', items }), { statusCode: 422 } as Loose)
      }
      await t.rejects(Order.create({ title: 'x', items: [{ id: stranger, name: 'stolen' }] }), { violations: [{ path: '.items[0].id', code: 'related' }] } as Loose)
      await t.rejects(Order.create({ title: 'x', tags: [{ id: unknown }] }), { violations: [{ path: '.tags[0].id' }] } as Loose)
      await t.rejects((await Order.findById(one.id)).patchAttributes({ items: [{ id: one.items[0].id, orderId: two.id, name: 'n' }] }), { code: 'FOREIGN_KEY_FIXED' })
      for (const items of [{}, 'x', [1], [null], [[]]]) await t.rejects(Order.create({ title: 'x', items }), { statusCode: 422 } as Loose)
      await t.rejects(Order.create({ title: 'x', plain: [{ name: 'x' }] }), { code: 'RELATED_ROWS_IN_DATA' })
      await t.rejects(Order.updateAll({ title: 'one' }, { items: [] }), { code: 'RELATED_ROWS_IN_DATA' })
      await t.rejects(Order.create({ title: 'x', items: Array.from({ length: 1001 }, () => ({ name: 'x' })) }), { code: 'NESTED_ROWS_LIMIT' })
      t.match(await Item.findById(stranger), { name: 'his', orderId: two.id })
      t.match(await Order.findById(one.id), { title: 'one', version: 1 })
      t.strictSame(await counts(), [before[0] as number + 2, before[1] as number + 2, ...before.slice(2)])
    })

    await t.test('a failure at any row takes all back', async t => {
      const tree = (): object => ({
        title: 'f', customer: { name: 'C' }, items: [{ name: '1', parts: [{ name: 'p' }] }, { name: '2' }], notes: [{ text: 'n' }],
        tags: [{ name: 't' }], invoice: { number: 'i' }
      })
      const order = plain(await Order.create(tree()))
      const rows = async (): Promise<string> => JSON.stringify(await Promise.all(all.map(Model => Model.find())))
      for (const Model of [Order, Customer, Item, Part, Remark, Tag, Invoice]) {
        // Without transactions a row that was stored before its hook failed stays, as it does by itself.
        const hook = Order.dataSource.connector.transactions === undefined ? 'before save' : 'after save'
        Model.observe(hook, async () => { throw new Error('no') })
        const before = await rows()
        await t.rejects(Order.create(tree()), { message: 'no' }, Model.modelName)
        await t.rejects((await Order.findById(order.id)).patchAttributes({
          ...tree(), title: 'g', items: [{ id: order.items[0].id, name: 'changed', parts: [{ name: 'p' }] }]
        }), { message: 'no' })
        await t.rejects(Order.replaceById(order.id, { ...tree(), title: 'g' }), { message: 'no' })
        t.equal(withoutVersions(await rows()), withoutVersions(before), `${Model.modelName} fails`)
        Model.clearObservers(hook)
      }
    })
  })
}
