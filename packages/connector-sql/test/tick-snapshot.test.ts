/** Reads of one tick of the event loop share a snapshot of a SQLite file, and miss nothing that they have to see. */
import { createRequire } from 'node:module'
import { setImmediate as yieldToEventLoop } from 'node:timers/promises'
import t, { type Test } from 'tap'
import type { StoreOptions } from '@fastback/core'
import type { SqlConnector } from '../src/connector.js'
import { loadDriver, type SqliteDatabase } from '../src/dialects/sqlite/driver.js'
import { context, openSql } from './support/connectors.js'
import { makeModel, query, selectAll } from './support/models.js'

const item = makeModel('Item', { name: 'string' })
const fresh: StoreOptions = {}
const ofThisTick: StoreOptions = { ofThisTick: true }

interface Parts {
  sql: SqlConnector
  /** The name of the row, as a read that may be of this tick finds it. */
  shared (): unknown
  /** The same, as it is. */
  now (): unknown
  /** Writes on a connection that Fastback knows nothing of, as another process would. */
  elsewhere (name: string): void
}

const rowOf = (sql: SqlConnector, options: StoreOptions): unknown =>
  (sql.findById(item, 1, selectAll(item), options) as { name: string } | undefined)?.name

async function open (t: Test, settings: object = {}): Promise<Parts> {
  const file = `${t.testdir({})}/turn.sqlite`
  const sql = await openSql({ url: `sqlite:${file}`, ...settings }, [item])
  await sql.create(item, { id: 1, name: 'first' }, {})
  const other = (await loadDriver(context())).open(file)
  t.teardown(() => {
    other.close()
    return sql.disconnect()
  })
  const update = other.prepare('UPDATE "Item" SET "name" = ? WHERE "id" = 1')
  return {
    sql,
    shared: () => rowOf(sql, ofThisTick),
    now: () => rowOf(sql, fresh),
    elsewhere: name => { update.run(name) }
  }
}

/** So many reads in a turn that the next turns share theirs. */
async function busyTurns ({ shared }: Parts): Promise<void> {
  for (let turn = 0; turn < 2; turn++) {
    for (let i = 0; i < 64; i++) shared()
    await yieldToEventLoop()
  }
}

t.test('reads of a busy turn see the file as it was when the first of them looked', async t => {
  const parts = await open(t)
  const { shared, elsewhere } = parts
  await busyTurns(parts)
  t.equal(shared(), 'first')
  elsewhere('second')
  t.equal(shared(), 'first')
  await yieldToEventLoop()
  t.equal(shared(), 'second', 'the next turn sees what another process has written')
})

t.test('a read that asks for no such thing sees what is there, and so does what comes after it', async t => {
  const parts = await open(t)
  const { shared, now, elsewhere } = parts
  await busyTurns(parts)
  shared()
  elsewhere('second')
  t.equal(now(), 'second')
  t.equal(shared(), 'second')
})

t.test('what is written in this process is seen at once, whoever writes it', async t => {
  const parts = await open(t)
  const { sql, shared } = parts
  const writes: Record<string, () => unknown> = {
    updateById: () => sql.updateById(item, 1, { name: 'updateById' }, {}),
    update: () => sql.updateAll(item, undefined, { name: 'update' }, {}),
    execute: () => sql.execute('UPDATE "Item" SET "name" = \'execute\''),
    async transaction () {
      const transaction = await sql.transactions.begin({})
      await sql.updateById(item, 1, { name: 'transaction' }, { transaction })
      shared()
      await sql.transactions.commit(transaction)
    },
    async connection () {
      const { location } = sql.settings
      const second = await openSql({ url: `sqlite:${location}`, migrate: 'none' })
      await busyTurns(parts)
      shared()
      await second.updateById(item, 1, { name: 'connection' }, {})
      t.equal(shared(), 'connection', 'of another data source on the same file')
      await second.disconnect()
    }
  }
  for (const [name, write] of Object.entries(writes)) {
    await busyTurns(parts)
    shared()
    await write()
    t.equal(shared(), name)
    await yieldToEventLoop()
    t.equal(shared(), name)
  }
})

t.test('a write waits for no read of its turn, and is there when it is acknowledged', async t => {
  const parts = await open(t, { busyTimeout: 0 })
  await busyTurns(parts)
  parts.shared()
  await parts.sql.updateById(item, 1, { name: 'written' }, {})
  const second = await openSql({ url: `sqlite:${parts.sql.settings.location}`, migrate: 'none' })
  t.equal(rowOf(second, fresh), 'written')
  await second.disconnect()
})

t.test('turns with few reads, databases without a log and those in memory share nothing', async t => {
  const parts = await open(t)
  for (let turn = 0; turn < 80; turn++) {
    parts.shared()
    parts.elsewhere(String(turn))
    t.equal(parts.shared(), String(turn))
    await yieldToEventLoop()
  }
  const withoutLog = await open(t, { journalMode: 'delete' })
  await busyTurns(withoutLog)
  withoutLog.shared()
  withoutLog.elsewhere('second')
  t.equal(withoutLog.shared(), 'second')
  const inMemory = await openSql({ url: 'sqlite::memory:' })
  t.equal(inMemory.worksByTurn, false)
  await inMemory.disconnect()
})

t.test('a handed-in database is the application\'s: nothing is begun on it', async t => {
  const { DatabaseSync } = createRequire(import.meta.url)('@photostructure/sqlite') as {
    DatabaseSync: new (file: string) => SqliteDatabase
  }
  const database = new DatabaseSync(`${t.testdir({})}/own.sqlite`)
  database.exec('PRAGMA journal_mode = wal')
  const sql = await openSql({ database }, [item])
  for (let turn = 0; turn < 2; turn++) {
    for (let i = 0; i < 64; i++) await sql.find(item, query(item), ofThisTick)
    await yieldToEventLoop()
  }
  await sql.find(item, query(item), ofThisTick)
  database.exec('BEGIN; COMMIT')
  await sql.disconnect()
  database.close()
})

t.test('a read that fails takes nothing with it', async t => {
  const parts = await open(t)
  await busyTurns(parts)
  parts.shared()
  await t.rejects(async () => parts.sql.execute('SELECT * FROM "Nowhere"'))
  t.equal(parts.shared(), 'first')
  await busyTurns(parts)
  parts.shared()
  parts.elsewhere('second')
  await yieldToEventLoop()
  t.equal(parts.shared(), 'second')
})

t.test('where an application has begun a transaction by a statement of its own, reads go on in that', async t => {
  const parts = await open(t)
  await busyTurns(parts)
  await parts.sql.execute('BEGIN')
  await parts.sql.execute('UPDATE "Item" SET "name" = \'second\'')
  await yieldToEventLoop()
  t.equal(parts.shared(), 'second')
  await parts.sql.execute('ROLLBACK')
  t.equal(parts.shared(), 'first')
})

t.test('closing in a busy turn leaves the file whole', async t => {
  const parts = await open(t)
  await busyTurns(parts)
  parts.shared()
  const { sql } = parts
  const { location } = sql.settings
  await sql.disconnect()
  const again = await openSql({ url: `sqlite:${location}`, migrate: 'none' })
  t.equal(rowOf(again, fresh), 'first')
  await again.disconnect()
  await sql.connect()
})
