/** An open PostgreSQL database: `pg`'s pool of connections as `server/` uses it. */
import type { Pool, PoolClient } from 'pg'
import type { ConnectorContext } from '@fastback/core'
import type { ServerSettings } from '../../server-settings.js'
import type { SqlSettings } from '../../settings.js'
import type { Acting, Connection, Database, QueryResult } from '../driver.js'
import { openServerDatabase, type ServerDatabase } from '../server/database.js'
import type { Asking, BoundStatement, ServerDriver } from '../server/driver.js'
import type { StatementText } from '../server/statement-text.js'
import { loadDriver } from './driver.js'
import { isLost, neverRan } from './errors.js'
import { quoteName } from './quote.js'
import { PostgresTransaction } from './connection.js'
import { actingName, rowsIn, SentStatement } from './sent-statement.js'
import { userOf } from './user.js'

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
    user: userOf(server.user),
    password: server.password,
    database: server.database,
    ssl: server.ssl as never,
    max: server.poolSize,
    connectionTimeoutMillis: server.connectionTimeout,
    idleTimeoutMillis: server.idleTimeout,
    application_name: server.applicationName,
    keepAlive: true
  })
  // A connection that ends while nobody uses it is replaced by the next one that is needed.
  pool.on('error', error => {
    context.log.warn(
      { dataSource: context.dataSource, code: (error as { code?: string }).code },
      'a connection to PostgreSQL was closed'
    )
  })
  return await openServerDatabase(new PostgresDriver(pool, settings), settings, context)
}

class PostgresDriver implements ServerDriver<PoolClient, SentStatement> {
  readonly server = { name: 'PostgreSQL', host: 'localhost', port: 5432 }
  /** A cursor shows the rows as they were when it was made. */
  readonly scanIsolation = undefined
  readonly isLost = isLost
  readonly neverRan = neverRan
  readonly #settings: ServerSettings
  readonly #statementLimit: number
  /** The statements that each connection has prepared. */
  readonly #names = new WeakMap<PoolClient, Set<string>>()

  constructor (readonly pool: Pool, settings: SqlSettings) {
    this.#settings = settings.server as ServerSettings
    this.#statementLimit = settings.statementCache
  }

  async tryOut (connection: Connection): Promise<void> {
    const [[schema]] = await connection.query('SELECT current_schema()', []) as [[string | null]]
    if (schema === null) throw Object.assign(new Error('no schema'), { code: '3F000' })
  }

  async connectionsOf (connection: Connection): Promise<number> {
    const ofOthers = ['superuser_reserved_connections', 'reserved_connections']
      .map(name => ` - COALESCE(current_setting('${name}', true), '0')::int`).join('')
    const [[count]] = await connection.query(`SELECT current_setting('max_connections')::int${ofOthers}`, []) as [[number]]
    return Number(count)
  }

  reasonOf (error: unknown): string {
    const { code, message } = error as { code?: string, message?: string }
    switch (code) {
      case '28P01': case '28000': return 'user or password is wrong'
      case '3D000': return 'there is no such database'
      case '3F000': return 'there is no such schema'
      case '42501': return 'the user may not connect'
      case '53300': return 'it has too many connections'
      default: return code ?? (/^timeout/.test(message ?? '') ? 'no response in time' : 'the connection failed')
    }
  }

  connect (taken: (client: PoolClient) => void, failed: (error: unknown) => void): void {
    this.pool.connect((error, client) => {
      if (client === undefined) failed(error)
      else taken(client)
    })
  }

  async setUp (client: PoolClient): Promise<void> {
    const { statementTimeout, schema } = this.#settings
    // While a transaction holds the connection nobody else listens: the next statement gets the error.
    client.on('error', () => {})
    const path = schema === undefined ? '' : `; SET search_path TO ${quoteName(schema)}`
    await client.query(
      "SET TIME ZONE 'UTC'; SET DateStyle TO 'ISO, YMD'; SET extra_float_digits TO 1; SET bytea_output TO 'hex'; SET client_encoding TO 'UTF8'; " +
        `SET standard_conforming_strings TO on; SET statement_timeout TO ${statementTimeout}${path}`
    )
  }

  release (client: PoolClient, lost: boolean): void {
    client.release(lost)
  }

  async close (): Promise<void> {
    await this.pool.end()
  }

  run (
    client: PoolClient, text: StatementText, values: readonly unknown[] | undefined, asking: Asking<SentStatement>,
    acting?: Acting
  ): void {
    const prepared = this.#statementLimit > 0 && text.name !== undefined
    // Only with values there are two statements in one message.
    const given = acting === undefined ? values : values ?? []
    const statement = new SentStatement(text.sql, prepared ? text.name : undefined, given, asking, acting?.before)
    const send = (): void => {
      if (acting !== undefined) client.query(actingStatement(acting.before))
      client.query(statement)
    }
    if (prepared && this.#mustForget(client, text.name)) {
      client.query('DEALLOCATE ALL').then(send, error => { asking.failed(error) })
    } else if (acting === undefined || isKnown(client)) client.query(statement)
    else send()
  }

  /** Without statements that are prepared nothing can be sent in front of one. */
  get runsAs (): boolean {
    return this.#statementLimit > 0
  }

  /**
   * Takes note that a connection is about to prepare a statement; true when it has as many as it may and must forget
   * them first.
   */
  #mustForget (client: PoolClient, name: string): boolean {
    let names = this.#names.get(client)
    if (names === undefined) this.#names.set(client, names = new Set())
    if (names.has(name)) return false
    const full = names.size >= this.#statementLimit
    if (full) {
      names.clear()
      // The driver keeps a list of its own.
      const connection = (client as unknown as { connection?: { parsedStatements?: unknown } }).connection
      if (connection !== undefined) connection.parsedStatements = {}
    }
    names.add(name)
    return full
  }

  async runForObjects (
    client: PoolClient,
    sql: string,
    values: readonly unknown[]
  ): Promise<Array<Record<string, unknown>>> {
    return (await client.query(sql, [...values])).rows as Array<Record<string, unknown>>
  }

  readonly rowsOf = ({ rows }: SentStatement): unknown[][] => rows

  readonly resultOf = ({ tag, rows: [first] }: SentStatement): QueryResult =>
    ({ changes: rowsIn(tag), insertedId: numberOf(first?.[0]) })

  pageOf (
    database: ServerDatabase<PoolClient, SentStatement>,
    key: string,
    { sql, values }: { readonly sql: string, readonly values: readonly unknown[] },
    limit: number,
    skip: number
  ): BoundStatement {
    const page = `${sql} LIMIT $${values.length + 1} OFFSET $${values.length + 2}`
    return { text: database.named(`${key}|first`, page), values: [...values, limit, skip] }
  }

  transaction (
    database: ServerDatabase<PoolClient, SentStatement>,
    client: PoolClient,
    outer?: PostgresTransaction
  ): PostgresTransaction {
    const transaction = new PostgresTransaction(database, client, outer === undefined ? 0 : outer.depth + 1)
    transaction.isBrittle = outer?.isBrittle === true
    return transaction
  }
}

/** The statement that is sent in front of others, for the server to know it. Its errors are theirs as well. */
const actingStatement = ({ sql, values }: Acting['before']): SentStatement =>
  new SentStatement(sql, actingName, values, { answered () {}, failed () {} })

const isKnown = (client: PoolClient): boolean =>
  (client as unknown as { connection?: { parsedStatements?: Record<string, string> } })
    .connection?.parsedStatements?.[actingName] !== undefined

/** The number that an INSERT gave; 0 for none. */
function numberOf (id: unknown): number | bigint {
  const number = Number(id ?? 0)
  return Number.isSafeInteger(number) ? number : BigInt(id as string)
}
