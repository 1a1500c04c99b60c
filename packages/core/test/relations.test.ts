/** Relations in the process: every type, on a store that answers at once and on SQL. */
import t from 'tap'
import { ModelRegistry, ValidationError, type HookContext, type ModelClass } from '@fastback/core'
import { asRemote } from '@fastback/core/remote'
import { memoryConnector, transientConnector } from '@fastback/connector-memory'
import { sqlConnector } from '@fastback/connector-sql'

type Loose = any

/** An error with this status. */
const refused = (statusCode: number): Loose => ({ statusCode })
type Test = Loose

const stores: Record<string, Loose> = {
  memory: { connector: memoryConnector },
  sqlite: { connector: sqlConnector, url: 'sqlite::memory:' }
}

async function start (
  t: Test,
  store: Loose,
  definitions: Loose[],
  prepare: (models: Record<string, Loose>) => void = () => {}
): Promise<Record<string, Loose>> {
  const registry = new ModelRegistry()
  registry.defineDataSource('db', store)
  for (const definition of definitions) registry.attach(registry.defineModel(definition), 'db')
  prepare(registry.models)
  await registry.start()
  t.teardown(() => registry.stop())
  return registry.models as Record<string, Loose>
}

const plain = (value: unknown): Loose => JSON.parse(JSON.stringify(value))
const external = asRemote({})

/** What REST does: the method's data, called on the row. */
function rest (Model: ModelClass, name: string, instance: Loose, ...args: unknown[]): Loose {
  for (const relation of Model.state.relations.values()) {
    const method = relation.methods().find(each => each.name === name)
    if (method !== undefined) return method.call(instance, args, external)
  }
  throw new Error(`no method ${name}`)
}

const shop = [
  {
    name: 'Customer',
    hidden: ['pin'],
    properties: { name: { type: 'string', required: true }, pin: 'string' },
    relations: {
      orders: { type: 'hasMany', model: 'Order' },
      paid: { type: 'hasMany', model: 'Order', scope: { where: { state: 'paid' }, order: 'number DESC' } },
      profile: { type: 'hasOne', model: 'Profile' },
      address: { type: 'embedsOne', model: 'Address' },
      notes: { type: 'embedsMany', model: 'Note', property: 'noteList' },
      remarks: { type: 'embedsMany', model: 'Remark' }
    }
  },
  {
    name: 'Order',
    properties: { number: { type: 'string', required: true }, state: { type: 'string', default: 'new' } },
    relations: {
      customer: { type: 'belongsTo', model: 'Customer' },
      items: { type: 'hasMany', model: 'Item' },
      products: { type: 'hasMany', model: 'Product', through: 'Item' }
    }
  },
  {
    name: 'Item',
    properties: { quantity: { type: 'number', default: 1 } },
    relations: { order: { type: 'belongsTo', model: 'Order' }, product: { type: 'belongsTo', model: 'Product' } }
  },
  {
    name: 'Product',
    properties: { name: { type: 'string', required: true }, price: 'number' },
    relations: {
      orders: { type: 'hasMany', model: 'Order', through: 'Item' },
      suppliers: { type: 'hasAndBelongsToMany', model: 'Supplier' },
      tags: { type: 'referencesMany', model: 'Tag' },
      pictures: { type: 'hasMany', model: 'Picture', polymorphic: 'imageable' }
    }
  },
  {
    name: 'Supplier',
    properties: { name: 'string' },
    relations: { products: { type: 'hasAndBelongsToMany', model: 'Product' } }
  },
  {
    name: 'Tag',
    idInjection: false,
    forceId: false,
    properties: { slug: { type: 'string', id: true }, title: 'string' }
  },
  {
    name: 'Picture',
    properties: { url: 'string' },
    relations: { imageable: { type: 'belongsTo', polymorphic: true } }
  },
  {
    name: 'Profile',
    properties: { bio: { type: 'string', required: true } },
    relations: { customer: { type: 'belongsTo', model: 'Customer' } }
  },
  { name: 'Address', base: 'Model', properties: { street: { type: 'string', required: true }, city: 'string' } },
  {
    name: 'Note',
    base: 'Model',
    properties: { id: { type: 'number', id: true }, text: { type: 'string', required: true } }
  },
  { name: 'Remark', base: 'Model', properties: { id: { type: 'string', id: true }, text: 'string' } },
  { name: 'Stranger', properties: { name: 'string' } }
]

for (const [name, store] of Object.entries(stores)) {
  t.test(`${name}: belongsTo`, async t => {
    const { Customer, Order } = await start(t, store, shop)
    const ann = await Customer.create({ name: 'Ann' })
    const order = await Order.create({ number: 'A', customerId: ann.id })
    t.equal(
      Order.compiled.propertyByName.get('customerId').type.kind,
      'number',
      'the key is implied, with the type of the id'
    )
    const loaded = await order.customer.get()
    t.ok(loaded instanceof Customer)
    t.equal(loaded.name, 'Ann')
    t.equal(order.customer(), loaded, 'what was loaded is at hand')
    t.equal((await order.customer(true)).id, ann.id)
    await new Promise<void>(resolve => {
      const returned = order.customer((error: unknown, found: Loose) => {
        t.equal(error, null)
        t.equal(found.id, ann.id)
        resolve()
      })
      t.equal(returned, undefined)
    })
    await new Promise<void>(resolve =>
      order.customer.get({}, (_: unknown, found: Loose) => {
        t.equal(found.id, ann.id)
        resolve()
      })
    )
    t.equal(await order.customer({ where: { name: 'Bob' } }), null, 'a condition narrows')

    const bob = await order.customer.create({ name: 'Bob' })
    t.equal((await Order.findById(order.id)).customerId, bob.id, 'the new row is pointed at, and that is stored')
    await order.customer.update({ name: 'Bobby' })
    t.equal((await Customer.findById(bob.id)).name, 'Bobby')
    order.customer(ann)
    t.equal(order.customerId, ann.id)
    t.equal(order.customer(), ann)
    order.customerId = bob.id
    t.equal((await order.customer()).id, bob.id, 'what is at hand counts as long as the key points at it')
    order.customer(ann)
    t.equal(order.customer.build({ name: 'Cy' }).isNewRecord(), true)

    t.equal((await rest(Order, '__get__customer', order)).name, 'Ann')
    await order.updateAttributes({ customerId: 99 })
    t.equal(await rest(Order, '__get__customer', order), null, 'a key that leads nowhere')
    const loose = await Order.create({ number: 'B' })
    t.equal(await loose.customer.get(), undefined)
    t.same(await rest(Order, '__get__customer', loose), {}, 'a key that was never set')
    await order.updateAttributes({ customerId: ann.id })
    await order.customer.destroy()
    t.equal((await Order.findById(order.id)).customerId, null, 'only the pointer is gone')
    t.ok(await Customer.findById(ann.id))
    await t.rejects(order.customer.destroy(), refused(404))
  })

  t.test(`${name}: hasMany`, async t => {
    const { Customer, Order } = await start(t, store, shop)
    const [ann, bob] = await Customer.create([{ name: 'Ann' }, { name: 'Bob' }])
    const one = await ann.orders.create({ number: '1', customerId: bob.id })
    t.equal(one.customerId, ann.id, 'the relation sets the key')
    const more = await ann.orders.create([
      { number: '2', state: 'paid' },
      { number: '3', state: 'paid' }
    ])
    t.same(
      more.map((each: Loose) => each.customerId),
      [ann.id, ann.id]
    )
    const theirs = await bob.orders.create({ number: '9' })
    t.same(
      (await ann.orders.find()).map((each: Loose) => each.number),
      ['1', '2', '3']
    )
    t.ok((await ann.orders())[0] instanceof Order)
    t.same(
      (await ann.orders({ where: { state: 'paid' }, order: 'number DESC', limit: 1 })).map(
        (each: Loose) => each.number
      ),
      ['3']
    )
    t.same(await ann.orders({ where: { customerId: bob.id } }), [], 'a filter cannot leave the owner')
    t.same(
      (await ann.paid.find({ fields: ['number'] })).map((each: Loose) => plain(each)),
      [{ number: '3' }, { number: '2' }],
      "the relation's own condition and order"
    )
    t.equal(await ann.paid.count(), 2)
    t.equal(await ann.orders.count({ number: { inq: ['1', '9'] } }), 1)
    t.equal((await ann.orders.findOne({ order: 'number DESC' })).number, '3')
    t.equal((await ann.orders.findById(String(one.id))).number, '1')
    await t.rejects(ann.orders.findById(theirs.id), {
      statusCode: 404,
      message: `No instance with id ${theirs.id} found for Order`
    })
    t.equal(await ann.orders.exists(one.id), true)
    t.equal(await ann.orders.exists(theirs.id), false)
    for (const id of ['{"neq":0}', '%', { neq: 0 }, [one.id], '1e0x', null]) {
      await t.rejects(ann.orders.findById(id), refused(404), 'an id is one value')
    }

    t.equal((await ann.orders.updateById(one.id, { state: 'sent', customerId: ann.id })).state, 'sent')
    for (const move of [
      { customerId: bob.id },
      { customerId: null, state: 'x' },
      { customerId: { neq: 0 } },
      { customer: { id: bob.id } }
    ]) {
      await t.rejects(ann.orders.updateById(one.id, move), refused(400), 'a row is not moved to another owner')
    }
    t.same(await Order.findById(one.id).then((each: Loose) => [each.customerId, each.state]), [ann.id, 'sent'])
    await t.rejects(ann.orders.updateById(theirs.id, { state: 'x' }), refused(404))
    await t.rejects(ann.orders.destroy(theirs.id), refused(404))
    await t.rejects(ann.orders.create({ state: 'x' }), ValidationError)
    await t.rejects(ann.orders.create('text'), refused(400))
    await ann.orders.destroy(one.id)
    t.equal(await Order.findById(one.id), null)
    t.same(await ann.orders.updateAll({ number: '2' }, { state: 'void' }), { count: 1 })
    t.same(await ann.orders.destroyAll({ state: 'void' }), { count: 1 })
    await new Promise<void>(resolve =>
      ann.orders.destroyAll((error: unknown) => {
        t.equal(error, null)
        resolve()
      })
    )
    t.equal(await Order.count(), 1, 'those of others stay')

    const fresh = new Customer({ name: 'New' })
    await Order.create({ number: 'loose' })
    t.same(await fresh.orders.find(), [], "nobody's rows are not those of an unsaved owner")
    t.equal(await fresh.orders.count(), 0)
    await t.rejects(fresh.orders.create({ number: 'x' }), refused(400))
    t.same(await fresh.orders.destroyAll(), { count: 0 })
    t.equal(ann.orders.build({ number: 'b' }).customerId, ann.id)
    t.same((await ann.__get__orders()).length, 0)
  })

  t.test(`${name}: hasOne`, async t => {
    const { Customer, Profile } = await start(t, store, shop)
    const [ann, bob] = await Customer.create([{ name: 'Ann' }, { name: 'Bob' }])
    t.equal(await ann.profile.get(), null)
    t.throws(() => rest(Customer, '__get__profile', ann), {
      statusCode: 404,
      code: 'MODEL_NOT_FOUND',
      message: 'No "Profile" instance(s) found'
    })
    for (const change of ['update', 'destroy']) await t.rejects(ann.profile[change]({ bio: 'x' }), refused(404))
    await t.rejects(ann.profile.create({}), refused(422))
    const profile = await ann.profile.create({ bio: 'a', customerId: bob.id })
    t.equal(profile.customerId, ann.id)
    await t.rejects(ann.profile.create({ bio: 'second' }), refused(409))
    const race = await Promise.allSettled(Array.from({ length: 8 }, () => bob.profile.create({ bio: 'b' })))
    t.equal(race.filter(each => each.status === 'fulfilled').length, 1, 'one of eight at once')
    t.equal((await ann.profile.update({ bio: 'aa', customerId: ann.id })).bio, 'aa')
    await t.rejects(ann.profile.update({ customerId: bob.id }), refused(400))
    t.equal((await ann.profile()).bio, 'aa')
    await ann.profile.destroy()
    t.equal(await ann.profile.get(), null)
    t.equal(await Profile.count(), 1)
  })

  t.test(`${name}: hasMany through`, async t => {
    const { Order, Product, Item } = await start(t, store, shop)
    const [first, second] = await Order.create([{ number: '1' }, { number: '2' }])
    const [mug, pot] = await Product.create([
      { name: 'Mug', price: 5 },
      { name: 'Pot', price: 9 }
    ])
    const item = await first.products.add(pot.id, { quantity: 3 })
    t.same([item.orderId, item.productId, item.quantity], [first.id, pot.id, 3])
    t.equal((await first.products.add(pot)).id, item.id, 'a link is made once')
    await first.products.add(mug)
    const raced = await Promise.all(Array.from({ length: 8 }, () => second.products.add(mug.id)))
    t.equal(new Set(raced.map(each => each.id)).size, 1, 'also when made eight times at once')
    await t.rejects(first.products.add(99), refused(404))
    await t.rejects(first.products.add(mug.id, { orderId: second.id }), refused(400))
    await t.rejects(first.products.add(mug.id, { order: { id: second.id } }), refused(400))
    t.same(
      (await first.products.find()).map((each: Loose) => each.name),
      ['Mug', 'Pot'],
      'in the order of their ids'
    )
    t.same(
      (await first.products({ where: { price: { gt: 6 } } })).map((each: Loose) => each.name),
      ['Pot']
    )
    t.equal(await first.products.count({ price: { gt: 6 } }), 1)
    await Item.create({ orderId: first.id, productId: pot.id })
    t.equal(await first.products.count(), 2, 'a row that is joined twice counts once')
    t.equal((await first.products.find()).length, 2)
    t.same(
      (await mug.orders.find()).map((each: Loose) => each.number),
      ['1', '2']
    )
    t.equal(await second.products.exists(pot.id), false)
    await t.rejects(second.products.findById(pot.id), {
      statusCode: 404,
      message: `No relation found in Item for (Order.${second.id},Product.${pot.id})`
    })
    t.equal((await first.products.updateById(pot.id, { price: 10 })).price, 10)
    await first.products.remove(pot.id)
    t.equal(await Item.count({ productId: pot.id }), 0)
    await first.products.remove(pot.id)
    const made = await second.products.create([{ name: 'Cup' }, { name: 'Can' }])
    t.same(
      (await second.products.find()).map((each: Loose) => each.name),
      ['Mug', 'Cup', 'Can']
    )
    await second.products.destroy(made[0].id)
    t.equal(await Product.findById(made[0].id), null, 'one row is deleted with its link')
    await second.products.destroyAll({ name: 'Can' })
    t.ok(await Product.findById(made[1].id), 'all at once, only the links go')
    await second.products.destroyAll()
    t.equal(await second.products.count(), 0)
    t.equal(await Product.count(), 3)
    Item.observe('before save', () => {
      throw Object.assign(new Error('closed'), { statusCode: 403 })
    })
    await t.rejects(first.products.create({ name: 'Lost' }), refused(403))
    t.equal(await Product.count(), 3, 'what could not be linked is not kept')
    t.throws(() => rest(Order, '__exists__products', second, String(mug.id)), refused(404))
    t.equal(await rest(Order, '__exists__products', first, String(mug.id)), true)
  })

  t.test(`${name}: hasAndBelongsToMany`, async t => {
    const models = await start(t, store, shop)
    const { Product, Supplier } = models
    t.ok(models.SupplierProduct, 'named after the side that was attached last')
    t.equal(models.SupplierProduct.dataSource, Product.dataSource)
    const mug = await Product.create({ name: 'Mug' })
    const clay = await mug.suppliers.create({ name: 'Clay' })
    const other = await Supplier.create({ name: 'Other' })
    t.same(plain(await mug.suppliers.add(other)), { id: 2, productId: mug.id, supplierId: other.id })
    t.same(
      (await clay.products.find()).map((each: Loose) => each.name),
      ['Mug']
    )
    await mug.suppliers.remove(clay)
    t.same(
      (await mug.suppliers.find()).map((each: Loose) => each.name),
      ['Other']
    )
    t.equal(await models.SupplierProduct.count(), 1)
  })

  t.test(`${name}: referencesMany`, async t => {
    const { Product, Tag } = await start(t, store, shop)
    await Tag.create([
      { slug: 'a', title: 'A' },
      { slug: 'b', title: 'B' },
      { slug: 'c', title: 'C' }
    ])
    const mug = await Product.create({ name: 'Mug', tagIds: ['b', 'a'] })
    t.same((await Product.create({ name: 'Bare' })).tagIds, [], 'the list is there from the start')
    const slugs = async (...args: unknown[]): Promise<unknown[]> =>
      (await mug.tags.find(...args)).map((each: Loose) => each.slug)
    t.same(await slugs(), ['b', 'a'], 'in the order of the list')
    t.same(await slugs({ order: 'slug' }), ['a', 'b'])
    t.equal(await mug.tags.count({ title: 'A' }), 1)
    t.equal((await mug.tags.add('c')).title, 'C')
    t.same((await Product.findById(mug.id)).tagIds, ['b', 'a', 'c'])
    await t.rejects(mug.tags.add('c'), refused(422))
    await t.rejects(mug.tags.add('zzz'), refused(404))
    await t.rejects(Product.create({ name: 'x', tagIds: ['a', 'a'] }), {
      ...refused(422),
      details: { codes: { tags: ['uniqueness'] } },
      violations: [{ path: '.tagIds', code: 'uniqueness' }]
    })
    t.equal(await mug.tags.exists('a'), true)
    t.same(await mug.tags.remove('a'), ['b', 'c'], 'the keys that are left')
    t.equal(await rest(Product, '__exists__tags', mug, 'b'), true)
    t.throws(() => rest(Product, '__exists__tags', mug, 'a'), refused(404))
    await t.rejects(mug.tags.findById('a'), { statusCode: 400, message: 'Key mismatch: Product.tagIds has no a' })
    await t.rejects(
      mug.tags.findById('zzz'),
      { statusCode: 400, message: 'Key mismatch: Product.tagIds has no zzz' },
      'what does not exist answers alike (S-04)'
    )
    t.equal((await mug.tags.at(1)).slug, 'c')
    t.equal((await mug.tags.updateById('c', { title: 'CC' })).title, 'CC')
    await mug.tags.create({ slug: 'd', title: 'D' })
    await mug.tags.destroy('c')
    t.equal(await Tag.findById('c'), null)
    t.same((await Product.findById(mug.id)).tagIds, ['b', 'd'])
    await Tag.destroyById('d')
    t.same(await slugs(), ['b'], 'what is gone is left out')
    const count = await Tag.count()
    await rest(Product, '__delete__tags', mug)
    t.same((await Product.findById(mug.id)).tagIds, [])
    t.equal(await Tag.count(), count, 'the rows referred to stay')
    await mug.updateAttributes({ tagIds: [] })
    const many = await Promise.all(['a', 'b'].map(slug => rest(Product, '__link__tags', mug, slug)))
    t.same(
      many.map(each => each.slug),
      ['a', 'b']
    )
    t.same((await Product.findById(mug.id)).tagIds.sort(), ['a', 'b'], 'of two links at once neither is lost')
  })

  t.test(`${name}: after an include, accessors of to-one relations answer at once`, async t => {
    const { Order, Customer } = await start(t, store, shop)
    const ann = await Customer.create({ name: 'Ann' })
    await Order.create([{ number: '1' }, { number: '2', customerId: ann.id }, { number: '3', customerId: 999 }])
    const orders = await Order.find({ order: 'number', include: 'customer' })
    t.same(orders.map((order: Loose) => order.customer()?.name ?? null), [null, 'Ann', null])
    t.equal(orders[0].customer(), null)
    t.same(plain(orders[0]), plain(await Order.findById(orders[0].id)), 'and JSON shows none')
    const [alone] = await Order.find({ where: { number: '1' }, include: 'customer' })
    t.equal(alone.customer(), null, 'also where no row has a key')
    t.equal((await Customer.find({ include: 'profile' }))[0].profile(), null)
    t.ok((await Order.findById(orders[1].id)).customer() instanceof Promise, 'what nobody asked for is loaded')
    alone.customer(ann)
    t.equal(alone.customer(), ann)
    t.same(Object.keys(alone.__cachedRelations), ['customer'])
    t.equal(alone.__cachedRelations.customer, ann)
  })

  t.test(`${name}: embedsOne`, async t => {
    const { Customer, Address } = await start(t, store, shop)
    const ann = await Customer.create({ name: 'Ann' })
    t.equal(
      Customer.state.relations.get('address').definition.property,
      '_address',
      'the property cannot have the name of the relation'
    )
    t.equal(ann.address(), undefined)
    t.equal(await rest(Customer, '__get__address', ann), undefined)
    await t.rejects(ann.address.create({ city: 'x' }), refused(422))
    const made = await ann.address.create({ street: 'Main', city: 'Oslo' })
    t.ok(made instanceof Address)
    t.equal(ann.address().street, 'Main')
    t.same(plain(await Customer.findById(ann.id))._address, { street: 'Main', city: 'Oslo' })
    t.same(plain(await ann.address.update({ city: 'Bergen' })), { street: 'Main', city: 'Bergen' })
    await t.rejects(ann.address.update({ street: '' }), refused(422))
    await t.rejects(
      Customer.create({ name: 'Bad', _address: { city: 'x' } }),
      refused(422),
      'also when written with its owner'
    )
    await t.rejects(ann.updateAttributes({ _address: { street: null } }), refused(422))
    await ann.address.destroy()
    await ann.address.destroy()
    const stored = plain(await Customer.findById(ann.id))
    t.notOk('_address' in stored && stored._address !== null)
    t.equal((await ann.address.update({ street: 'New' })).street, 'New', 'an update where there is nothing creates')
  })

  t.test(`${name}: embedsMany`, async t => {
    const { Customer, Note } = await start(t, store, shop)
    const ann = await Customer.create({ name: 'Ann' })
    t.same(plain(ann).noteList, [], 'the list is there from the start')
    t.equal((await ann.notes.create({ text: 'one' })).id, 1)
    t.same(
      (await ann.notes.create([{ text: 'two' }, { text: 'three' }])).map((each: Loose) => each.id),
      [2, 3]
    )
    await t.rejects(ann.notes.create([{ text: 'fine' }, {}]), refused(422))
    t.equal(await ann.notes.count(), 3, 'all or none')
    await ann.notes.destroy(1)
    t.equal((await ann.notes.create({ text: 'four' })).id, 4, 'the highest plus one')
    t.same((await ann.notes.find({ where: { id: { gt: 2 } }, order: 'text DESC', fields: ['text'] })).map(plain), [
      { text: 'three' },
      { text: 'four' }
    ])
    t.same(
      (await ann.notes.find({ skip: 1, limit: 1 })).map((each: Loose) => each.id),
      [3]
    )
    t.equal(await ann.notes.count({ text: 'two' }), 1)
    t.ok(ann.notes()[0] instanceof Note)
    t.equal((await ann.notes.at(0)).id, 2)
    t.equal((await ann.notes.get('2')).text, 'two')
    t.equal(await ann.notes.exists(9), false)
    await t.rejects(ann.notes.findById(9), {
      statusCode: 404,
      code: 'MODEL_NOT_FOUND',
      message: 'Unknown "Note" id "9".'
    })
    t.equal((await ann.notes.set(2, { text: 'TWO' })).text, 'TWO')
    await t.rejects(ann.notes.updateById(2, { id: 7 }), refused(400))
    await t.rejects(ann.notes.updateById(9, { text: 'x' }), refused(404))
    await t.rejects(ann.notes.updateById(2, { text: null }), refused(422))
    await t.rejects(ann.notes.unset(9), refused(404))
    await ann.notes.destroyAll({ text: 'TWO' })
    t.same(
      (await Customer.findById(ann.id)).noteList.map((each: Loose) => each.id),
      [3, 4]
    )
    await ann.notes.destroyAll()
    t.equal(await ann.notes.count(), 0)
    const lists = await Promise.all(
      ['a', 'b', 'c'].map(text => Customer.findById(ann.id).then((own: Loose) => own.notes.create({ text })))
    )
    t.equal(new Set(lists.map(each => each.id)).size, 3, 'of three at once none is lost')
    t.equal(await (await Customer.findById(ann.id)).notes.count(), 3)

    await ann.remarks.create({ id: 'r1', text: 'x' })
    await t.rejects(ann.remarks.create({ text: 'no id' }), refused(422))
    await t.rejects(ann.remarks.create({ id: 'r1' }), refused(422))
    const invalid = await Customer.create({ name: 'Bad', noteList: [{ id: 1, text: 'a' }, { id: 1 }] }).catch(
      (error: unknown) => error
    )
    t.same(invalid.violations.map((each: Loose) => [each.path, each.code]).sort(), [
      ['.noteList', 'uniqueness'],
      ['.noteList[1]', 'required']
    ])
  })

  t.test(`${name}: instances of embedded rows save themselves in their owner`, async t => {
    const { Customer, Note } = await start(
      t,
      store,
      [
        ...shop.filter(({ name }) => name !== 'Note'),
        { name: 'Note', properties: { text: { type: 'string', required: true }, tone: 'string' } }
      ],
      models => {
        models.Note.observe('before save', (context: HookContext) => {
          if ((context.instance as Loose)?.text === 'upper') (context.instance as Loose).text = 'UPPER'
        })
      }
    )
    const ann = await Customer.create({ name: 'Ann' })
    const stored = async (): Promise<Loose> => plain(await Customer.findById(ann.id))
    const note = await ann.notes.create({ text: 'one', tone: 'low' })
    await ann.notes.create({ text: 'two' })
    note.text = 'changed'
    t.equal(await note.save(), note)
    t.same((await stored()).noteList, [
      { id: 1, text: 'changed', tone: 'low' },
      { id: 2, text: 'two' }
    ])
    t.equal(ann.notes()[0].text, 'changed', 'the owner knows')
    const [first, second] = (await Customer.findById(ann.id)).notes()
    t.ok(first instanceof Note)
    await second.updateAttributes({ tone: 'high' })
    t.same(plain(second), { id: 2, text: 'two', tone: 'high' })
    await first.updateAttribute('tone', 'mid')
    t.same(
      (await stored()).noteList,
      [
        { id: 1, text: 'changed', tone: 'mid' },
        { id: 2, text: 'two', tone: 'high' }
      ],
      'of two instances neither takes back what the other did'
    )
    await first.replaceAttributes({ text: 'upper' })
    t.same((await stored()).noteList[0], { id: 1, text: 'UPPER' }, 'hooks run, what is not given is gone')
    t.same(plain(await (await ann.notes.findById(1)).reload()), { id: 1, text: 'UPPER' })
    first.text = ''
    await t.rejects(first.save(), refused(422))
    t.same(await second.destroy(), { count: 1 })
    t.same((await stored()).noteList, [{ id: 1, text: 'UPPER' }])
    await t.rejects(second.destroy(), refused(404))
    await t.rejects(second.updateAttributes({ text: 'x' }), refused(404))
    const built = ann.notes.build({ text: 'built' })
    t.equal((await stored()).noteList.length, 1, 'built, not stored')
    await built.save()
    t.same(
      (await stored()).noteList.map((each: Loose) => each.text),
      ['UPPER', 'built']
    )
    t.equal(
      await new Promise(resolve =>
        built.updateAttributes({ text: 'called back' }, (error: unknown) => {
          resolve(error)
        })
      ),
      null
    )
    t.equal((await stored()).noteList[1].text, 'called back')

    const address = await ann.address.create({ street: 'Main', city: 'Oslo' })
    address.city = 'Bergen'
    await address.save()
    await (await Customer.findById(ann.id)).address().patchAttributes({ street: 'Side' })
    t.same((await stored())._address, { street: 'Side', city: 'Bergen' })
    t.same(plain(await address.reload()), { street: 'Side', city: 'Bergen' })
    await t.rejects(address.updateAttributes({ street: '' }), refused(422))
    await address.destroy()
    t.notOk((await stored())._address)
    await t.rejects(address.reload(), refused(404))
    const fresh = new Customer({ name: 'New' })
    await fresh.address.build({ street: 'First' }).save()
    t.match(
      plain(await Customer.findById(fresh.id)),
      { name: 'New', _address: { street: 'First' } },
      'an owner that is not stored yet is stored with it'
    )
    t.notOk('save' in Customer.registry.models.Address.prototype, 'other instances of the model are as before')
  })

  t.test(`${name}: many edits of one row at once lose nothing`, async t => {
    const { Customer, Product, Tag } = await start(t, store, shop, models => {
      // Something asynchronous between the read and the write.
      for (const Model of [models.Customer, models.Product]) {
        Model.observe('before save', async () => {
          await new Promise(resolve => {
            setTimeout(resolve, 2)
          })
        })
      }
    })
    const ann = await Customer.create({ name: 'Ann' })
    const mug = await Product.create({ name: 'Mug' })
    const slugs = Array.from({ length: 12 }, (_, i) => `t${i}`)
    await Tag.create(slugs.map(slug => ({ slug })))
    const many = async <T>(run: (i: number) => Promise<T>): Promise<T[]> =>
      await Promise.all(Array.from({ length: 12 }, async (_, i) => await run(i)))
    const own = async (): Promise<Loose> => await Customer.findById(ann.id)
    const made = await many(async i => await (await own()).notes.create({ text: `n${i}` }))
    t.same(
      made.map(each => each.id).sort((a, b) => a - b),
      Array.from({ length: 12 }, (_, i) => i + 1)
    )
    t.equal((await own()).noteList.length, 12)
    await many(
      async i =>
        await (i % 2 === 0
          ? (await own()).notes.updateById(i + 1, { text: 'changed' })
          : (await own()).notes.destroy(i + 1))
    )
    t.same(
      plain(await own()).noteList.map(({ id, text }: Loose) => `${id as string} ${text as string}`),
      ['1 changed', '3 changed', '5 changed', '7 changed', '9 changed', '11 changed']
    )
    await many(async i => await rest(Product, '__link__tags', await Product.findById(mug.id), slugs[i]))
    t.same((await Product.findById(mug.id)).tagIds.toSorted(), slugs.toSorted())
    const links = await Promise.allSettled(
      Array.from(
        { length: 6 },
        async () =>
          await (
            await Product.findById(mug.id)
          ).tags
            .remove('t3')
            .then(async () => await (await Product.findById(mug.id)).tags.add('t3'))
      )
    )
    t.ok(links.some(({ status }) => status === 'fulfilled'))
    t.same((await Product.findById(mug.id)).tagIds.toSorted(), slugs.toSorted(), 'a key is on the list once')
    // A hook that edits the row whose edit it listens to does not wait for itself.
    let nested = 0
    Customer.observe('before save', async (context: HookContext) => {
      if (nested++ === 0) await (context.currentInstance as Loose).remarks.create({ id: 'r', text: 'x' })
    })
    await (await own()).notes.create({ text: 'outer' })
    t.equal((await own()).noteList.length, 7)
    t.equal((await own()).remarks().length, 1)
  })

  t.test(`${name}: polymorphic`, async t => {
    const { Product, Picture, Stranger, Customer } = await start(t, store, [
      ...shop,
      {
        name: 'Employee',
        properties: { name: 'string' },
        relations: {
          portrait: {
            type: 'hasOne',
            model: 'Picture',
            polymorphic: { foreignKey: 'imageableId', discriminator: 'imageableType' }
          }
        }
      }
    ])
    const { Employee } = Product.registry.models as Loose
    const mug = await Product.create({ name: 'Mug' })
    const ida = await Employee.create({ name: 'Ida' })
    const own = await mug.pictures.create({ url: 'm', imageableType: 'Employee', imageableId: 9 })
    t.same([own.imageableId, own.imageableType], [mug.id, 'Product'])
    await ida.portrait.create({ url: 'i' })
    t.same(
      (await mug.pictures.find()).map((each: Loose) => each.url),
      ['m'],
      'equal ids of other models do not count'
    )
    t.equal((await ida.portrait.get()).url, 'i')
    t.ok((await own.imageable.get()) instanceof Product)
    t.ok((await (await ida.portrait.get()).imageable.get()) instanceof Employee)
    await t.rejects(mug.pictures.updateById(own.id, { imageableType: 'Employee' }), refused(400))
    const loose = await Picture.create({ url: 'l' })
    t.equal(await loose.imageable.get(), undefined)
    loose.imageable(ida)
    t.same([loose.imageableId, loose.imageableType], [ida.id, 'Employee'])
    await Stranger.create({ name: 'private' })
    await Customer.create({ name: 'private' })
    for (const imageableType of ['Stranger', 'Customer', 'Nothing', 'Model', '__proto__']) {
      const picture = await Picture.create({ url: 's', imageableId: 1, imageableType })
      t.equal(await rest(Picture, '__get__imageable', picture), null, `${imageableType} has no pictures`)
    }
  })

  t.test(`${name}: hooks and hidden keys`, async t => {
    const seen: unknown[] = []
    const { Parent, Child } = await start(
      t,
      store,
      [
        {
          name: 'Parent',
          properties: { name: 'string' },
          relations: {
            children: { type: 'hasMany', model: 'Child', foreignKey: 'parentId', scope: { where: { secret: 's' } } }
          }
        },
        {
          name: 'Child',
          hidden: ['parentId', 'secret'],
          properties: { name: 'string', parentId: 'number', secret: 'string' },
          scope: { where: { name: { neq: 'gone' } } }
        }
      ],
      models => {
        models.Child.observe('access', (context: HookContext) => {
          seen.push(context.query)
        })
        models.Child.observe('loaded', (context: HookContext) => {
          ;(context.data as Loose).name += '!'
        })
      }
    )
    const parent = await Parent.create({ name: 'p' })
    await parent.children.create([
      { name: 'a', secret: 's' },
      { name: 'gone', secret: 's' },
      { name: 'c', secret: 'other' }
    ])
    t.same(
      (await rest(Parent, '__get__children', parent)).map((each: Loose) => each.name),
      ['a!'],
      'hooks run, scopes hold'
    )
    t.match(JSON.stringify(seen), /parentId/)
    t.equal(await rest(Parent, '__count__children', parent), 1)
    t.throws(() => rest(Parent, '__get__children', parent, { where: { secret: 's' } }), {
      statusCode: 400,
      code: 'HIDDEN_PROPERTY_IN_QUERY'
    })
    t.throws(() => rest(Parent, '__count__children', parent, { parentId: 1 }), {
      statusCode: 400,
      code: 'HIDDEN_PROPERTY_IN_QUERY'
    })
    t.equal((await rest(Parent, '__findById__children', parent, '1')).name, 'a!')
    await rest(Parent, '__delete__children', parent)
    t.equal(await Child.count(), 1, 'only rows of the scope are deleted')
  })
}

t.test('what a caller asks of a relation is read once', async t => {
  const { Writer } = await start(t, stores.memory, [
    {
      name: 'Writer',
      properties: { name: 'string' },
      relations: {
        books: { type: 'hasMany', model: 'Work' },
        first: { type: 'hasOne', model: 'Work', scope: { order: 'title' } },
        long: { type: 'hasMany', model: 'Work', scope: { where: { pages: { gt: 100 } }, order: 'title', limit: 5 } },
        prizes: { type: 'hasMany', model: 'Prize', through: 'Award' },
        places: { type: 'referencesMany', model: 'Place' },
        letters: { type: 'embedsMany', model: 'Letter', scope: { order: 'title' } }
      }
    },
    {
      name: 'Work',
      hidden: ['pin'],
      scope: { where: { gone: { neq: true } } },
      properties: { title: 'string', pages: 'number', gone: 'boolean', pin: 'string' },
      relations: { writer: { type: 'belongsTo', model: 'Writer' } }
    },
    { name: 'Award', properties: {}, relations: { writer: { type: 'belongsTo', model: 'Writer' } } },
    { name: 'Prize', properties: { title: 'string' } },
    { name: 'Place', inqLimit: 1, properties: { title: 'string' } },
    { name: 'Letter', properties: { id: { type: 'number', id: true }, title: 'string' } }
  ])
  const { Work } = Writer.registry.models as Loose
  const writer = await Writer.create({ name: 'a' })
  await writer.books.create([{ title: 'x', pages: 120 }, { title: 'y', pages: 90 }, { title: 'x', gone: true }])
  await writer.prizes.create({ title: 'x' })
  await writer.places.create([{ title: 'x' }, { title: 'y' }])
  await writer.letters.create({ title: 'x' })
  const [work] = await Work.find({ where: { title: 'x' } })

  /** How often a run looks at the value of a condition. */
  async function reads (run: (filter: Loose) => unknown, options: Loose): Promise<[reads: number, found: unknown]> {
    let count = 0
    const where = { get title () { return count++ < 0 ? '' : 'x' } }
    const found = plain(await run({ where, ...options }))
    return [count, [found].flat().map((each: Loose) => each.title ?? each)]
  }
  const [once] = await reads(filter => Writer.registry.models.Prize?.find(filter), {})
  t.equal(once, 2, 'a plain read walks over it and reads it')
  const related = (filter: Loose): Loose => ({
    list: () => writer.books(filter),
    'a list with a scope': () => writer.long(filter),
    'one row': () => writer.first(filter),
    'joining rows': () => writer.prizes(filter),
    'a list of keys': () => writer.places(filter),
    'rows within the row': () => writer.letters.find(filter),
    'a default scope': () => Work.find(filter),
    'from outside': () => rest(Writer, '__get__long', writer, filter)
  })
  for (const name of Object.keys(related({}))) {
    for (const more of [{}, { limit: 2 }, { fields: ['title'], order: 'title' }]) {
      t.same(await reads(filter => related(filter)[name](), more), [once, ['x']], `${name} ${JSON.stringify(more)}`)
    }
  }
  const count = async (where: Loose): Promise<number> => rest(Writer, '__count__books', writer, where)
  t.same(await reads(({ where }) => count(where), {}), [once, [1]], 'a number of rows')

  const included = (options: Loose, relation: string, filter: Loose): Loose =>
    Writer.find({ include: { relation, scope: filter } }, options)
  for (const relation of ['books', 'first', 'long', 'prizes', 'places', 'letters']) {
    for (const [who, options, most] of [['in the process', {}, once + 1], ['from outside', external, once]] as Loose) {
      for (const more of [{}, { limit: 1, order: 'title' }]) {
        const run = async (filter: Loose): Promise<unknown> =>
          plain(await included(options, relation, filter))[0][relation]
        t.same(await reads(run, more), [most, ['x']], `include of ${relation} ${who}`)
      }
    }
  }
  t.same((await writer.books({ where: { title: 'x' }, fields: ['pages'] }))[0].toJSON(), { pages: 120 })
  t.equal((await work.writer.get()).name, 'a')
  let deep: Loose = { title: 'x' }
  for (let level = 0; level < 5; level++) deep = { or: [deep, { title: 'z' }] }
  const condition = (): Loose => rest(Writer, '__get__long', writer, { where: deep })
  t.equal((await condition()).length, 1, 'levels of what the relation adds are not counted')
  deep = { or: [deep] }
  t.throws(condition, { code: 'QUERY_OBJECT_TOO_DEEP' })
})

t.test('embedded rows that are built, and their ids', async t => {
  const registry = new ModelRegistry()
  registry.defineDataSource('db', { connector: memoryConnector })
  registry.defineDataSource('nowhere', { connector: transientConnector })
  const models = registry.defineModels([
    { name: 'Product', properties: { name: 'string' } },
    { name: 'Link', properties: { id: { type: 'number', id: true }, name: 'string' } },
    { name: 'Address', properties: { street: 'string' } },
    { name: 'Loose', properties: { street: 'string' } },
    {
      name: 'Page',
      relations: {
        links: { type: 'embedsMany', model: 'Link' },
        address: { type: 'embedsOne', model: 'Address' },
        loose: { type: 'embedsOne', model: 'Loose' }
      }
    }
  ].map(input => ({ input: input as never }))) as any[]
  const [Product, Link, Address, , Page] = models
  Link.belongsTo('linked', {
    polymorphic: { idType: 'number' },
    properties: { name: 'name' },
    options: { invertProperties: true }
  })
  Product.hasMany('links', { model: 'Link', polymorphic: { as: 'linked' } })
  for (const Model of [Product, Link, Page]) registry.attach(Model, 'db')
  registry.attach(Address, 'nowhere')
  await registry.start()
  t.teardown(() => registry.stop())

  const page = await Page.create({})
  const link = page.links.build()
  link.linked(await Product.create({ name: 'Mug' }))
  const address = page.address.build({ street: 'here' })
  t.match(address.id, /^[0-9a-f]{24}$/)
  address.street = 'there'
  t.notOk('id' in page.loose.build({ street: 'x' }).toJSON(), 'a model that is attached nowhere gives out no ids')
  await page.save()
  const stored = (await Page.findById(page.id)).toJSON()
  t.strictSame(stored._links, [{ id: 1, name: 'Mug', linkedId: 1, linkedType: 'Product' }])
  t.strictSame(stored._address, { id: address.id, street: 'there' })
  t.match((await page.address.create({ street: 'new' })).id, /^[0-9a-f]{24}$/)
  t.equal((await page.address.create({ id: '7', street: 'new' })).id, '7', 'a given one stays')
})
