/** An open database on a server: a pool of connections, and the statements that are prepared on them. */
import { errors as coreErrors, type ConnectorContext, type PoolUsage } from '@fastback/core'
import { caused } from '../../errors.js'
import type { ServerSettings } from '../../server-settings.js'
import type { SqlSettings } from '../../settings.js'
import { StatementCache } from '../../statement-cache.js'
import type { Connection, Database } from '../driver.js'
import type { ServerDriver } from './driver.js'
import type { StatementText } from './statement-text.js'
import { isDatabaseSilent } from './in-time.js'
import { Lending } from './lending.js'
import { PoolConnection } from './pool-connection.js'
import { poolShare } from './pool-share.js'
import { TransactionConnection } from './transaction-connection.js'

/**
 * Opens the database and tries it.
 * @throws FBK_CORE_DATA_SOURCE_SETTINGS when it cannot be reached
 */
export async function openServerDatabase<Client extends object, Result> (
  driver: ServerDriver<Client, Result>,
  settings: SqlSettings,
  context: ConnectorContext
): Promise<Database> {
  const database = new ServerDatabase(driver, settings)
  try {
    await driver.tryOut(database.main)
    await shareConnections(database, settings.server as ServerSettings, context)
  } catch (error) {
    await driver.close()
    const { host = driver.server.host, port = driver.server.port, database } = settings.server as ServerSettings
    const where = `${host}:${port}${database === undefined ? '' : `, database "${database}"`}`
    const reason = isDatabaseSilent(error) ? 'no response in time' : inWords(driver.reasonOf(error))
    const why = `${driver.server.name} cannot be reached (${where}): ${reason}`
    throw caused(new coreErrors.DataSourceSettingsError(context.dataSource, why), error)
  }
  return database
}

async function shareConnections<Client extends object, Result> (
  { driver, main, lending }: ServerDatabase<Client, Result>, settings: ServerSettings, context: ConnectorContext
): Promise<void> {
  if ((context.processes ?? 1) > 1) lending.limit(poolShare(settings, await driver.connectionsOf(main), context))
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
  readonly statements: StatementCache<StatementText>
  readonly lending: Lending<Client, Result>
  readonly main: PoolConnection<Client, Result>
  /** What `Statement.get` wants of a response. */
  readonly firstRowOf = (result: Result): unknown[] | undefined => this.driver.rowsOf(result)[0]
  #named = 0

  constructor (readonly driver: ServerDriver<Client, Result>, settings: SqlSettings) {
    const server = settings.server as ServerSettings
    this.statements = new StatementCache(Math.max(2, settings.statementCache))
    this.lending = new Lending(driver, server)
    this.main = new PoolConnection(this, server)
  }

  get usage (): PoolUsage {
    return this.lending.usage
  }

  /** A statement with a name of its own, the same each time for a key. */
  named (key: string, sql: string): StatementText {
    const known = this.statements.get(key)
    if (known !== undefined) return known
    const text = { name: `fastback_${++this.#named}`, sql }
    this.statements.set(key, text)
    return text
  }

  reserve (): Promise<TransactionConnection<Client, Result>> {
    return this.lending.borrow().then(client => this.driver.transaction(this, client))
  }

  release (connection: Connection): void {
    if (!(connection instanceof TransactionConnection)) return
    this.lending.giveBack(connection.client as Client, connection.lost)
  }

  async close (): Promise<void> {
    await this.driver.close()
  }
}
