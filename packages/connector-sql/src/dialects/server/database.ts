/** An open database on a server: a pool of connections, and the statements that are prepared on them. */
import { errors as coreErrors, type ConnectorContext } from '@fastback/core'
import { caused } from '../../errors.js'
import type { ServerSettings } from '../../server-settings.js'
import type { SqlSettings } from '../../settings.js'
import { StatementCache } from '../../statement-cache.js'
import type { Connection, Database } from '../driver.js'
import type { ServerDriver, StatementText } from './driver.js'
import { PoolConnection } from './pool-connection.js'
import { TransactionConnection } from './transaction-connection.js'

/**
 * Opens the database and tries it.
 * @throws FBK_CORE_DATA_SOURCE_SETTINGS when it cannot be reached
 */
export async function openServerDatabase<Client extends object, Result> (
  driver: ServerDriver<Client, Result>,
  settings: SqlSettings,
  { dataSource }: ConnectorContext
): Promise<Database> {
  const database = new ServerDatabase(driver, settings)
  try {
    await driver.tryOut(database.main)
  } catch (error) {
    await driver.close()
    const { host = driver.server.host, port = driver.server.port, database } = settings.server as ServerSettings
    const where = `${host}:${port}${database === undefined ? '' : `, database "${database}"`}`
    const why = `${driver.server.name} cannot be reached (${where}): ${driver.reasonOf(error)}`
    throw caused(new coreErrors.DataSourceSettingsError(dataSource, why), error)
  }
  return database
}

export class ServerDatabase<Client extends object, Result> implements Database {
  readonly singleWriter = false
  readonly main: PoolConnection<Client, Result> = new PoolConnection(this)
  readonly statements: StatementCache<StatementText>
  /** How many connections a statement may find closed before it fails. */
  readonly attempts: number
  readonly #ready = new WeakMap<object, Promise<void>>()
  #named = 0

  constructor (readonly driver: ServerDriver<Client, Result>, settings: SqlSettings) {
    this.statements = new StatementCache(Math.max(2, settings.statementCache))
    this.attempts = (settings.server as ServerSettings).poolSize + 1
  }

  /** A statement with a name of its own, the same each time for a key. */
  named (key: string, sql: string): StatementText {
    const known = this.statements.get(key)
    if (known !== undefined) return known
    const text = { name: `fastback_${++this.#named}`, sql }
    this.statements.set(key, text)
    return text
  }

  /** A connection of the pool, set up. */
  async connect (): Promise<Client> {
    const { driver } = this
    const client = await driver.connect()
    const identity = driver.identity(client)
    let ready = this.#ready.get(identity)
    if (ready === undefined) this.#ready.set(identity, ready = driver.setUp(client))
    try {
      await ready
      return client
    } catch (error) {
      driver.release(client, true)
      throw error
    }
  }

  async reserve (): Promise<TransactionConnection<Client, Result>> {
    return this.driver.transaction(this, await this.connect())
  }

  release (connection: Connection): void {
    if (!(connection instanceof TransactionConnection)) return
    this.driver.release(connection.client as Client, connection.lost)
  }

  async close (): Promise<void> {
    await this.driver.close()
  }
}
