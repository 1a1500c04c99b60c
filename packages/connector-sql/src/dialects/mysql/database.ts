/** An open database of MySQL or MariaDB: a pool of connections. */
import type { Pool, PoolConnection as ServerConnection } from 'mysql2/promise'
import { errors as coreErrors, type ConnectorContext } from '@fastback/core'
import { caused } from '../../errors.js'
import type { ServerSettings } from '../../server-settings.js'
import type { SqlSettings } from '../../settings.js'
import { StatementCache } from '../../statement-cache.js'
import type { Database, Connection } from '../dialect.js'
import { loadDriver } from './driver.js'
import type { Server } from './server.js'
import { PoolConnection, TransactionConnection } from './connection.js'

/**
 * Opens the database and tries it.
 * @param learns gets the server's version
 * @throws FBK_SQL_DRIVER, FBK_CORE_DATA_SOURCE_SETTINGS when it cannot be reached
 */
export async function openDatabase (
  settings: SqlSettings,
  context: ConnectorContext,
  learns: Server
): Promise<Database> {
  const server = settings.server as ServerSettings
  const { createPool } = await loadDriver(context.baseDir)
  const isSocket = server.host?.startsWith('/') === true
  const pool = createPool({
    ...(isSocket ? { socketPath: server.host as string } : { host: server.host ?? '127.0.0.1' }),
    port: server.port ?? 3306,
    ...(server.user === undefined ? {} : { user: server.user }),
    ...(server.password === undefined ? {} : { password: server.password }),
    ...(server.database === undefined ? {} : { database: server.database }),
    ...(server.ssl === undefined ? {} : { ssl: server.ssl }),
    connectionLimit: server.poolSize,
    maxIdle: server.poolSize,
    idleTimeout: server.idleTimeout === 0 ? 2 ** 31 - 1 : server.idleTimeout,
    connectTimeout: server.connectionTimeout,
    enableKeepAlive: true,
    charset: 'utf8mb4',
    timezone: 'Z',
    dateStrings: true,
    supportBigNumbers: true,
    jsonStrings: true,
    maxPreparedStatements: Math.max(1, settings.statementCache)
  })
  const database = new MysqlDatabase(pool, settings, learns)
  try {
    const [[name, version]] = (await database.main.query('SELECT DATABASE(), VERSION()', [])) as [
      [string | null, string]
    ]
    if (name === null) throw Object.assign(new Error('no database'), { errno: 1046 })
    learns.learn(version)
    database.name = name
  } catch (error) {
    await pool.end()
    throw unreachable(context.dataSource, server, error)
  }
  return database
}

/** Says where and why, without user, password or the server's own words (these name users). */
function unreachable (
  dataSource: string,
  { host = '127.0.0.1', port = 3306, database }: ServerSettings,
  error: unknown
): Error {
  const where = `${host}:${port}${database === undefined ? '' : `, database "${database}"`}`
  return caused(
    new coreErrors.DataSourceSettingsError(dataSource, `MySQL cannot be reached (${where}): ${reasonOf(error)}`),
    error
  )
}

function reasonOf (error: unknown): string {
  const { errno, code } = error as { errno?: number, code?: string }
  switch (errno) {
    case 1045: case 1698: return 'user or password is wrong'
    case 1044: return 'the user may not use the database'
    case 1046: return 'no "database" is named'
    case 1049: return 'there is no such database'
    case 1040: return 'it has too many connections'
    default: return code === 'FBK_NO_CONNECTION' ? 'no answer in time' : code ?? 'the connection failed'
  }
}

export class MysqlDatabase implements Database {
  readonly singleWriter = false
  readonly main = new PoolConnection(this)
  readonly statements: StatementCache<string>
  /** How many connections a statement may find closed before it fails. */
  readonly attempts: number
  /** Milliseconds to wait for a lock. */
  readonly lockTimeout: number
  /** Of the database. */
  name = ''
  readonly #server: ServerSettings
  readonly #ready = new WeakMap<object, Promise<unknown>>()

  constructor (readonly pool: Pool, settings: SqlSettings, readonly learned: Server) {
    this.#server = settings.server as ServerSettings
    this.statements = new StatementCache(Math.max(2, settings.statementCache))
    this.attempts = this.#server.poolSize + 1
    this.lockTimeout = this.#server.statementTimeout === 0 ? 2 ** 31 - 1 : this.#server.statementTimeout
  }

  /** A connection of the pool, set up. */
  async connect (): Promise<ServerConnection> {
    const connection = await this.#connection()
    const raw = (connection as unknown as { connection: object }).connection
    let ready = this.#ready.get(raw)
    if (ready === undefined) this.#ready.set(raw, ready = this.#setUp(connection))
    try {
      await ready
      return connection
    } catch (error) {
      connection.destroy()
      throw error
    }
  }

  /** The driver's pool waits for ever. */
  async #connection (): Promise<ServerConnection> {
    const { connectionTimeout } = this.#server
    const wanted = this.pool.getConnection()
    let timer: NodeJS.Timeout | undefined
    const late = new Promise<never>((_resolve, reject) => {
      timer = setTimeout(() => {
        wanted.then(connection => { connection.release() }, () => {})
        reject(Object.assign(new Error('no connection in time'), { code: 'FBK_NO_CONNECTION' }))
      }, connectionTimeout)
    })
    try {
      return await Promise.race([wanted, late])
    } finally {
      clearTimeout(timer)
    }
  }

  /** How the server reads statements and writes values, and for how long it may work on one. */
  async #setUp (connection: ServerConnection): Promise<void> {
    const { statementTimeout } = this.#server
    await connection.query(
      "SET SESSION sql_mode = 'STRICT_ALL_TABLES,ERROR_FOR_DIVISION_BY_ZERO,NO_ENGINE_SUBSTITUTION,NO_AUTO_VALUE_ON_ZERO,NO_BACKSLASH_ESCAPES', " +
        "SESSION time_zone = '+00:00'"
    )
    await connection.query('SET SESSION TRANSACTION ISOLATION LEVEL READ COMMITTED')
    const [[row]] = await connection.query('SELECT VERSION() AS version') as unknown as [[{ version: string }]]
    await connection.query(
      /mariadb/i.test(row.version)
        ? `SET SESSION max_statement_time = ${statementTimeout / 1000}`
        : `SET SESSION max_execution_time = ${statementTimeout}`
    )
  }

  async reserve (): Promise<TransactionConnection> {
    return new TransactionConnection(this, await this.connect())
  }

  release (connection: Connection): void {
    if (!(connection instanceof TransactionConnection)) return
    if (connection.lost) connection.raw.destroy()
    else connection.raw.release()
  }

  /** Waits for statements that are under way. */
  async close (): Promise<void> {
    await this.pool.end()
  }
}
