// FASTBACK_TEST_FULL: a log of many megabytes, on a disk.
/** The log of a SQLite file is written back by a thread: it begins anew, loses nothing, and keeps nobody waiting. */
import { existsSync, readdirSync, statSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import t, { type Test } from 'tap'
import type { StoreOptions } from '@fastback/core'
import { checkpoint, type LogState } from '../src/dialects/sqlite/checkpoint.js'
import { Checkpointer, type Writers } from '../src/dialects/sqlite/checkpointer.js'
import { loadDriver, type SqliteDatabase } from '../src/dialects/sqlite/driver.js'
import { context, openSql } from './support/connectors.js'
import { makeModel, query } from './support/models.js'

const item = makeModel('Item', { name: 'string' })
const ofThisTick: StoreOptions = { ofThisTick: true }
const limit = 200

interface Log {
  readonly database: SqliteDatabase
  readonly checkpointer: Checkpointer
  /** What was done with the writers, in this order. */
  readonly done: string[]
  readonly warnings: string[]
  /** Writes rows that fill the log by so many pages at least. */
  fill (pages: number): void
  /** Bytes of the log's file, which never gets shorter. */
  size (): number
  until (what: string): Promise<void>
}

/** A file with a log, and its checkpointer. `hold`: what happens when writes are to be put off. */
async function open (
  t: Test, { driver, hold, pages = limit, restTime }:
  Partial<Pick<Writers, 'hold'>> & { driver?: string, pages?: number, restTime?: number } = {}
): Promise<Log> {
  const file = `${t.testdir({})}/log.sqlite`
  const loaded = await loadDriver(context())
  const database = loaded.open(file)
  database.exec('PRAGMA journal_mode = wal; PRAGMA wal_autocheckpoint = 0; CREATE TABLE rows (text)')
  const insert = database.prepare('INSERT INTO rows VALUES (?)')
  const done: string[] = []
  const warnings: string[] = []
  const log = { ...context().log, warn: (_: unknown, text: string) => { warnings.push(text) } }
  const checkpointer = new Checkpointer({ file, driver: driver ?? loaded.path, pages, restTime }, {
    hold () {
      done.push('hold')
      hold?.()
    },
    release: () => { done.push('release') },
    checkpoint (): LogState {
      done.push('checkpoint')
      return checkpoint(database)
    },
    giveUp: () => { done.push('give up') }
  }, log as never)
  t.teardown(async () => {
    await checkpointer.close()
    database.close()
  })
  return {
    database,
    checkpointer,
    done,
    warnings,
    fill (pages) {
      for (let i = 0; i < pages; i++) {
        insert.run('x'.repeat(3000))
        checkpointer.wrote()
      }
    },
    size: () => statSync(`${file}-wal`).size,
    async until (what) {
      for (let i = 0; !done.includes(what); i++) {
        if (i > 3000) throw new Error(`No ${what}: ${done.join(', ')}`)
        await sleep(10)
      }
    }
  }
}

t.test('a long log is written into the file while writes are put off, and begins anew', async t => {
  const { database, done, fill, size, until } = await open(t)
  fill(2 * limit)
  t.same(done, [], 'nothing happens within a write')
  await until('release')
  t.same(done, ['hold', 'release'])
  t.same(checkpoint(database).written, checkpoint(database).pages, 'all is in the file')
  const before = size()
  // Less than a pass takes, so that the next one does not come between.
  fill(20)
  t.equal(size(), before)
  t.ok(checkpoint(database).pages < limit, 'the log begins anew')
})

t.test('how much a write takes is learnt: the next pass comes when the log is long again', async t => {
  const { done, fill, until } = await open(t)
  fill(2 * limit)
  await until('release')
  done.length = 0
  fill(30)
  await sleep(100)
  t.same(done, [])
  fill(2 * limit)
  await until('release')
})

t.test('where somebody writes all the same, the rest is written back at once', async t => {
  const { database, done, fill, until }: Log = await open(t, { hold: () => { queueMicrotask(() => { fill(1) }) } })
  fill(2 * limit)
  await until('release')
  t.same(done, ['hold', 'checkpoint', 'release'])
  t.same(checkpoint(database).written, checkpoint(database).pages)
})

t.test('a reader of an old state keeps the log from beginning anew, and nobody from writing', async t => {
  const log = await open(t)
  const reader = (await loadDriver(context())).open(`${t.testdirName}/log.sqlite`)
  t.teardown(() => { reader.close() })
  log.fill(10)
  reader.exec('BEGIN; SELECT count(*) FROM rows')
  log.fill(2 * limit)
  await log.until('release')
  const { pages, written } = checkpoint(log.database)
  t.ok(written < pages)
  reader.exec('COMMIT')
  log.done.length = 0
  log.fill(limit)
  await log.until('release')
  t.equal(checkpoint(log.database).written, checkpoint(log.database).pages)
})

t.test('when nobody writes any more, a shorter log is written back', async t => {
  const { database, done, fill, until } = await open(t, { pages: 5000 })
  // SQLite's own thousand pages.
  fill(1100)
  await sleep(100)
  t.same(done, [])
  await until('release')
  t.same(checkpoint(database).written, checkpoint(database).pages)
})

t.test('the thread ends when nothing calls for it, and another one starts when something does', async t => {
  const { database, checkpointer, done, fill, until } = await open(t, { restTime: 50 })
  const threads = (): number => readdirSync('/proc/self/task').length
  const before = existsSync('/proc/self/task') ? threads() : undefined
  for (let i = 0; i < 3; i++) {
    done.length = 0
    fill(2 * limit)
    await until('release')
    t.same(checkpoint(database).written, checkpoint(database).pages)
    if (before === undefined) await sleep(500)
    else {
      t.ok(threads() > before, 'it waits for more')
      for (let wait = 0; threads() > before; wait++) {
        if (wait > 1000) throw new Error('The thread is still there')
        await sleep(10)
      }
    }
  }
  fill(2 * limit)
  await checkpointer.close()
  t.ok(checkpointer.isAble === false, 'closed while it is at work')
})

t.test('without a thread SQLite does it', async t => {
  const { done, warnings, fill, until } = await open(t, { driver: '/nowhere/driver.js' })
  fill(2 * limit)
  await until('give up')
  t.match(warnings, [/log\.sqlite: the log is written back within commits/])
  done.length = 0
  fill(2 * limit)
  await sleep(50)
  t.same(done, [], 'and nothing is tried again')
})

t.test('requests: the log stays short, each write is there once', async t => {
  const file = `${t.testdir({})}/requests.sqlite`
  const sql = await openSql({ url: `sqlite:${file}`, walAutocheckpoint: limit }, [item])
  const name = 'x'.repeat(3000)
  let id = 0
  let longest = 0
  const until = Date.now() + 120_000
  // As long as the thread takes to get a processor: without it the log has all that was written.
  while (id < 4_000 || (longest * 3 > id * name.length && Date.now() < until)) {
    await Promise.all(Array.from({ length: 16 }, async () => await sql.create(item, { id: ++id, name }, ofThisTick)))
    await sleep(0)
    longest = statSync(`${file}-wal`).size
  }
  t.ok(longest * 3 <= id * name.length, `${longest} bytes of ${id} rows`)
  const rows = await sql.find(item, query(item), {})
  t.equal(rows.length, id)
  t.equal(new Set(rows.map(row => row.id)).size, id)
  await sql.disconnect()
  t.ok(statSync(file).size > id * name.length, 'all is in the file')
})
