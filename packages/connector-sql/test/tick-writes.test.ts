/** Writes of one tick of the event loop have one commit, and do what each would do alone, in the order of asking. */
import fc from 'fast-check'
import { setImmediate as yieldToEventLoop } from 'node:timers/promises'
import t, { type Test } from 'tap'
import type { Condition, StoreOptions } from '@fastback/core'
import type { SqlConnector } from '../src/connector.js'
import { loadDriver, type SqliteDatabase } from '../src/dialects/sqlite/driver.js'
import { context, openSql } from './support/connectors.js'
import { makeModel, query, selectAll } from './support/models.js'

const item = makeModel('Item', { name: 'string' })
const idIs = (value: number): Condition => ({
  kind: 'compare', op: 'eq', path: { property: 'id', path: [], type: { kind: 'number' }, declared: true }, value
})
const atOnce: StoreOptions = {}
const byTurn: StoreOptions = { ofThisTick: true }

interface Parts {
  sql: SqlConnector
  /** A connection that Fastback knows nothing of, as another process has it. */
  other: SqliteDatabase
  /** Stores a row with this id; nothing waits for it. */
  put (id: number): Promise<unknown>
  /** How many rows others find in the file. */
  stored (): unknown
}

async function open (t: Test, settings: object = {}): Promise<Parts> {
  const file = `${t.testdir({})}/turn.sqlite`
  const sql = await openSql({ url: `sqlite:${file}`, ...settings }, [item])
  const other = (await loadDriver(context()))(file)
  t.teardown(() => {
    other.close()
    return sql.disconnect()
  })
  return {
    sql,
    other,
    put: async id => await sql.create(item, { id, name: `row ${id}` }, byTurn),
    stored: () => (other.prepare('SELECT count(*) AS n FROM "Item"').get() as { n: unknown }).n
  }
}

/** So many writes in a turn that those of the next turns are made together. */
async function busyTurns (sql: SqlConnector): Promise<void> {
  for (let turn = 0; turn < 2; turn++) {
    await Promise.all(Array.from({ length: 64 }, async () => await sql.updateById(item, 0, { name: 'nobody' }, byTurn)))
    // The first turn is watched: its writes are made at once.
    await yieldToEventLoop()
  }
}

/** What an operation gives, or the code of its error. */
const outcomeOf = async (operation: Promise<unknown>): Promise<unknown> =>
  await operation.then(result => result ?? null, (error: unknown) => (error as { code?: unknown }).code)

const outcomes = async (writes: ReadonlyArray<Promise<unknown>>): Promise<unknown[]> =>
  await Promise.all(writes.map(async each => await outcomeOf(each.then(() => 'stored'))))

t.test('writes of a busy turn are in the file when the first of them is acknowledged, and not before', async t => {
  const { sql, put, stored } = await open(t)
  await busyTurns(sql)
  const writes = [put(1), put(2), put(3)]
  t.equal(stored(), 0)
  await writes[0]
  t.equal(stored(), 3)
  t.match(await Promise.all(writes), [{ id: 1 }, { id: 2 }, { id: 3 }])
})

t.test('no transaction is open while other code runs', async t => {
  const { sql, other, put, stored } = await open(t)
  other.exec('PRAGMA busy_timeout = 0')
  await busyTurns(sql)
  const writes = [put(1), put(2), put(3)]
  other.exec('INSERT INTO "Item" ("id") VALUES (4)')
  t.equal(stored(), 1)
  await Promise.all(writes)
  t.equal(stored(), 4)
})

t.test('whatever else is done in this process finds what was asked for before it', async t => {
  const parts = await open(t)
  const { sql } = parts
  let id = 100
  const counts: Record<string, () => unknown> = {
    'a read': () => sql.count(item, undefined, atOnce),
    'a read of this turn': () => sql.count(item, undefined, byTurn),
    'a statement': async () => Number(Object.values((await sql.execute('SELECT count(*) FROM "Item"') as object[])[0] ?? {})[0]),
    'a write': () => sql.updateAll(item, undefined, { name: 'changed' }, atOnce),
    async 'a transaction' () {
      const transaction = await sql.transactions.begin({})
      const count = await sql.count(item, undefined, { transaction })
      await sql.transactions.rollback(transaction)
      return count
    },
    async 'another data source on the file' () {
      const second = await openSql({ url: `sqlite:${sql.settings.location}`, migrate: 'none' })
      await busyTurns(sql)
      const writes = [parts.put(id++), parts.put(id++)]
      const count = second.count(item, undefined, atOnce)
      await Promise.all(writes)
      await second.disconnect()
      return Number(count) - 2
    }
  }
  for (const [name, count] of Object.entries(counts)) {
    await busyTurns(sql)
    const before = Number(parts.stored())
    const writes = [parts.put(id++), parts.put(id++), parts.put(id++)]
    t.equal(parts.stored(), before, 'they are put off')
    t.equal(Number(await count()), before + 3, name)
    t.same(await outcomes(writes), ['stored', 'stored', 'stored'])
  }
})

t.test('one that fails takes no other with it', async t => {
  const { sql, put, stored } = await open(t)
  await put(2)
  await busyTurns(sql)
  t.same(await outcomes([put(1), put(2), put(3)]), ['stored', 'DUPLICATE_ID', 'stored'])
  t.equal(stored(), 3)
})

t.test('nor where its error undoes the transaction, or shows at the commit', async t => {
  const { sql, put, stored, other } = await open(t, { foreignKeys: true })
  const never = 'SELECT RAISE(ROLLBACK, \'no\')'
  await sql.execute(`CREATE TRIGGER "never" BEFORE INSERT ON "Item" WHEN new."id" = 2 BEGIN ${never}; END`)
  await busyTurns(sql)
  const [first, second, third] = await outcomes([put(1), put(2), put(3)])
  t.same([first, third], ['stored', 'stored'])
  t.not(second, 'stored')
  t.equal(stored(), 2)

  const part = makeModel('Part', { itemId: 'number' })
  other.exec('CREATE TABLE "Part" ("id" INTEGER PRIMARY KEY, "itemId" INTEGER REFERENCES "Item" DEFERRABLE INITIALLY DEFERRED)')
  const add = async (id: number, itemId: number): Promise<unknown> => await sql.create(part, { id, itemId }, byTurn)
  await add(1, 1)
  await busyTurns(sql)
  t.same(await outcomes([add(2, 1), add(3, 77), add(4, 3)]), ['stored', 'FOREIGN_KEY', 'stored'])
})

t.test('where another process keeps the lock all wait for it once', async t => {
  const { sql, other, put, stored } = await open(t, { busyTimeout: 300 })
  await busyTurns(sql)
  other.exec('BEGIN IMMEDIATE')
  const begin = performance.now()
  const writes = [put(1), put(2), put(3), put(4), put(5)]
  t.same(await outcomes(writes), Array(5).fill('DATABASE_BUSY'))
  t.ok(performance.now() - begin < 1000)
  other.exec('COMMIT')
  await put(6)
  t.equal(stored(), 1)
})

t.test('where an application has begun a transaction by a statement of its own, they are part of that', async t => {
  const { sql, put, stored } = await open(t)
  await busyTurns(sql)
  await sql.execute('BEGIN')
  t.same(await outcomes([put(1), put(2), put(3)]), ['stored', 'stored', 'stored'])
  await sql.execute('ROLLBACK')
  t.equal(stored(), 0)
})

t.test('a write of a quiet turn is made at once, and so are those that nothing is said of', async t => {
  const { sql, stored } = await open(t)
  let putOff = 0
  for (let id = 1; id <= 80; id++) {
    sql.create(item, { id }, byTurn)
    if (stored() !== id) putOff++
    await yieldToEventLoop()
    t.equal(stored(), id)
  }
  t.equal(putOff, 0, 'also where turns are watched')
  await busyTurns(sql)
  sql.create(item, { id: 81 }, atOnce)
  t.equal(stored(), 81)
})

t.test('closing in a busy turn makes what was put off', async t => {
  const { sql, put, stored } = await open(t)
  await busyTurns(sql)
  const writes = [put(1), put(2), put(3)]
  await sql.disconnect()
  t.same(await outcomes(writes), ['stored', 'stored', 'stored'])
  t.equal(stored(), 3)
  await sql.connect()
})

t.test('together they do what each would do alone', async t => {
  const together = await open(t)
  const alone = await openSql({ url: 'sqlite::memory:' }, [item])
  t.teardown(async () => { await alone.disconnect() })
  const id = fc.integer({ min: 1, max: 6 })
  const name = fc.constantFrom('a', 'b', null)
  const operation = fc.oneof(
    fc.record({ kind: fc.constantFrom('create', 'updateById', 'replaceById'), id, name }),
    fc.record({ kind: fc.constantFrom('find', 'delete', 'pause'), id, name })
  )
  type Operation = { kind: string, id: number, name: string | null }
  const perform = async (sql: SqlConnector, options: StoreOptions, { kind, id, name }: Operation): Promise<unknown> => {
    switch (kind) {
      case 'create': return await sql.create(item, { id, name }, options)
      case 'updateById': return await sql.updateById(item, id, { name }, options)
      case 'replaceById': return await sql.replaceById(item, id, { id, name }, options)
      case 'delete': return await sql.deleteAll(item, idIs(id), options)
      case 'find': return await sql.findById(item, id, selectAll(item), options)
    }
    return undefined
  }
  await fc.assert(fc.asyncProperty(fc.array(operation, { maxLength: 40 }), async operations => {
    for (const sql of [together.sql, alone]) await sql.deleteAll(item, undefined, atOnce)
    await busyTurns(together.sql)
    const results: Array<Array<Promise<unknown>>> = [[], []]
    for (const each of operations) {
      if (each.kind === 'pause') await yieldToEventLoop()
      results[0]?.push(outcomeOf(perform(together.sql, byTurn, each)))
      results[1]?.push(outcomeOf(perform(alone, atOnce, each)))
    }
    const [found, wanted] = await Promise.all(results.map(async each => await Promise.all(each)))
    t.strictSame(found, wanted)
    t.strictSame(await together.sql.find(item, query(item), atOnce), await alone.find(item, query(item), atOnce))
  }), { numRuns: 200 })
})
