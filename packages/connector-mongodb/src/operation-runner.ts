/** Runs operations: each on its collection and in its transaction, its errors made presentable. */
import type { ConnectorContext, StoredModel, StoreOptions } from '@fastback/core'
import type { Access, CommandOptions } from './access.js'
import { Connection } from './connection.js'
import { DocumentMap } from './documents/document-map.js'
import type { ClientSession, Stored } from './driver.js'
import { NotConnectedError } from './errors.js'
import type { MongodbSettings } from './settings.js'
import { translateError, type ErrorContext } from './translate-error.js'

export const noOptions: StoreOptions = {}

/**
 * A Long that a double does not hold exactly stays one. The driver's own `fieldsAsRaw` is an object with a prototype,
 * so that it takes a list in a field `constructor` for one that it must not read.
 */
const bsonOptions = { promoteLongs: false, fieldsAsRaw: Object.create(null) as Record<string, boolean> }

export class OperationRunner {
  readonly #settings: MongodbSettings
  readonly #context: ConnectorContext
  /** By the compiled form of the model: what was prepared for an earlier one goes with it. */
  #maps = new WeakMap<StoredModel, DocumentMap>()
  #connection: Connection | undefined
  /** What has begun and is not finished. */
  readonly #underWay = new Set<Promise<unknown>>()

  constructor (settings: MongodbSettings, context: ConnectorContext) {
    this.#settings = settings
    this.#context = context
  }

  /** Opens the connection; nothing when it is open. */
  async open (): Promise<void> {
    if (this.#connection !== undefined) return
    this.#maps = new WeakMap()
    this.#connection = await this.translating({}, async () => await Connection.open(this.#settings, this.#context))
  }

  /** What has begun is finished first, but for transactions: these are rolled back. */
  async close (): Promise<void> {
    const connection = this.#connection
    this.#connection = undefined
    await connection?.rollback()
    while (this.#underWay.size > 0) await Promise.allSettled(this.#underWay)
    await connection?.close()
  }

  /** @throws FBK_MONGODB_NOT_CONNECTED */
  get connected (): Connection {
    if (this.#connection === undefined) throw new NotConnectedError(this.#context.dataSource)
    return this.#connection
  }

  /**
   * Runs an operation of a model.
   * @param id of the row that it writes, for errors
   */
  async run<T> (
    model: StoredModel,
    options: StoreOptions,
    operation: (access: Access) => Promise<T>,
    id?: unknown
  ): Promise<T> {
    const connection = this.connected
    const map = this.#mapOf(model, connection)
    const running = this.translating({ map, id }, async () => {
      const session = options.transaction === undefined || options.transaction === null
        ? undefined
        : connection.transaction(options.transaction).session
      return await operation(this.#access(connection, map, options, session))
    })
    this.#underWay.add(running)
    try {
      return await running
    } finally {
      this.#underWay.delete(running)
    }
  }

  #mapOf (model: StoredModel, { driver }: Connection): DocumentMap {
    const known = this.#maps.get(model)
    if (known !== undefined) return known
    const map = new DocumentMap(model, driver, this.#settings)
    this.#maps.set(model, map)
    return map
  }

  #access (
    connection: Connection,
    map: DocumentMap,
    options: StoreOptions,
    session: ClientSession | undefined
  ): Access {
    const { driver, db } = connection
    const { operationTimeout, internalCollection, transactions } = this.#settings
    const commandOptions: CommandOptions = {
      ...(session === undefined ? {} : { session }),
      // Within a transaction the time of the whole counts.
      ...(operationTimeout === 0 || session !== undefined ? {} : { maxTimeMS: operationTimeout })
    }
    const access: Access = {
      driver,
      map,
      collection: db.collection<Stored>(map.collection, bsonOptions),
      internal: db.collection<Stored>(internalCollection),
      options: commandOptions,
      work: options.work,
      atomically: async work => {
        if (session !== undefined) return await work(access, true)
        if (!transactions) return await work(access, false)
        return await connection.inTransaction(own => work(this.#access(connection, map, options, own), true))
      }
    }
    return access
  }

  /** Does something, and makes its errors presentable. */
  async translating<T> (context: Omit<ErrorContext, 'dataSource'>, work: () => Promise<T>): Promise<T> {
    try {
      return await work()
    } catch (error) {
      throw translateError(error, { ...context, dataSource: this.#context.dataSource })
    }
  }
}
