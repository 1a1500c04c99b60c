/** An open database on a server: a pool of connections, and the statements that are prepared on them. */
import { errors as coreErrors, type ConnectorContext, type PoolUsage } from '@fastback/core'
import { caused } from '../../errors.js'
import type { ServerSettings } from '../../server-settings.js'
import type { SqlSettings } from '../../settings.js'
import { StatementCache } from '../../statement-cache.js'
import type { Connection, Database } from '../driver.js'
import type { ServerDriver, StatementText } from './driver.js'
import { inTime, TimeLimit } from './in-time.js'
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
    const why = `${driver.server.name} cannot be reached (${where}): ${inWords(driver.reasonOf(error))}`
    throw caused(new coreErrors.DataSourceSettingsError(dataSource, why), error)
  }
  return database
}

/** What the codes of Node that one meets first stand for. */
function inWords (reason: string): string {
  switch (reason) {
    case 'ECONNREFUSED': return 'ECONNREFUSED, nothing listens there. Does the server run, and is that its port?'
    case 'ENOTFOUND': return 'ENOTFOUND, there is no host of that name'
    default: return reason
  }
}

export class ServerDatabase<Client extends object, Result> implements Database {
  readonly singleWriter = false
  readonly main: PoolConnection<Client, Result> = new PoolConnection(this)
  readonly statements: StatementCache<StatementText>
  /** Milliseconds that setting a connection up may take. */
  readonly connecting: number
  /** For the answer to a statement: the server's own limit should come before. */
  readonly answering: TimeLimit
  /** How many connections a statement may find closed before it fails. */
  readonly attempts: number
  /** Connections that are set up, or are being so. */
  readonly #ready = new WeakMap<object, Promise<void> | true>()
  #named = 0
  readonly #size: number
  #used = 0
  #waiting = 0

  constructor (readonly driver: ServerDriver<Client, Result>, settings: SqlSettings) {
    this.statements = new StatementCache(Math.max(2, settings.statementCache))
    const { poolSize, connectionTimeout, statementTimeout } = settings.server as ServerSettings
    this.#size = poolSize
    this.attempts = poolSize + 1
    this.connecting = connectionTimeout
    this.answering = new TimeLimit(statementTimeout === 0 ? 0 : statementTimeout + connectionTimeout)
  }

  get usage (): PoolUsage {
    return { used: this.#used, size: this.#size, waiting: this.#waiting }
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
  connect (): Promise<Client> {
    this.#waiting++
    return this.driver.connect().then(client => {
      this.#waiting--
      this.#used++
      const identity = this.driver.identity(client)
      const ready = this.#ready.get(identity)
      return ready === true ? client : this.#setUp(client, identity, ready)
    }, (error: unknown) => {
      this.#waiting--
      throw error
    })
  }

  async #setUp (client: Client, identity: object, ready: Promise<void> | undefined): Promise<Client> {
    const settingUp = ready ?? this.driver.setUp(client)
    this.#ready.set(identity, settingUp)
    try {
      await inTime(this.connecting, settingUp)
      this.#ready.set(identity, true)
      return client
    } catch (error) {
      this.giveBack(client, true)
      throw error
    }
  }

  /** Gives a connection of `connect` back; a lost one is closed. */
  giveBack (client: Client, lost: boolean): void {
    this.#used--
    this.driver.release(client, lost)
  }

  async reserve (): Promise<TransactionConnection<Client, Result>> {
    return this.driver.transaction(this, await this.connect())
  }

  release (connection: Connection): void {
    if (!(connection instanceof TransactionConnection)) return
    this.giveBack(connection.client as Client, connection.lost)
  }

  async close (): Promise<void> {
    await this.driver.close()
  }
}
