/** Operations that are one unit: all of them or none, with the other writes of a tick or at once. */
import t, { type Test } from 'tap'
import type { StoreOptions, UnitSupport } from '@fastback/core'
import type { SqlConnector } from '../src/connector.js'
import { openSql } from './support/connectors.js'
import { makeModel } from './support/models.js'

const item = makeModel('Item', { name: 'string' })
const part = makeModel('Part', { name: 'string' })
const byTick: StoreOptions = { ofThisTick: true }

async function open (t: Test, settings: object = {}): Promise<{
  sql: SqlConnector, units: UnitSupport, counts: () => unknown, pair: (id: number, within: StoreOptions) => number
}> {
  const sql = await openSql({ url: `sqlite:${t.testdir({})}/units.sqlite`, ...settings }, [item, part])
  t.teardown(() => sql.disconnect())
  return {
    sql,
    units: sql.units as UnitSupport,
    counts: () => [sql.count(item, undefined), sql.count(part, undefined)].map(Number),
    pair: (id, within) => {
      sql.create(item, { id, name: 'one' }, within)
      sql.create(part, { id, name: 'two' }, within)
      return id
    }
  }
}

/** So many writes that those of the next ticks are made together. */
async function busyTicks (sql: SqlConnector): Promise<void> {
  for (let tick = 0; tick < 2; tick++) {
    await Promise.all(Array.from({ length: 64 }, async () => await sql.updateById(item, 0, { name: 'nobody' }, byTick)))
  }
}

const codeOf = (error: unknown): unknown => (error as { code?: unknown }).code
const outcomes = async (all: ReadonlyArray<Promise<unknown>>): Promise<unknown[]> =>
  await Promise.all(all.map(async each => await each.then(result => result, codeOf)))

t.test('at once where nothing else is written: all or nothing', async t => {
  const { units, counts, pair, sql } = await open(t)
  t.equal(await units.run([item, part], {}, within => pair(1, within)), 1)
  sql.create(part, { id: 2, name: 'in the way' })
  t.throws(() => units.run([item, part], {}, within => pair(2, within)), { code: 'DUPLICATE_ID' })
  t.same(counts(), [1, 2], 'the first row of the one that failed is undone')
})

t.test('with the other writes of a tick; one that fails takes no other with it', async t => {
  const { units, counts, pair, sql } = await open(t)
  sql.create(part, { id: 2, name: 'in the way' })
  await busyTicks(sql)
  const runs = [0, 0, 0]
  const unit = async (i: number): Promise<unknown> => await units.run([item, part], byTick, within => {
    runs[i - 1]!++
    return pair(i, within)
  })
  const all = [unit(1), unit(2), unit(3), (async () => await sql.create(item, { id: 9, name: 'alone' }, byTick))()]
  t.same(runs, [0, 0, 0], 'they are put off')
  t.same((await outcomes(all)).slice(0, 3), [1, 'DUPLICATE_ID', 3])
  t.same(counts(), [3, 3])
  t.same(runs, [2, 2, 1], 'done again, each alone, what was done until the first error')
})

t.test('what is read within finds what was written within, and others find neither', async t => {
  const { units, sql } = await open(t)
  const found = await units.run([item], {}, within => {
    sql.create(item, { id: 1, name: 'a' }, within)
    return Number(sql.count(item, undefined, within))
  })
  t.equal(found, 1)
})

t.test('work that goes on is refused, and so are operations after the end', async t => {
  const { units, counts, sql } = await open(t)
  const late: StoreOptions[] = []
  t.throws(() => units.run([item], {}, async within => {
    late.push(within)
    sql.create(item, { id: 1, name: 'a' }, within)
  }), TypeError)
  t.throws(() => sql.create(item, { id: 2, name: 'b' }, late[0]), { code: 'FBK_SQL_UNKNOWN_TRANSACTION' })
  t.same(counts(), [0, 0])
})

t.test('a transaction that is open is waited for; its rollback takes nothing of the unit', async t => {
  const { units, counts, pair, sql } = await open(t)
  const transaction = await sql.transactions.begin({})
  await sql.create(item, { id: 7, name: 'taken back' }, { transaction })
  const unit = units.run([item, part], byTick, within => pair(1, within))
  await sql.transactions.rollback(transaction)
  t.equal(await unit, 1)
  t.same(counts(), [1, 1])
})

t.test('none while observers are told of statements: these may take their time', async t => {
  const { sql } = await open(t)
  sql.observed((_, work) => work({ sql: '', params: [] } as never))
  t.equal(sql.units, undefined)
  sql.observed(undefined)
  t.not(sql.units, undefined)
})
