/** Models whose id is several properties: a row is told by all of them, and no call takes one part for the row. */
import t from 'tap'
import { memoryConnector } from '@fastback/connector-memory'
import { sqlConnector } from '@fastback/connector-sql'
import { ModelRegistry, type ConnectorFactory, type ModelClass } from '@fastback/core'
import { sharedMethodsOf } from '@fastback/core/remote'

type Loose = any

const line = {
  name: 'OrderLine',
  base: 'PersistedModel',
  properties: {
    orderId: { type: 'number', id: 1 },
    lineNo: { type: 'number', id: 2 },
    text: 'string',
    amount: 'number'
  }
} as const

const stores: Record<string, ConnectorFactory> = { memory: memoryConnector, sqlite: sqlConnector }

function registryOf (connector: ConnectorFactory, ...definitions: object[]): ModelRegistry {
  const registry = new ModelRegistry()
  registry.defineDataSource('db', { connector, migrate: 'update', ...(connector === sqlConnector ? { url: 'sqlite::memory:' } : {}) })
  for (const definition of definitions) registry.attach(registry.defineModel(definition as never), 'db')
  return registry
}

const wholeId = { statusCode: 400, code: 'COMPOUND_ID', message: /\{ orderId, lineNo \}/ }
const duplicate = { statusCode: 409, code: 'DUPLICATE_ID' }
const status = (statusCode: number): Loose => ({ statusCode })
const plain = (value: unknown): unknown => JSON.parse(JSON.stringify(value))

for (const [name, connector] of Object.entries(stores)) {
  t.test(name, async t => {
    const registry = registryOf(connector, line, {
      name: 'Order', base: 'PersistedModel', relations: { lines: { type: 'hasMany', model: 'OrderLine', foreignKey: 'orderId' } }
    })
    await registry.start()
    t.teardown(() => registry.stop())
    const Line: Loose = registry.getModel('OrderLine')
    const Order: Loose = registry.getModel('Order')
    const one = { orderId: 1, lineNo: 1, text: 'tea' }
    const two = { orderId: 1, lineNo: 2, text: 'cup' }
    const three = { orderId: 2, lineNo: 1, text: 'pot' }
    const rows = async (): Promise<unknown> => plain(await Line.find())
    t.beforeEach(async () => {
      await Promise.all([Line.destroyAll(), Order.destroyAll()])
      await Line.create([three, two, one])
    })

    t.test('what the definition says', async t => {
      t.strictSame(Line.definition.idNames(), ['orderId', 'lineNo'])
      t.strictSame(Line.definition.ids().map((each: Loose) => each.id), [1, 2])
      t.equal(Line.definition.idName(), 'orderId')
      t.equal(Line.getIdName(), 'orderId')
      t.same(await rows(), [one, two, three], 'in the order of the whole id')
    })

    t.test('create refuses the whole id, and rows without a part of it', async t => {
      await t.rejects(Line.create({ ...two, text: 'x' }), duplicate)
      await t.rejects(Line.create([{ orderId: 3, lineNo: 1 }, two]), duplicate)
      await t.rejects(Line.create({ orderId: 1 }), { ...status(422), details: { codes: { lineNo: ['presence'] } } })
      t.equal(await Line.count(), 3)
      await Line.create({ orderId: 1, lineNo: 3 })
      t.equal(await Line.count({ orderId: 1 }), 3)
    })

    t.test('upserts address the whole id', async t => {
      t.same(plain(await Line.upsert({ orderId: 1, lineNo: 2, amount: 5 })), { ...two, amount: 5 })
      const replaced = { orderId: 1, lineNo: 2, amount: 6 }
      t.same(plain(await Line.replaceOrCreate(replaced)), replaced)
      t.same(plain(await Line.upsert({ orderId: 1, lineNo: 4 })), { orderId: 1, lineNo: 4 })
      t.same(plain(await Line.replaceOrCreate({ orderId: 4, lineNo: 1 })), { orderId: 4, lineNo: 1 })
      await t.rejects(Line.upsert({ orderId: 1, text: 'no line' }), status(422))
      t.same(plain(await Line.upsertWithWhere({ orderId: 2 }, { text: 'jug' })), { ...three, text: 'jug' })
      const [found, isNew] = await Line.findOrCreate({ where: { orderId: 1, lineNo: 1 } }, { ...one, text: 'new' })
      t.same([plain(found), isNew], [one, false])
      t.same(await rows(), [
        one, { orderId: 1, lineNo: 2, amount: 6 }, { orderId: 1, lineNo: 4 }, { ...three, text: 'jug' }, { orderId: 4, lineNo: 1 }
      ])
    })

    t.test('instances address their own row', async t => {
      const row = await Line.findOne({ where: { orderId: 1, lineNo: 2 } })
      t.same(plain(await row.updateAttributes({ amount: 1 })), { ...two, amount: 1 })
      t.same(plain(await row.updateAttributes({ orderId: 1, lineNo: 2, amount: 2 })), { ...two, amount: 2 })
      await t.rejects(row.updateAttributes({ orderId: 2 }), status(400))
      row.amount = 3
      await row.save()
      await Line.updateAll({ orderId: 1, lineNo: 2 }, { text: 'mug' })
      t.same(plain(await row.reload()), { orderId: 1, lineNo: 2, text: 'mug', amount: 3 })
      t.same(plain(await row.replaceAttributes({ text: 'bowl' })), { orderId: 1, lineNo: 2, text: 'bowl' })
      t.same(await rows(), [one, { ...two, text: 'bowl' }, three])
      t.same(await row.destroy(), { count: 1 })
      t.same(await rows(), [one, three])
      await t.rejects(row.reload(), status(404))
    })

    t.test('a new instance with a taken id is refused', async t => {
      await t.rejects(new Line({ ...two, text: 'x' }).save(), duplicate)
      t.same(await rows(), [one, two, three])
    })

    t.test('static calls by id: reads take the first part, as LoopBack does, writes want all parts', async t => {
      t.same(plain(await Line.findById(1)), one)
      t.equal(await Line.findById(9), null)
      t.same([await Line.exists(2), await Line.exists(9)], [true, false])
      await t.rejects(Line.destroyById(1), wholeId)
      await t.rejects(Line.replaceById(1, { text: 'x' }), wholeId)
      await t.rejects(Line.patchById('1', { text: 'x' }), wholeId)
      await t.rejects(Line.findByIds([1]), wholeId)
      t.same(await rows(), [one, two, three], 'nothing happened')
      t.same(plain(await Line.findById({ orderId: 1, lineNo: 2 })), two)
      t.equal(await Line.exists({ orderId: 2, lineNo: 2 }), false)
      t.same(plain(await Line.findByIds([{ orderId: 2, lineNo: 1 }, { orderId: 1, lineNo: 1 }])), [three, one])
      t.same(plain(await Line.patchById({ orderId: 1, lineNo: 2 }, { amount: 1 })), { ...two, amount: 1 })
      const replaced = plain(await Line.replaceById({ orderId: 1, lineNo: 2 }, { amount: 2 }))
      t.same(replaced, { orderId: 1, lineNo: 2, amount: 2 })
      t.same(await Line.destroyById({ orderId: 1, lineNo: 2 }), { count: 1 })
      t.same(await Line.destroyById({ orderId: 1 }), { count: 0 }, 'a part is no id')
      t.same(await rows(), [one, three])
    })

    t.test('by where', async t => {
      t.equal(await Line.count({ orderId: 1 }), 2)
      t.same(await Line.updateAll({ orderId: 1 }, { amount: 1 }), { count: 2 })
      t.same(await Line.destroyAll({ orderId: 1, lineNo: 2 }), { count: 1 })
      t.same(await rows(), [{ ...one, amount: 1 }, three])
    })

    t.test('hooks are told the whole id', async t => {
      const seen: unknown[] = []
      const tell = (context: Loose): void => { seen.push(context.where) }
      Line.observe('before save', tell)
      Line.observe('before delete', tell)
      const row = await Line.findById(2)
      await row.updateAttribute('amount', 1)
      await row.destroy()
      t.same(seen, [{ orderId: 2, lineNo: 1 }, { orderId: 2, lineNo: 1 }])
      Line.removeObserver('before save', tell)
      Line.removeObserver('before delete', tell)
    })

    t.test('as the many of a relation', async t => {
      const order = await Order.create({})
      await Line.destroyAll()
      await order.lines.create([{ lineNo: 1 }, { lineNo: 2 }])
      t.equal(await order.lines.count(), 2)
      await t.rejects(order.lines.destroy(1), wholeId)
      await t.rejects(order.lines.findById(1), wholeId)
      t.same(plain(await order.lines.findById({ orderId: order.id, lineNo: 2 })), { orderId: order.id, lineNo: 2 })
      await order.lines.destroy({ orderId: order.id, lineNo: 2 })
      t.same(await rows(), [{ orderId: order.id, lineNo: 1 }])
      t.same(plain(await Order.find({ include: 'lines' })), [{ id: order.id, lines: [{ orderId: order.id, lineNo: 1 }] }])
      const names = sharedMethodsOf(Order as ModelClass).map(method => method.name)
      t.same(names.filter(name => /ById__lines/.test(name)), [], 'no paths with one key')
      t.ok(names.includes('__get__lines'))
    })

    t.test('changes of one row are those of that row', async t => {
      const stream = await Line.createChangeStream()
      const told: unknown[] = []
      stream.on('data', ({ type, target }: Loose) => told.push([type, target]))
      await Line.updateAll({ orderId: 1 }, { amount: 1 })
      await Line.destroyAll({ orderId: 2 })
      await new Promise(resolve => setImmediate(resolve))
      stream.destroy()
      t.same(told, [
        ['update', { orderId: 1, lineNo: 1 }], ['update', { orderId: 1, lineNo: 2 }], ['remove', { orderId: 2, lineNo: 1 }]
      ])
    })
  })
}

t.test('a row is locked for an edit of a list in it', async t => {
  const registry = registryOf(sqlConnector,
    { name: 'Tag', base: 'PersistedModel' },
    { ...line, relations: { tags: { type: 'referencesMany', model: 'Tag' } } })
  await registry.start()
  t.teardown(() => registry.stop())
  const Line: Loose = registry.getModel('OrderLine')
  await Line.create([{ orderId: 1, lineNo: 1 }, { orderId: 1, lineNo: 2 }])
  const row = await Line.findById({ orderId: 1, lineNo: 2 })
  await Promise.all([row.tags.create({}), row.tags.create({}), row.tags.create({})])
  t.same((await Line.find()).map((each: Loose) => each.tagIds?.length ?? 0), [0, 3])
})

t.test('no routes by id', async t => {
  const registry = registryOf(memoryConnector, { ...line, methods: { 'prototype.ship': { http: { path: '/ship' } }, stats: {} } })
  const methods = sharedMethodsOf(registry.getModel('OrderLine'))
  t.same(methods.filter(({ isStatic, http }) => !isStatic || http.some(({ path }) => path.startsWith('/:id'))), [])
  t.strictSame(methods.map(({ name }) => name).sort(), [
    'aggregate', 'count', 'create', 'createChangeStream', 'find', 'findOne', 'patchOrCreate', 'replaceOrCreate', 'stats',
    'updateAll', 'upsertWithWhere'
  ])
})

t.test('what cannot be is said at start', async t => {
  const refused = async (message: RegExp, ...definitions: object[]): Promise<void> => {
    const start = async (): Promise<void> => {
      const registry = registryOf(memoryConnector, ...definitions)
      t.teardown(() => registry.stop())
      await registry.start()
    }
    await t.rejects(start(), { code: 'FBK_CORE_INVALID_DEFINITION', message })
  }
  const { properties } = line
  await refused(/properties\.lineNo: .*generated/, { ...line, properties: { ...properties, lineNo: { type: 'number', id: 2, generated: true } } })
  await refused(/properties\.lineNo: .*object/, { ...line, properties: { ...properties, lineNo: { type: 'object', id: 2 } } })
  await refused(/forceId/, { ...line, forceId: true })
  const note = (relation: object): object => ({ name: 'Note', base: 'PersistedModel', relations: { line: relation } })
  for (const type of ['belongsTo', 'referencesMany', 'embedsMany']) {
    await refused(/relations\.line: "OrderLine" has a compound id \(orderId, lineNo\)/, line, note({ type, model: 'OrderLine' }))
  }
  const hasMany = { ...line, relations: { notes: { type: 'hasMany', model: 'Note', foreignKey: 'lineId' } } }
  await refused(/relations\.notes: .*"primaryKey"/, hasMany, { name: 'Note', base: 'PersistedModel' })
})

t.test('a relation that names its key leads to such a model', async t => {
  const registry = registryOf(memoryConnector,
    { ...line, properties: { ...line.properties, code: 'string' } },
    { name: 'Note', base: 'PersistedModel', relations: { line: { type: 'belongsTo', model: 'OrderLine', foreignKey: 'lineCode', primaryKey: 'code' } } })
  await registry.start()
  t.teardown(() => registry.stop())
  await (registry.getModel('OrderLine') as Loose).create([{ orderId: 1, lineNo: 1 }, { orderId: 1, lineNo: 2, code: 'x' }])
  const note = await (registry.getModel('Note') as Loose).create({ lineCode: 'x' })
  t.equal((await note.line.get()).lineNo, 2)
})

t.test('dates, booleans and large numbers as parts', async t => {
  const registry = registryOf(sqlConnector, {
    name: 'Shift',
    base: 'PersistedModel',
    properties: { day: { type: 'date', id: true }, night: { type: 'boolean', id: 2 }, crew: { type: 'long', id: 3 }, who: 'string' }
  })
  await registry.start()
  t.teardown(() => registry.stop())
  const Shift: Loose = registry.getModel('Shift')
  const crew = 2n ** 60n
  const day = new Date('2026-01-02T00:00:00.000Z')
  await Shift.create([{ day, night: false, crew }, { day, night: true, crew }, { day, night: true, crew: crew + 1n }])
  const shift = await Shift.findById({ day, night: true, crew })
  await shift.updateAttribute('who', 'Ann')
  await shift.reload()
  t.same((await Shift.find()).map((each: Loose) => each.who ?? null), [null, 'Ann', null])
})
