/** Settings of a data source with this connector. */
import { isAbsolute, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { errors, type ConnectorContext, type DataSourceSettings } from '@fastback/core'
import { dialectNames, type DialectName } from './dialects/dialect-name.js'
import type { SqliteDatabase } from './dialects/sqlite/driver.js'
import { readReplicaSettings, type ReplicaSettings } from './replicas/settings.js'
import { readServerSettings, type ServerSettings } from './server-settings.js'
import type { SqlDataSourceSettings } from './data-source-settings.js'

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
  readonly walLimit: number
  readonly cacheSize: number
  readonly busyTimeout: number
  readonly foreignKeys: boolean
  readonly statementCache: number
  readonly transactionTimeout: number
  readonly extraColumn: string
  /** The role that callers of requests have in the database; undefined: that of the connection. */
  readonly callerRole: string | undefined
}

/** Whether the data is in a SQLite file that the data source opens: not in memory, and not handed in. */
export const isInFile = ({ dialect, location }: SqlSettings): boolean => dialect === 'sqlite' && location !== ':memory:'

/** By the scheme of a URL, and by LoopBack's names of connectors. */
const dialects: ReadonlyMap<string, DialectName> = new Map(Object.entries(dialectNames)
  .flatMap(([dialect, names]) => names.map(name => [name, dialect as DialectName])))

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
    key: 'walAutocheckpoint' | 'walLimit' | 'cacheSize' | 'busyTimeout' | 'statementCache' | 'transactionTimeout',
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
  const walAutocheckpoint = whole('walAutocheckpoint', 1, 8000)
  return {
    ...location,
    replicas: location.server === undefined ? undefined : readReplicaSettings(withoutEmptyUrl(given), refuse),
    journalMode: oneOf('journalMode', ['wal', 'delete', 'truncate', 'persist', 'memory', 'off'], 'wal'),
    synchronous: oneOf('synchronous', ['off', 'normal', 'full', 'extra'], 'normal'),
    walAutocheckpoint,
    walLimit: whole('walLimit', walAutocheckpoint, Math.max(30_000, walAutocheckpoint)),
    cacheSize: whole('cacheSize', 1, 16_000),
    busyTimeout: whole('busyTimeout', 0, 5000),
    foreignKeys: settings.foreignKeys === true,
    statementCache:
      settings.statementCache === 0 && location.server !== undefined ? 0 : whole('statementCache', 2, 500),
    transactionTimeout: whole('transactionTimeout', 1, 30_000),
    extraColumn,
    callerRole: callerRoleOf(settings.rowSecurity, location.dialect, refuse)
  }
}

/** Only PostgreSQL has policies. */
function callerRoleOf (given: unknown, dialect: DialectName, refuse: Refuse): string | undefined {
  if (given === undefined || given === null || given === false) return undefined
  if (dialect !== 'postgres') return refuse('"rowSecurity" is for PostgreSQL only: no other database has policies')
  const { role, ...others } = typeof given === 'object' ? given as { role?: unknown } : {}
  return typeof role === 'string' && role !== '' && Object.keys(others).length === 0
    ? role
    : refuse('"rowSecurity" must be { "role": "…" }, the role of the database that callers of requests have')
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
    const dialect = dialects.get(/^([a-z0-9]+):/i.exec(url)?.[1]?.toLowerCase() ?? '')
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
      ? dialects.get(settings.connector.replace(/^loopback-connector-/, ''))
      : undefined
  if (dialect !== undefined && dialect !== 'sqlite') return onServer(dialect, settings, refuse)
  return refuse('says neither "url" (sqlite:FILE, postgres://…, mysql://…) nor "file", as a text')
}

const onServer = (dialect: Exclude<DialectName, 'sqlite'>, settings: SqlDataSourceSettings, refuse: Refuse): Location =>
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
