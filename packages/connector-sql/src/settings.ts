/** Settings of a data source with this connector. */
import { isAbsolute, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { errors, type ConnectorContext, type DataSourceSettings } from '@fastback/core'
import type { SqliteDatabase } from './dialects/sqlite/driver.js'

export type DialectName = 'sqlite' | 'postgres' | 'mysql'

/** What a data source says, as written. Unknown keys are left to others. */
export interface SqlDataSourceSettings extends DataSourceSettings {
  /** `sqlite:FILE`, `sqlite::memory:`, `postgres://…`, `mysql://…`. */
  readonly url?: string
  /** SQLite, LoopBack's way of writing it: a file name or `:memory:`. */
  readonly file?: string
  /** SQLite: an open database (`node:sqlite` or better-sqlite3). It is not closed with the data source. Server databases: the database's name. */
  readonly database?: unknown
  /** SQLite: `PRAGMA journal_mode`. Default `wal`. */
  readonly journalMode?: string
  /**
   * SQLite: `PRAGMA synchronous`. Default `normal`: an acknowledged write survives the end of the process, a power failure may lose the last ones;
   * `full` keeps those too.
   */
  readonly synchronous?: string
  /** SQLite: how long to wait for a lock of another process, in milliseconds. Default 5000. */
  readonly busyTimeout?: number
  /** SQLite: whether foreign keys of existing tables are enforced. Default false. */
  readonly foreignKeys?: boolean
  /** Prepared statements kept, at least 2. Default 500. */
  readonly statementCache?: number
  /** After how many milliseconds a transaction is rolled back when nothing ended it. Default 30000. */
  readonly transactionTimeout?: number
  /** Name of the column for what the other columns cannot carry. Default `_extra`. */
  readonly extraColumn?: string
}

/** The same, checked, with every default filled in. */
export interface SqlSettings {
  readonly dialect: DialectName
  /** SQLite: an absolute file name or `:memory:`. Servers: the URL. */
  readonly location: string
  readonly database: SqliteDatabase | undefined
  readonly journalMode: string
  readonly synchronous: string
  readonly busyTimeout: number
  readonly foreignKeys: boolean
  readonly statementCache: number
  readonly transactionTimeout: number
  readonly extraColumn: string
}

const connectorDialects: Readonly<Record<string, DialectName>> = {
  sqlite: 'sqlite', sqlite3: 'sqlite', postgres: 'postgres', postgresql: 'postgres', mysql: 'mysql', mariadb: 'mysql'
}

/**
 * Checks the settings of a data source.
 * @throws FBK_CORE_DATA_SOURCE_SETTINGS naming the key that cannot be used
 */
export function readSettings (given: DataSourceSettings, context: ConnectorContext): SqlSettings {
  const settings = given as SqlDataSourceSettings
  const refuse = (why: string): never => { throw new errors.DataSourceSettingsError(context.dataSource, why) }
  const oneOf = (key: 'journalMode' | 'synchronous', allowed: readonly string[], fallback: string): string => {
    const value = settings[key] ?? fallback
    return typeof value === 'string' && allowed.includes(value.toLowerCase()) ? value.toLowerCase() : refuse(`"${key}" must be one of ${allowed.join(', ')}`)
  }
  const whole = (key: 'busyTimeout' | 'statementCache' | 'transactionTimeout', least: number, fallback: number): number => {
    const value = settings[key] ?? fallback
    return Number.isInteger(value) && value >= least && value < 2 ** 31 ? value : refuse(`"${key}" must be a whole number from ${least}`)
  }
  const extraColumn = settings.extraColumn ?? '_extra'
  if (typeof extraColumn !== 'string' || extraColumn === '') refuse('"extraColumn" must be the name of a column')
  return {
    ...locate(settings, context, refuse),
    journalMode: oneOf('journalMode', ['wal', 'delete', 'truncate', 'persist', 'memory', 'off'], 'wal'),
    synchronous: oneOf('synchronous', ['off', 'normal', 'full', 'extra'], 'normal'),
    busyTimeout: whole('busyTimeout', 0, 5000),
    foreignKeys: settings.foreignKeys === true,
    statementCache: whole('statementCache', 2, 500),
    transactionTimeout: whole('transactionTimeout', 1, 30_000),
    extraColumn
  }
}

type Location = Pick<SqlSettings, 'dialect' | 'location' | 'database'>

function locate (settings: SqlDataSourceSettings, context: ConnectorContext, refuse: (why: string) => never): Location {
  const { url, file, database } = settings
  if (url !== undefined) {
    if (typeof url !== 'string') return refuse('"url" must be a text')
    const scheme = /^([a-z0-9]+):/i.exec(url)?.[1]?.toLowerCase()
    const dialect = scheme === undefined ? undefined : connectorDialects[scheme]
    if (dialect === undefined) return refuse('"url" must begin with sqlite:, postgres: or mysql:')
    const location = dialect === 'sqlite' ? fileOf(url.slice(url.indexOf(':') + 1), context, refuse) : url
    return { dialect, location, database: undefined }
  }
  if (database !== null && typeof database === 'object') return { dialect: 'sqlite', location: ':memory:', database: handedIn(database, refuse) }
  if (typeof file === 'string') return { dialect: 'sqlite', location: fileOf(file, context, refuse), database: undefined }
  return refuse('says neither "url" (sqlite:FILE) nor "file", as a text')
}

/** The file of `sqlite:FILE`, `sqlite:///abs/FILE` or a bare name, resolved against the application's folder. */
function fileOf (name: string, context: ConnectorContext, refuse: (why: string) => never): string {
  const path = name.startsWith('file:') ? fileURLToPath(name) : name.startsWith('//') ? name.slice(2) : name
  if (path === ':memory:') return path
  if (path === '' || path.includes('\0')) return refuse('names no file')
  return isAbsolute(path) ? path : resolve(context.baseDir, path)
}

function handedIn (database: object, refuse: (why: string) => never): SqliteDatabase {
  const usable = ['exec', 'prepare', 'close', 'function'].every(name => typeof (database as Record<string, unknown>)[name] === 'function')
  return usable ? database as SqliteDatabase : refuse('"database" must have the interface of node:sqlite\'s DatabaseSync or of better-sqlite3')
}
