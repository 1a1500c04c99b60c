/** An open database of MySQL or MariaDB: `mysql2`'s pool of connections as `server/` uses it. */
import type { Pool, PoolConnection as Client, QueryError, ResultSetHeader } from 'mysql2'
import type { ConnectorContext } from '@fastback/core'
import type { ServerSettings } from '../../server-settings.js'
import type { SqlSettings } from '../../settings.js'
import type { Connection, Database, QueryResult } from '../driver.js'
import { openServerDatabase, type ServerDatabase } from '../server/database.js'
import type { Asking, BoundStatement, ServerDriver } from '../server/driver.js'
import type { StatementText } from '../server/statement-text.js'
import { pageSql } from '../server/page.js'
import { MysqlTransaction } from './connection.js'
import { loadDriver } from './driver.js'
import { isLost, neverRan } from './errors.js'
import type { Server } from './flavour.js'

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
  return await openServerDatabase(new MysqlDriver(pool, server, learns), settings, context)
}

export type Result = readonly unknown[][] | ResultSetHeader

/** The driver keeps prepared statements by their text, as many as the setting says: their names are not used. */
export class MysqlDriver implements ServerDriver<Client, Result> {
  readonly server = { name: 'MySQL', host: '127.0.0.1', port: 3306 }
  /** Each batch is a query of its own. */
  readonly scanIsolation = 'REPEATABLE READ'
  readonly isLost = isLost
  readonly neverRan = neverRan
  /** Milliseconds to wait for a lock. */
  readonly lockTimeout: number
  /** Of the database. */
  name = ''

  constructor (readonly pool: Pool, readonly settings: ServerSettings, readonly learned: Server) {
    this.lockTimeout = settings.statementTimeout === 0 ? 2 ** 31 - 1 : settings.statementTimeout
  }

  async tryOut (connection: Connection): Promise<void> {
    const [[name, version]] = (await connection.query('SELECT DATABASE(), VERSION()', [])) as [[string | null, string]]
    if (name === null) throw Object.assign(new Error('no database'), { errno: 1046 })
    this.learned.learn(version)
    this.name = name
  }

  async connectionsOf (connection: Connection): Promise<number> {
    const [[count]] = await connection.query('SELECT @@max_connections', []) as [[number | string]]
    return Number(count)
  }

  reasonOf (error: unknown): string {
    const { errno, code } = error as { errno?: number, code?: string }
    switch (errno) {
      case 1045: case 1698: return 'user or password is wrong'
      case 1044: return 'the user may not use the database'
      case 1046: return 'no "database" is named'
      case 1049: return 'there is no such database'
      case 1040: return 'it has too many connections'
      default: return code ?? 'the connection failed'
    }
  }

  connect (taken: (client: Client) => void, failed: (error: unknown) => void): void {
    this.pool.getConnection((error: Error | null, client) => {
      if (error === null) taken(client)
      else failed(error)
    })
  }

  async setUp (client: Client): Promise<void> {
    const { statementTimeout } = this.settings
    // While nobody's statement is under way nobody else listens: the next statement gets the error.
    client.on('error', () => {})
    const session = client.promise()
    await session.query(
      "SET SESSION sql_mode = 'STRICT_ALL_TABLES,ERROR_FOR_DIVISION_BY_ZERO,NO_ENGINE_SUBSTITUTION,NO_AUTO_VALUE_ON_ZERO,NO_BACKSLASH_ESCAPES', " +
        "SESSION time_zone = '+00:00'"
    )
    await session.query('SET SESSION TRANSACTION ISOLATION LEVEL READ COMMITTED')
    const [[row]] = await session.query('SELECT VERSION() AS version') as unknown as [[{ version: string }]]
    this.learned.learn(row.version)
    await session.query(this.limitSql(statementTimeout))
  }

  /** @param milliseconds that a statement may take from here on; 0: any time */
  limitSql (milliseconds: number): string {
    return this.learned.flavour.isMariaDb
      ? `SET SESSION max_statement_time = ${milliseconds / 1000}`
      : `SET SESSION max_execution_time = ${milliseconds}`
  }

  release (client: Client, lost: boolean): void {
    if (lost) client.destroy()
    else client.release()
  }

  async close (): Promise<void> {
    await this.pool.promise().end()
  }

  run (
    client: Client, { sql }: StatementText, values: readonly unknown[] | undefined, asking: Asking<Result>
  ): void {
    const answered = (error: QueryError | null, result: unknown): void => {
      if (error === null) asking.answered(result as Result)
      else asking.failed(error)
    }
    if (values === undefined) client.query({ sql, rowsAsArray: true }, answered)
    else client.execute({ sql, rowsAsArray: true }, values as never, answered)
  }

  async runForObjects (
    client: Client,
    sql: string,
    values: readonly unknown[]
  ): Promise<Array<Record<string, unknown>>> {
    const session = client.promise()
    const [result] = values.length === 0 ? await session.query(sql) : await session.execute(sql, values as never)
    return Array.isArray(result) ? (result as Array<Record<string, unknown>>) : []
  }

  readonly rowsOf = (result: Result): unknown[][] => result as unknown[][]

  readonly resultOf = (result: Result): QueryResult => {
    const { affectedRows, insertId } = result as ResultSetHeader
    // The driver reads it with a sign; what is given out has none.
    const insertedId = Number.isSafeInteger(Number(insertId)) && insertId >= 0
      ? Number(insertId)
      : BigInt.asUintN(64, BigInt(insertId))
    return { changes: affectedRows, insertedId }
  }

  pageOf (
    _database: ServerDatabase<Client, Result>,
    _key: string,
    { sql, values }: { readonly sql: string, readonly values: readonly unknown[] },
    limit: number,
    skip: number
  ): BoundStatement {
    return { text: { sql: pageSql(sql, limit, skip), name: undefined }, values }
  }

  transaction (database: ServerDatabase<Client, Result>, client: Client, outer?: MysqlTransaction): MysqlTransaction {
    return new MysqlTransaction(database, client, this, outer)
  }
}
