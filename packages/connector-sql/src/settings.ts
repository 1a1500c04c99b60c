/** Settings of a data source with this connector. */
import { isAbsolute, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { errors, type ConnectorContext, type DataSourceSettings } from '@fastback/core'
import type { SqliteDatabase } from './dialects/sqlite/driver.js'
import { readReplicaSettings, type ReplicaSettings } from './replicas/settings.js'
import { readServerSettings, type ServerSettings } from './server-settings.js'

export type DialectName = 'sqlite' | 'postgres' | 'mysql'

/** What a data source says, as written. Unknown keys are left to others. */
export interface SqlDataSourceSettings extends DataSourceSettings {
  /** `sqlite:FILE`, `sqlite::memory:`, `postgres://…`, `mysql://…`. */
  readonly url?: string
  /** SQLite, LoopBack's way of writing it: a file name or `:memory:`. */
  readonly file?: string
  /** The same, as `loopback-connector-sqlite` has it. */
  readonly file_name?: string
  /**
   * SQLite: an open database (`node:sqlite` or better-sqlite3). It is not closed with the data source. Server
   * databases: the database's name.
   */
  readonly database?: unknown
  /** SQLite: `PRAGMA journal_mode`. Default `wal`. */
  readonly journalMode?: string
  /**
   * SQLite: `PRAGMA synchronous`. Default `normal`: an acknowledged write survives the end of the process, a power
   * failure may lose the last ones; `full` keeps those too.
   */
  readonly synchronous?: string
  /**
   * SQLite: `PRAGMA wal_autocheckpoint`, how many pages the log of a file holds before they are written into the file
   * itself. Default 16000 (64 MB), which spares writes a tenth and more beside SQLite's own 1000. With
   * `synchronous: normal` a power failure may lose what is in the log.
   */
  readonly walAutocheckpoint?: number
  /**
   * SQLite: kilobytes of a database that each connection keeps in memory, `PRAGMA cache_size`. Default 16000, where
   * SQLite's own is 2000: a page that is not kept is asked of the system each time.
   */
  readonly cacheSize?: number
  /** SQLite: how long to wait for a lock of another process, in milliseconds. Default 5000. */
  readonly busyTimeout?: number
  /**
   * Whether relations to models of the same data source are foreign keys of the database. SQLite enforces those of
   * existing tables only with it. Default false.
   */
  readonly foreignKeys?: boolean
  /**
   * Prepared statements kept per connection. Default 500. At least 2; with servers also 0 for none (poolers that share
   * connections between clients).
   */
  readonly statementCache?: number
  /** After how many milliseconds a transaction is rolled back when nothing ended it. Default 30000. */
  readonly transactionTimeout?: number
  /** Name of the column for what the other columns cannot carry. Default `_extra`. */
  readonly extraColumn?: string
  /**
   * Servers, LoopBack's way of writing it, where there is no `url`. Defaults are the driver's (localhost, the port of
   * the database).
   */
  readonly host?: string
  readonly port?: number | string
  readonly user?: string
  readonly username?: string
  readonly password?: string
  /** PostgreSQL: the schema of the tables. Default: the first of the user's search path, `public` as a rule. */
  readonly schema?: string
  /** PostgreSQL: how the connections are called in the server's lists. Default `fastback`. */
  readonly applicationName?: string
  /** Servers: true for TLS, or the options of Node's `tls.connect`. Default false. */
  readonly ssl?: unknown
  /** Servers: most connections at a time. Default 10. LoopBack's `max` and `connectionLimit` are the same. */
  readonly poolSize?: number
  /** Servers: milliseconds to wait for a connection. Default 5000. */
  readonly connectionTimeout?: number
  /** Servers: milliseconds after which a connection that nobody uses is closed; 0 for never. Default 30000. */
  readonly idleTimeout?: number
  /** Servers: milliseconds that the database may work on one statement; 0 for any time. Default 30000. */
  readonly statementTimeout?: number
  /**
   * Servers: databases that follow this one, and answer reads in its place: URLs, or what is different of these
   * settings (`{ "host": "replica-1" }`). Default: none.
   */
  readonly replicas?: ReadonlyArray<string | Readonly<Record<string, unknown>>>
  /** Milliseconds for which a replica that failed is left out. Default 5000. */
  readonly replicaRetry?: number
  /** PostgreSQL: milliseconds that who wrote waits until a replica has that; then the primary answers. Default 100. */
  readonly replicaWait?: number
  /**
   * Milliseconds for which who wrote reads from the primary. Default: PostgreSQL asks its standbys how far they are;
   * elsewhere 2000.
   */
  readonly primaryAfterWrite?: number
}

/** The same, checked, with every default filled in. */
export interface SqlSettings {
  readonly dialect: DialectName
  /** SQLite: an absolute file name or `:memory:`. */
  readonly location: string
  /** Where the server is. */
  readonly server: ServerSettings | undefined
  readonly replicas: ReplicaSettings | undefined
  readonly database: SqliteDatabase | undefined
  readonly journalMode: string
  readonly synchronous: string
  readonly walAutocheckpoint: number
  readonly cacheSize: number
  readonly busyTimeout: number
  readonly foreignKeys: boolean
  readonly statementCache: number
  readonly transactionTimeout: number
  readonly extraColumn: string
}

/** Whether the data is in a SQLite file that the data source opens: not in memory, and not handed in. */
export const isInFile = ({ dialect, location }: SqlSettings): boolean => dialect === 'sqlite' && location !== ':memory:'

/** By the scheme of a URL, and by LoopBack's names of connectors. */
const dialects: Readonly<Record<string, DialectName>> = {
  sqlite: 'sqlite', sqlite3: 'sqlite', postgres: 'postgres', postgresql: 'postgres', mysql: 'mysql', mariadb: 'mysql'
}

/**
 * Checks the settings of a data source.
 * @throws FBK_CORE_DATA_SOURCE_SETTINGS naming the key that cannot be used
 */
export function readSettings (given: DataSourceSettings, context: ConnectorContext): SqlSettings {
  const settings = withoutEmptyUrl(given)
  const refuse = (why: string): never => { throw new errors.DataSourceSettingsError(context.dataSource, why) }
  const oneOf = (key: 'journalMode' | 'synchronous', allowed: readonly string[], fallback: string): string => {
    const value = settings[key] ?? fallback
    return typeof value === 'string' && allowed.includes(value.toLowerCase())
      ? value.toLowerCase()
      : refuse(`"${key}" must be one of ${allowed.join(', ')}`)
  }
  const whole = (
    key: 'walAutocheckpoint' | 'cacheSize' | 'busyTimeout' | 'statementCache' | 'transactionTimeout',
    least: number,
    fallback: number
  ): number => {
    const value = settings[key] ?? fallback
    return Number.isInteger(value) && value >= least && value < 2 ** 31
      ? value
      : refuse(`"${key}" must be a whole number from ${least}`)
  }
  const extraColumn = settings.extraColumn ?? '_extra'
  if (typeof extraColumn !== 'string' || extraColumn === '') refuse('"extraColumn" must be the name of a column')
  const location = locate(settings, context, refuse)
  return {
    ...location,
    replicas: location.server === undefined ? undefined : readReplicaSettings(withoutEmptyUrl(given), refuse),
    journalMode: oneOf('journalMode', ['wal', 'delete', 'truncate', 'persist', 'memory', 'off'], 'wal'),
    synchronous: oneOf('synchronous', ['off', 'normal', 'full', 'extra'], 'normal'),
    walAutocheckpoint: whole('walAutocheckpoint', 1, 16_000),
    cacheSize: whole('cacheSize', 1, 16_000),
    busyTimeout: whole('busyTimeout', 0, 5000),
    foreignKeys: settings.foreignKeys === true,
    statementCache:
      settings.statementCache === 0 && location.server !== undefined ? 0 : whole('statementCache', 2, 500),
    transactionTimeout: whole('transactionTimeout', 1, 30_000),
    extraColumn
  }
}

/** LoopBack's generator writes `"url": ""` beside the separate settings: nothing is said by it. */
function withoutEmptyUrl ({ url, ...settings }: DataSourceSettings): SqlDataSourceSettings {
  const isEmpty = url === undefined || url === null || url === ''
  return { ...settings, ...(isEmpty ? {} : { url }) } as SqlDataSourceSettings
}

type Location = Pick<SqlSettings, 'dialect' | 'location' | 'database' | 'server'>
type Refuse = (why: string) => never

function locate (settings: SqlDataSourceSettings, context: ConnectorContext, refuse: Refuse): Location {
  const { url, file = settings.file_name, database } = settings
  const inFile = (location: string): Location => ({
    dialect: 'sqlite',
    location,
    database: undefined,
    server: undefined
  })
  if (url !== undefined) {
    if (typeof url !== 'string') return refuse('"url" must be a text')
    const dialect = dialects[/^([a-z0-9]+):/i.exec(url)?.[1]?.toLowerCase() ?? '']
    if (dialect === undefined) return refuse('"url" must begin with sqlite:, postgres: or mysql:')
    return dialect === 'sqlite'
      ? inFile(fileOf(url.slice(url.indexOf(':') + 1), context, refuse))
      : onServer(dialect, settings, refuse)
  }
  if (database !== null && typeof database === 'object') {
    return { ...inFile(':memory:'), database: handedIn(database, refuse) }
  }
  if (typeof file === 'string') return inFile(fileOf(file, context, refuse))
  const dialect =
    typeof settings.connector === 'string'
      ? dialects[settings.connector.replace(/^loopback-connector-/, '')]
      : undefined
  if (dialect === 'postgres' || dialect === 'mysql') return onServer(dialect, settings, refuse)
  return refuse('says neither "url" (sqlite:FILE, postgres://…, mysql://…) nor "file", as a text')
}

const onServer = (dialect: 'postgres' | 'mysql', settings: SqlDataSourceSettings, refuse: Refuse): Location =>
  ({ dialect, location: '', database: undefined, server: readServerSettings(settings, refuse) })

/** The file of `sqlite:FILE`, `sqlite:///abs/FILE` or a bare name, resolved against the application's folder. */
function fileOf (name: string, context: ConnectorContext, refuse: Refuse): string {
  const path = name.startsWith('file:') ? fileURLToPath(name) : name.startsWith('//') ? name.slice(2) : name
  if (path === ':memory:') return path
  if (path === '' || path.includes('\0')) return refuse('names no file')
  return isAbsolute(path) ? path : resolve(context.baseDir, path)
}

function handedIn (database: object, refuse: Refuse): SqliteDatabase {
  const usable = ['exec', 'prepare', 'close', 'function'].every(
    name => typeof (database as Record<string, unknown>)[name] === 'function'
  )
  return usable
    ? (database as SqliteDatabase)
    : refuse('"database" must have the interface of node:sqlite\'s DatabaseSync or of better-sqlite3')
}
