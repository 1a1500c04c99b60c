/** Transactions whole: their work, parts of them, what is done again, what they are refused. */
import t, { type Test } from 'tap'
import { setTimeout as wait } from 'node:timers/promises'
import { ModelRegistry, type HookContext, type Change } from '@fastback/core'
import { changeFeedOf } from '@fastback/core/remote'
import { memoryConnector } from '@fastback/connector-memory'
import { sqlConnector } from '@fastback/connector-sql'

type Loose = any

async function start (t: Test, settings: object = {}): Promise<Loose> {
  const registry = new ModelRegistry()
  const url = `sqlite:${t.testdir({})}/rows.sqlite`
  registry.defineDataSource('db', { connector: sqlConnector, url, ...settings })
  registry.defineDataSource('other', { connector: memoryConnector })
  registry.defineModels([
    {
      input: {
        name: 'Order',
        properties: { title: 'string' },
        relations: { lines: { type: 'hasMany', model: 'Line', foreignKey: 'orderId' } }
      }
    },
    { input: { name: 'Line', properties: { sku: 'string' }, relations: { order: { type: 'belongsTo', model: 'Order' } } } },
    { input: { name: 'Away', properties: { line: 'string' } } }
  ])
  registry.attach('Order', 'db')
  registry.attach('Line', 'db')
  registry.attach('Away', 'other')
  await registry.start()
  t.teardown(() => registry.stop())
  const { db, other } = registry.dataSources
  return { ...registry.models, db, other, registry }
}

t.test('hooks and relations of its models are in the transaction', async t => {
  const { Order, Line, db } = await start(t, { busyTimeout: 200 })
  const told: unknown[] = []
  Order.observe('after save', async ({ instance, options }: HookContext) => {
    t.ok(options.transaction, 'a hook gets it')
    await Line.create({ sku: 'by the hook', orderId: instance?.id }, options)
  })
  const feed = changeFeedOf(Order.state)
  t.teardown(feed.listen(() => { told.push((feed.after(feed.sequence - 1) as Change | undefined)?.type) }))
  const result = await db.transaction(async (models: Loose) => {
    const order = await models.Order.create({ title: 'one' })
    await order.lines.create({ sku: 'by the relation' })
    const [found] = await models.Order.find({ include: 'lines' })
    t.equal(found.lines().length, 2)
    const line = await models.Line.findOne()
    t.equal((await line.order.get()).title, 'one')
    t.equal(await Line.count(), 0, 'nobody outside sees it')
    t.same(told, [], 'change streams hear of it when it is committed')
    return 'done'
  })
  t.equal(result, 'done')
  t.same(told, ['create'])
  t.equal(await Line.count(), 2)
})

t.test('a part is taken back by itself, in all forms', async t => {
  const { Order, db } = await start(t)
  const fail = (): never => { throw new Error('no') }
  const undone: string[] = []
  await db.transaction(async (models: Loose) => {
    await models.Order.create({ title: 'kept' })
    const { dataSource } = models.Order
    await t.rejects(dataSource.transaction(async (inner: Loose) => {
      await inner.Order.create({ title: 'gone' })
      dataSource.currentTransaction.whenRolledBack(() => undone.push('whole'))
      fail()
    }), { message: 'no' })
    await models.Order.transaction(async ({ transaction }: Loose) => {
      await models.Order.create({ title: 'part' }, { transaction })
      transaction.whenCommitted(() => undone.push('part is committed'))
    })
    t.same(undone, [])
  })
  t.same(undone, ['part is committed'])
  await Order.transaction(async ({ transaction }: Loose) => {
    await t.rejects(Order.transaction(async (options: Loose) => {
      await Order.create({ title: 'gone' }, options)
      await t.rejects(transaction.savepoint(() => {}), { code: 'FBK_CORE_SAVEPOINT_OPEN' })
      await t.rejects(transaction.commit(), { code: 'FBK_CORE_SAVEPOINT_OPEN' })
      options.transaction.whenRolledBack(() => undone.push('part is taken back'))
      fail()
    }, { transaction }), { message: 'no' })
    t.equal(undone.at(-1), 'part is taken back')
    await Order.create({ title: 'last' }, { transaction })
  })
  t.same((await Order.find()).map(({ title }: Loose) => title), ['kept', 'part', 'last'])
})

t.test('what others got in the way of is done again, so often and no oftener', async t => {
  const { Order, db } = await start(t)
  const busy = (): never => { throw Object.assign(new Error('busy'), { code: 'DATABASE_BUSY', statusCode: 503 }) }
  let tries = 0
  const work = async (models: Loose): Promise<void> => {
    await models.Order.create({ title: `try ${++tries}` })
    if (tries < 3) busy()
  }
  await db.transaction(work, { retry: { delay: 1 } })
  t.same((await Order.find()).map(({ title }: Loose) => title), ['try 3'])
  const times = async (options: object, done: () => unknown = busy): Promise<number> => {
    let times = 0
    await t.rejects(db.transaction(async () => {
      times++
      done()
    }, options))
    return times
  }
  t.equal(await times({}), 1)
  t.equal(await times({ retry: { attempts: 4, delay: 1 } }), 4)
  t.equal(await times({ retry: true }, () => { throw new Error('of its own') }), 1)
  t.equal(await times({ retry: { attempts: 0 } }), 0)
  await t.rejects(db.transaction(work, { retry: { delay: -1 } }), { code: 'FBK_CORE_INVALID_SETTING' })
  let all = 0
  await Order.transaction(async () => { if (++all < 2) busy() }, { retry: { delay: 1 } })
  t.equal(all, 2, 'of a model as well')
})

t.test('its end is told, can be refused, and is the end', async t => {
  const { Order, Away, db, other } = await start(t)
  const told: string[] = []
  await t.rejects(db.transaction(async (models: Loose) => {
    const { currentTransaction } = models.Order.dataSource
    for (const event of ['before commit', 'after commit', 'before rollback', 'after rollback']) {
      currentTransaction.observe(event, async () => {
        told.push(event)
        if (event === 'before commit') throw new Error('not this one')
      })
    }
    await models.Order.create({ title: 'x' })
  }), { message: 'not this one' })
  t.same(told, ['before commit', 'before rollback', 'after rollback'])
  t.equal(await Order.count(), 0)

  const tx = await Order.beginTransaction()
  await Order.create({ title: 'once' }, { transaction: tx })
  await t.rejects(Away.create({}, { transaction: tx }), { code: 'FBK_CORE_FOREIGN_TRANSACTION' })
  await tx.commit()
  for (const mistake of [
    () => tx.commit(), () => tx.rollback(), () => tx.savepoint(() => {}), () => Order.find({}, { transaction: tx })
  ]) await t.rejects(mistake, { code: 'TRANSACTION_INACTIVE', statusCode: 409 })
  let late: Loose
  await db.transaction(async (models: Loose) => {
    late = models.Order
    t.throws(() => models.Away, { code: 'FBK_CORE_FOREIGN_TRANSACTION' })
    t.same(Object.keys(models).filter(name => name === 'Away' || name === 'Order'), ['Order'])
    await t.rejects(async () => await models.Order.beginTransaction(), { code: 'FBK_CORE_NESTED_TRANSACTION' })
  })
  await t.rejects(late.count(), { code: 'TRANSACTION_INACTIVE' })
  await t.rejects(other.transaction(async () => {}), { code: 'FBK_CORE_NO_TRANSACTIONS' })
})

t.test('time: what takes too long is rolled back, and nobody waits longer than busyTimeout', async t => {
  const { Order, Line, db } = await start(t, { busyTimeout: 100 })
  await t.rejects(db.transaction(async (models: Loose) => {
    await models.Order.create({ title: 'late' })
    await wait(10_000, undefined, { ref: false })
  }, { timeout: 30 }), { code: 'TRANSACTION_TIMEOUT', statusCode: 503 })
  t.equal(await Order.count(), 0)
  await Order.create({ title: 'at once' })

  let finish = (): void => {}
  const slow = new Promise<void>(resolve => { finish = resolve })
  let reached = (): void => {}
  const inHook = new Promise<void>(resolve => { reached = resolve })
  Line.observe('after save', async () => {
    reached()
    await slow
  })
  const first = Line.create({ sku: 'slow' })
  await inHook
  await t.rejects(Order.create({ title: 'waits' }), { code: 'DATABASE_BUSY', statusCode: 503 })
  await t.rejects(Order.beginTransaction(), { code: 'DATABASE_BUSY' })
  t.equal(await Order.count(), 1, 'reads go on')
  finish()
  await first
  await Order.create({ title: 'goes on' })
  t.equal(await Order.count(), 2)
})
