/** The store of Node and of what else has SQLite: over a database that its application opens. */
import { ClientError } from '../errors.js'
import type { Id, Store } from '../store.js'

/** What is asked of a statement. */
export interface SqliteStatement {
  run (...values: unknown[]): unknown
  get (...values: unknown[]): unknown
  all (...values: unknown[]): unknown[]
}

/** What is asked of a database: `node:sqlite`, `@photostructure/sqlite` and `better-sqlite3` have it. */
export interface SqliteDatabase {
  exec (sql: string): unknown
  prepare (sql: string): SqliteStatement
  close (): unknown
}

export interface SqliteOptions {
  readonly database: SqliteDatabase
  /** What tells this store from others of the process. Default: one that no other has. */
  readonly name?: string
}

interface Record { readonly key: number | Uint8Array, readonly value: string }

/**
 * A store in an SQLite database, in tables whose names begin with `fastback_`. Several processes may share one file.
 *
 * ```js
 * import { DatabaseSync } from 'node:sqlite'
 * import { sqliteStore } from '@fastback/client/sqlite'
 *
 * const store = sqliteStore({ database: new DatabaseSync('notes.db') })
 * ```
 */
export function sqliteStore ({ database, name = crypto.randomUUID() }: SqliteOptions): Store {
  const statements = new Map<string, SqliteStatement>()
  const prepared = (sql: string): SqliteStatement => {
    const known = statements.get(sql)
    if (known !== undefined) return known
    const made = database.prepare(sql)
    statements.set(sql, made)
    return made
  }
  const revision = (): number =>
    Number((prepared('SELECT revision FROM fastback_meta').get() as { revision: number | bigint }).revision)
  /** The lock of writers is taken before the revision is read. */
  const changed = (expected: number | undefined, work: () => void): boolean => {
    try {
      database.exec('BEGIN IMMEDIATE')
    } catch (error) {
      throw told(error)
    }
    try {
      const isAsExpected = expected === undefined || expected === revision()
      if (isAsExpected) {
        work()
        prepared('UPDATE fastback_meta SET revision = revision + 1').run()
      }
      database.exec('COMMIT')
      return isAsExpected
    } catch (error) {
      try { database.exec('ROLLBACK') } catch { /* SQLite has rolled back by itself. */ }
      throw told(error)
    }
  }
  return {
    name,
    async open () {
      database.exec('PRAGMA journal_mode = WAL; PRAGMA busy_timeout = 5000')
      database.exec('CREATE TABLE IF NOT EXISTS fastback_meta (id INTEGER PRIMARY KEY CHECK (id = 1), revision INTEGER NOT NULL)')
      database.exec('INSERT OR IGNORE INTO fastback_meta (id, revision) VALUES (1, 0)')
      database.exec('CREATE TABLE IF NOT EXISTS fastback_records (tbl TEXT NOT NULL, key BLOB NOT NULL, value TEXT NOT NULL, PRIMARY KEY (tbl, key)) WITHOUT ROWID')
    },
    async revision () { return revision() },
    async get (table, key) {
      const found = prepared('SELECT value FROM fastback_records WHERE tbl = ? AND key = ?').get(table, kept(key))
      return found === undefined ? undefined : JSON.parse((found as Record).value) as unknown
    },
    async list (table, { after, limit = -1 } = {}) {
      const behind = after === undefined ? [] : [kept(after)]
      const sql = `SELECT key, value FROM fastback_records WHERE tbl = ?${after === undefined ? '' : ' AND key > ?'} ORDER BY key LIMIT ?`
      const found = prepared(sql).all(table, ...behind, limit) as Record[]
      return found.map(({ key, value }) => [shown(key), JSON.parse(value) as unknown] as const)
    },
    async write (expected, changes) {
      return changed(expected, () => {
        const put = prepared('INSERT OR REPLACE INTO fastback_records (tbl, key, value) VALUES (?, ?, ?)')
        const remove = prepared('DELETE FROM fastback_records WHERE tbl = ? AND key = ?')
        for (const { table, key, value } of changes) {
          if (value === undefined) remove.run(table, kept(key))
          else put.run(table, kept(key), JSON.stringify(value))
        }
      })
    },
    async wipe () {
      changed(undefined, () => { database.exec('DELETE FROM fastback_records') })
    },
    async close () { database.close() }
  }
}

/** Texts as their code units, the high byte first: bytes then have the order of texts, behind all numbers. */
function kept (key: Id): number | Uint8Array {
  if (typeof key === 'number') return key
  const bytes = new Uint8Array(key.length * 2)
  const view = new DataView(bytes.buffer)
  for (let i = 0; i < key.length; i++) view.setUint16(i * 2, key.charCodeAt(i))
  return bytes
}

function shown (key: number | Uint8Array): Id {
  if (!(key instanceof Uint8Array)) return Number(key)
  const view = new DataView(key.buffer, key.byteOffset, key.byteLength)
  let text = ''
  for (let i = 0; i < key.byteLength; i += 2) text += String.fromCharCode(view.getUint16(i))
  return text
}

function told (error: unknown): unknown {
  const { message, code, errcode } = error as { message?: unknown, code?: unknown, errcode?: unknown }
  const isFull = code === 'SQLITE_FULL' || errcode === 13 || /database or disk is full/.test(String(message))
  return isFull
    ? new ClientError('QUOTA_EXCEEDED', 'The disk, or the database, is full.', { cause: error })
    : error
}
