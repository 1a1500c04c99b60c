/** Transactions, and what is atomic with and without them. */
import t, { type Test } from 'tap'
import { setTimeout as wait } from 'node:timers/promises'
import { SuiteStore } from '@fastback/connector-tests'
import { testDatabase, type TestDatabase } from './support/database.js'

const definitions = [
  {
    name: 'Seat',
    base: 'PersistedModel',
    properties: { row: 'number', place: 'number', guest: 'string', meta: 'object' },
    indexes: { one: { keys: { row: 1, place: 1 }, options: { unique: true } } }
  }
]

async function open (t: Test, database: TestDatabase, more: object = {}): Promise<SuiteStore> {
  const store = new SuiteStore(database.make({ generatedIds: 'number', ...more }), definitions)
  await store.start()
  t.teardown(() => store.stop())
  return store
}

const twice: any = { modelName: 'Seat', properties: ['row', 'place'] }
const ended = { code: 'FBK_MONGODB_TRANSACTION_ENDED' }

t.test('with transactions', async t => {
  const database = await testDatabase(t, 'set')
  if (!database.isReplicated) return t.comment('the server is no replica set')

  t.test('nobody else sees what is not committed', async t => {
    const store = await open(t, database)
    const { transactions } = store.connector
    const transaction = await transactions?.begin({ isolationLevel: 'REPEATABLE READ' })
    await store.create('Seat', { guest: 'a' }, { transaction })
    t.equal(await store.count('Seat'), 0)
    t.equal((await store.find('Seat', { where: { guest: 'a' } }, { transaction })).length, 1)
    await transactions?.commit(transaction)
    t.equal(await store.count('Seat'), 1)
    await t.rejects(store.find('Seat', {}, { transaction }), ended)
    await t.rejects(Promise.resolve().then(() => transactions?.rollback(transaction)), ended)
    await t.rejects(store.find('Seat', {}, { transaction: {} }), { code: 'FBK_MONGODB_UNKNOWN_TRANSACTION' })
    await t.rejects(
      Promise.resolve().then(() => transactions?.begin({ isolationLevel: 'SERIALIZABLE' })),
      { code: 'FBK_MONGODB_ISOLATION_LEVEL' }
    )
  })

  t.test('one that nothing ends is rolled back', async t => {
    const store = await open(t, database)
    const transaction = await store.connector.transactions?.begin({ timeout: 400 })
    await store.create('Seat', { guest: 'a' }, { transaction })
    await wait(600)
    await t.rejects(store.find('Seat', {}, { transaction }), ended)
    t.equal(await store.count('Seat'), 0)
  })

  t.test('of two that change one row the second is told to try again', async t => {
    const store = await open(t, database)
    await store.create('Seat', { guest: 'a' })
    const transaction = await store.connector.transactions?.begin({})
    await store.find('Seat', {}, { transaction })
    await store.updateById('Seat', 1, { guest: 'b' })
    const model = store.model('Seat')
    await t.rejects(
      Promise.resolve(store.connector.updateById(model, 1, { guest: 'c' }, { transaction })),
      { statusCode: 503, code: 'DATABASE_BUSY' }
    )
    t.equal((await store.findById('Seat', 1))?.guest, 'b')
    await Promise.resolve(store.connector.transactions?.rollback(transaction)).catch(() => {})
  })

  t.test('several processes find or create one row', async t => {
    const stores = [await open(t, database), await open(t, database)]
    const results = await Promise.all(Array.from({ length: 8 }, async (_, i) =>
      await (stores[i % 2] as SuiteStore).findOrCreate('Seat', { where: { guest: 'x' } }, { guest: 'x' })))
    t.equal(results.filter(({ created }) => created).length, 1)
    t.equal(await (stores[0] as SuiteStore).count('Seat'), 1)
  })

  t.test('several rows, or none', async t => {
    const store = await open(t, database)
    await store.create('Seat', { row: 1, place: 1 })
    const rows = [{ row: 1, place: 2 }, { row: 1, place: 1 }]
    await t.rejects(store.createMany('Seat', rows), twice)
    await t.rejects(store.updateAll('Seat', { meta: null }, { row: 1, place: 1, meta: { a: 1 } }).then(async () =>
      await store.createMany('Seat', rows)), twice)
    t.equal(await store.count('Seat'), 1)
  })
})

t.test('without them', async t => {
  const database = await testDatabase(t)
  const store = await open(t, database, { transactions: false })
  t.equal(store.connector.transactions, undefined)
  await store.createMany('Seat', [{ row: 1, place: 1, guest: 'a' }, { row: 1, place: 2 }, { row: 2, place: 1, meta: { a: 1 } }])
  const before = await store.find('Seat')

  t.test('a bulk change that a unique index refuses is taken back', async t => {
    await t.rejects(store.updateAll('Seat', {}, { row: 9, place: undefined, guest: 'x' }).then(async () =>
      await store.updateAll('Seat', {}, { place: 1 })), twice)
    await store.deleteAll('Seat')
    for (const row of before) await store.create('Seat', row)
    await t.rejects(store.updateAll('Seat', {}, { place: 1, guest: undefined }), twice)
    t.same(await store.find('Seat'), before)
    await t.rejects(store.updateAll('Seat', { guest: { regexp: '^a' } }, { place: 2 }), twice)
    t.same(await store.find('Seat'), before)
  })

  t.test('changes of rows that the reference finds', async t => {
    t.equal(await store.updateAll('Seat', { 'meta.a': 1 }, { guest: 'm' }), 1)
    t.equal(await store.deleteAll('Seat', { guest: { regexp: '^m$' } }), 1)
    t.equal(await store.count('Seat', { guest: { regexp: '.' } }), 1)
  })

  t.test('asked for where there are none', async t => {
    if (database.server === undefined) return t.comment('a server of its own')
    const wrong = database.make({ transactions: true })
    await t.rejects(Promise.resolve().then(() => wrong.connect()), { code: 'FBK_MONGODB_NO_TRANSACTIONS' })
  })
})
