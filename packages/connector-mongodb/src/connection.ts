/** The client of a data source: how it is opened and closed, and the sessions of its transactions. */
import { errors, type ConnectorContext } from '@fastback/core'
import { loadDriver, isReplicated, type ClientSession, type Db, type Driver, type MongoClient } from './driver.js'
import { caused, NoTransactionsError, UnknownTransactionError } from './errors.js'
import type { MongodbSettings } from './settings.js'
import { checkIsolationLevel, MongodbTransaction } from './transaction.js'

export class Connection {
  readonly db: Db
  readonly #open = new Set<MongodbTransaction>()

  private constructor (
    readonly driver: Driver,
    readonly client: MongoClient,
    readonly settings: MongodbSettings,
    readonly context: ConnectorContext
  ) {
    this.db = client.db(settings.database)
  }

  /** @throws FBK_MONGODB_DRIVER, FBK_CORE_DATA_SOURCE_SETTINGS, FBK_MONGODB_NO_TRANSACTIONS */
  static async open (settings: MongodbSettings, context: ConnectorContext): Promise<Connection> {
    const driver = await loadDriver()
    const connection = new Connection(driver, clientOf(driver, settings, context), settings, context)
    if (settings.lazyConnect) return connection
    try {
      await connection.client.connect()
      if (settings.transactions && !await isReplicated(connection.client)) {
        throw new NoTransactionsError(context.dataSource)
      }
    } catch (error) {
      await connection.client.close()
      throw error
    }
    return connection
  }

  /** @throws FBK_MONGODB_ISOLATION_LEVEL */
  begin (isolationLevel: string | undefined, timeout: number | undefined): MongodbTransaction {
    checkIsolationLevel(isolationLevel)
    const { settings: { transactionTimeout }, context: { log } } = this
    const transaction: MongodbTransaction = new MongodbTransaction(
      this.client.startSession(),
      timeout ?? transactionTimeout,
      log,
      () => { this.#open.delete(transaction) }
    )
    this.#open.add(transaction)
    return transaction
  }

  /** @throws FBK_MONGODB_UNKNOWN_TRANSACTION, FBK_MONGODB_TRANSACTION_ENDED */
  transaction (given: unknown): MongodbTransaction {
    if (!(given instanceof MongodbTransaction)) throw new UnknownTransactionError()
    given.mustBeOpen()
    if (!this.#open.has(given)) throw new UnknownTransactionError()
    return given
  }

  /** Runs `work` in a transaction of its own, again when another one changed the same documents. */
  async inTransaction<T> (work: (session: ClientSession) => Promise<T>): Promise<T> {
    return await this.client.withSession(async session => await session.withTransaction(work, {
      readConcern: { level: 'snapshot' },
      writeConcern: { w: 'majority' }
    }))
  }

  /** Rolls back the transactions that are open. */
  async rollback (): Promise<void> {
    await Promise.allSettled([...this.#open].map(async transaction => { await transaction.rollback() }))
  }

  async close (): Promise<void> {
    await this.client.close()
  }
}

/** The driver's message may repeat the URL, and with it a password. */
function clientOf (driver: Driver, { url, options }: MongodbSettings, { dataSource }: ConnectorContext): MongoClient {
  try {
    return new driver.MongoClient(url, options)
  } catch (error) {
    const why = 'the driver does not take "url", or a setting beside it (special characters of a password are written as %40 and the like)'
    throw caused(new errors.DataSourceSettingsError(dataSource, why), error)
  }
}
