/** An open PostgreSQL database: a pool of connections. */
import type { Pool, PoolClient } from 'pg'
import { errors as coreErrors, type ConnectorContext, type MaybePromise } from '@fastback/core'
import { caused } from '../../errors.js'
import type { ServerSettings } from '../../server-settings.js'
import type { SqlSettings } from '../../settings.js'
import { StatementCache } from '../../statement-cache.js'
import type { Database, Connection } from '../dialect.js'
import { loadDriver } from './driver.js'
import { quoteName } from './quote.js'
import { PoolConnection, TransactionConnection, type StatementText } from './connection.js'

/**
 * Opens the database and tries it.
 * @throws FBK_SQL_DRIVER, FBK_CORE_DATA_SOURCE_SETTINGS when it cannot be reached
 */
export async function openDatabase (settings: SqlSettings, context: ConnectorContext): Promise<Database> {
  const server = settings.server as ServerSettings
  const { Pool } = await loadDriver(context.baseDir)
  const pool = new Pool({
    host: server.host,
    port: server.port,
    user: server.user,
    password: server.password,
    database: server.database,
    ssl: server.ssl as never,
    max: server.poolSize,
    connectionTimeoutMillis: server.connectionTimeout,
    idleTimeoutMillis: server.idleTimeout,
    application_name: server.applicationName,
    keepAlive: true
  })
  const database = new PostgresDatabase(pool, settings, context)
  try {
    const [[schema]] = await database.main.query('SELECT current_schema()', []) as [[string | null]]
    if (schema === null) throw Object.assign(new Error('no schema'), { code: '3F000' })
  } catch (error) {
    await pool.end()
    throw unreachable(context.dataSource, pool, error)
  }
  return database
}

/** Says where and why, without user, password or the server's own words (these name users). */
function unreachable (dataSource: string, { options }: Pool, error: unknown): Error {
  const { host = 'localhost', port = 5432, database } = options
  const where = `${host}:${port}${database === undefined ? '' : `, database "${database}"`}`
  return caused(
    new coreErrors.DataSourceSettingsError(dataSource, `PostgreSQL cannot be reached (${where}): ${reasonOf(error)}`),
    error
  )
}

function reasonOf (error: unknown): string {
  const { code, message } = error as { code?: string, message?: string }
  switch (code) {
    case '28P01': case '28000': return 'user or password is wrong'
    case '3D000': return 'there is no such database'
    case '3F000': return 'there is no such schema'
    case '42501': return 'the user may not connect'
    case '53300': return 'it has too many connections'
    default: return code ?? (/^timeout/.test(message ?? '') ? 'no answer in time' : 'the connection failed')
  }
}

export class PostgresDatabase implements Database {
  readonly singleWriter = false
  readonly main = new PoolConnection(this)
  readonly statements: StatementCache<StatementText>
  readonly statementLimit: number
  /** How many connections a statement may find closed before it fails. */
  readonly attempts: number
  readonly #ready = new WeakMap<PoolClient, Promise<unknown>>()
  readonly #names = new WeakMap<PoolClient, Set<string>>()
  #named = 0

  constructor (readonly pool: Pool, readonly settings: SqlSettings, context: ConnectorContext) {
    this.statementLimit = settings.statementCache
    this.statements = new StatementCache(Math.max(2, settings.statementCache))
    this.attempts = (settings.server as ServerSettings).poolSize + 1
    // A connection that ends while nobody uses it is replaced by the next one that is needed.
    pool.on('error', error => {
      context.log.warn(
        { dataSource: context.dataSource, code: (error as { code?: string }).code },
        'a connection to PostgreSQL was closed'
      )
    })
  }

  keep (key: string, sql: string): StatementText {
    const known = this.statements.get(key)
    if (known !== undefined) return known
    const text = { name: `fastback_${++this.#named}`, sql }
    this.statements.set(key, text)
    return text
  }

  /**
   * Takes note that a connection is about to prepare a statement; true when it has as many as it may and must forget
   * them first.
   */
  mayPrepare (client: PoolClient, name: string): boolean {
    let names = this.#names.get(client)
    if (names === undefined) this.#names.set(client, names = new Set())
    if (names.has(name)) return false
    const full = names.size >= this.statementLimit
    if (full) {
      names.clear()
      // The driver keeps a list of its own.
      const connection = (client as unknown as { connection?: { parsedStatements?: unknown } }).connection
      if (connection !== undefined) connection.parsedStatements = {}
    }
    names.add(name)
    return full
  }

  /** A connection of the pool, set up. */
  async connect (): Promise<PoolClient> {
    const client = await this.pool.connect()
    let ready = this.#ready.get(client)
    if (ready === undefined) this.#ready.set(client, ready = this.#setUp(client))
    try {
      await ready
      return client
    } catch (error) {
      client.release(true)
      throw error
    }
  }

  /** How the server writes values, and for how long it may work on one statement. */
  async #setUp (client: PoolClient): Promise<void> {
    const { statementTimeout, schema } = this.settings.server as ServerSettings
    // While a transaction holds the connection nobody else listens: the next statement gets the error.
    client.on('error', () => {})
    const path = schema === undefined ? '' : `; SET search_path TO ${quoteName(schema)}`
    await client.query(
      "SET TIME ZONE 'UTC'; SET DateStyle TO 'ISO, YMD'; SET extra_float_digits TO 1; SET bytea_output TO 'hex'; SET client_encoding TO 'UTF8'; " +
        `SET standard_conforming_strings TO on; SET statement_timeout TO ${statementTimeout}${path}`
    )
  }

  async reserve (): Promise<TransactionConnection> {
    return new TransactionConnection(this, await this.connect())
  }

  release (connection: Connection): MaybePromise<void> {
    if (connection instanceof TransactionConnection) connection.client.release(connection.lost)
  }

  /** Waits for statements that are under way. */
  async close (): Promise<void> {
    await this.pool.end()
  }
}
