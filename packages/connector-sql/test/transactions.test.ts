import t from 'tap'
import type { Connector, StoredModel } from '@fastback/core'
import { openSql } from './support/connectors.js'
import { makeModel, path, query } from './support/models.js'
import { refuses } from './support/refuses.js'

const item = makeModel(
  'Item',
  { name: 'string' },
  { indexes: [{ name: 'name', unique: true, columns: [{ property: 'name', descending: false }] }] }
)
const names = async (connector: Connector, model: StoredModel, transaction?: unknown): Promise<unknown[]> =>
  (await connector.find(model, query(model), { transaction })).map(row => row.name)

for (const kind of ['memory', 'file']) {
  t.test(`in a ${kind}`, async t => {
    const url = kind === 'file' ? `sqlite:${t.testdir({})}/rows.sqlite` : 'sqlite::memory:'

    t.test('writes outside wait for the end, and are kept when it is undone', async t => {
      const sql = await openSql({ url }, [item])
      t.teardown(() => sql.disconnect())
      const transaction = await sql.transactions.begin({})
      await sql.create(item, { name: 'inside' }, { transaction })
      t.same(await names(sql, item, transaction), ['inside'])
      const outside = sql.create(item, { name: 'outside' }, {})
      t.ok(outside instanceof Promise)
      const read = sql.find(item, query(item), {})
      t.equal(read instanceof Promise, kind === 'memory', 'reads of a file go on')
      if (kind === 'file') t.same(await read, [], 'and see what was committed')
      await sql.transactions.rollback(transaction)
      await outside
      t.same(await names(sql, item), ['outside'])
      if (kind === 'memory') t.same(await read, [{ id: 1, name: 'outside' }])
    })

    t.test('one after the other, and what was committed is there', async t => {
      const sql = await openSql({ url }, [item])
      t.teardown(() => sql.disconnect())
      const first = await sql.transactions.begin({})
      const second = Promise.resolve(sql.transactions.begin({}))
      await sql.create(item, { name: 'first' }, { transaction: first })
      await sql.transactions.commit(first)
      const transaction = await second
      t.same(await names(sql, item, transaction), ['first'])
      await sql.updateById(item, 1, { name: 'second' }, { transaction })
      await sql.transactions.commit(transaction)
      t.same(await names(sql, item), ['second'])
    })

    t.test('many rows at once are all or none, within a transaction too', async t => {
      const sql = await openSql({ url }, [item])
      t.teardown(() => sql.disconnect())
      await refuses(t, () => sql.createMany(item, [{ name: 'a' }, { name: 'a' }], {}), { properties: ['name'] })
      t.same(await names(sql, item), [])
      const transaction = await sql.transactions.begin({})
      await sql.create(item, { name: 'kept' }, { transaction })
      await refuses(t, () => sql.createMany(item, [{ name: 'b' }, { name: 'b' }], { transaction }), {
        properties: ['name']
      })
      await sql.findOrCreate(
        item,
        query(item, { where: { kind: 'compare', path: path(item, 'name'), op: 'eq', value: 'c' } }),
        { name: 'c' },
        { transaction }
      )
      await sql.transactions.commit(transaction)
      t.same(await names(sql, item), ['kept', 'c'])
    })

    t.test('a transaction that nothing ends is rolled back, and can be used no longer', async t => {
      const sql = await openSql({ url, transactionTimeout: 40 }, [item])
      t.teardown(() => sql.disconnect())
      const transaction = await sql.transactions.begin({})
      await sql.create(item, { name: 'lost' }, { transaction })
      await sql.create(item, { name: 'waited' }, {})
      t.same(await names(sql, item), ['waited'])
      await refuses(t, () => sql.find(item, query(item), { transaction }), { code: 'FBK_SQL_TRANSACTION_ENDED' })
      await refuses(t, () => sql.transactions.commit(transaction), { code: 'FBK_SQL_TRANSACTION_ENDED' })
      await refuses(t, () => sql.find(item, query(item), { transaction: {} }), { code: 'FBK_SQL_UNKNOWN_TRANSACTION' })
    })

    t.test("another data source's transaction is refused; closing undoes what is open", async t => {
      const sql = await openSql({ url }, [item])
      const other = await openSql({ url: 'sqlite::memory:' }, [item])
      const transaction = await sql.transactions.begin({})
      await refuses(t, () => other.create(item, { name: 'x' }, { transaction }), {
        code: 'FBK_SQL_UNKNOWN_TRANSACTION'
      })
      await other.disconnect()
      await sql.create(item, { name: 'undone' }, { transaction })
      await sql.disconnect()
      await refuses(t, () => sql.count(item, undefined, {}), { code: 'FBK_SQL_NOT_CONNECTED' })
      if (kind === 'memory') return
      await sql.connect()
      t.same(await names(sql, item), [])
      await sql.disconnect()
    })
  })
}

t.test('a lock that another process holds is a 503 without the text of the driver', async t => {
  const url = `sqlite:${t.testdir({})}/rows.sqlite`
  const sql = await openSql({ url, busyTimeout: 10 }, [item])
  const other = await openSql({ url, busyTimeout: 10 }, [])
  t.teardown(async () => { await sql.disconnect(); await other.disconnect() })
  const transaction = await other.transactions.begin({})
  const busy = { statusCode: 503, code: 'DATABASE_BUSY', message: 'The database is busy.' }
  await refuses(t, () => sql.create(item, { name: 'a' }, {}), busy)
  await refuses(t, () => sql.transactions.begin({}), busy)
  await refuses(t, () => sql.createMany(item, [{ name: 'a' }], {}), busy)
  t.same(await names(sql, item), [], 'projection goes on')
  await other.transactions.rollback(transaction)
  await sql.create(item, { name: 'a' }, {})
  t.same(await names(sql, item), ['a'])
})
