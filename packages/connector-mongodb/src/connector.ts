/** The connector: its operations, each done by a function of `reading/`, `writing/` or `migration/`. */
import type {
  Condition,
  ConnectorContext,
  Explanation,
  Id,
  Query,
  Row,
  Selection,
  StoredModel,
  StoreOptions,
  StoreRead,
  TransactionSupport
} from '@fastback/core'
import { errors } from '@fastback/core'
import type { Collection, Db, Document, MongoClient } from 'mongodb'
import { collectionOf } from './documents/model-settings.js'
import { isCollectionActual, resetCollection, updateCollection } from './migration/migrate.js'
import { noOptions, OperationRunner } from './operation-runner.js'
import { explainRead } from './reading/explain.js'
import { countRows, findRows } from './reading/find.js'
import type { MongodbSettings } from './settings.js'
import type { MongodbConnector } from './types.js'
import { KeyedMutex } from './keyed-mutex.js'
import { deleteRows, replaceRow, updateRow, updateRows } from './writing/change.js'
import { reservedIds } from './writing/ids.js'
import { createRow, createRows, findOrCreateRow } from './writing/create.js'

export class DocumentConnector implements MongodbConnector {
  readonly name = 'mongodb'
  readonly defaultMigration = 'none'
  readonly keepsVersions = true
  readonly generatedIdType: 'number' | 'string'
  declare readonly transactions?: TransactionSupport
  readonly #runner: OperationRunner
  readonly #models = new Map<string, StoredModel>()
  readonly #turns = new KeyedMutex()

  constructor (readonly settings: MongodbSettings, readonly context: ConnectorContext) {
    this.generatedIdType = settings.generatedIds === 'number' ? 'number' : 'string'
    this.#runner = new OperationRunner(settings, context)
    if (settings.transactions) this.transactions = this.#transactionSupport()
  }

  /** Kinds of store that it is, as LoopBack's code asks. */
  getTypes (): string[] {
    return ['db', 'nosql', 'mongodb']
  }

  async connect (): Promise<void> {
    await this.#runner.open()
  }

  /** What has begun is finished first; open transactions are rolled back. */
  async disconnect (): Promise<void> {
    await this.#runner.close()
  }

  async ping (): Promise<void> {
    await this.#runner.translating({}, async () => {
      await this.#runner.connected.db.command({ ping: 1 })
    })
  }

  /** @throws FBK_CORE_INVALID_DEFINITION for a compound id: a document has one `_id` */
  attach (model: StoredModel): void {
    if (model.key.length > 1) {
      throw new errors.InvalidDefinitionError(
        `model "${model.name}", properties`,
        `several are the id (${model.key.map(({ name }) => name).join(', ')}), but a document of MongoDB has one; ` +
          'use one id property and a unique index over the others'
      )
    }
    this.#models.set(model.name, model)
  }

  async create (model: StoredModel, row: Row, options: StoreOptions = noOptions): Promise<Row> {
    const id = model.id === undefined ? undefined : row[model.id.name]
    return await this.#runner.run(model, options, access => createRow(access, row), id)
  }

  async createMany (model: StoredModel, rows: readonly Row[], options: StoreOptions = noOptions): Promise<Row[]> {
    return await this.#runner.run(model, options, access => createRows(access, rows))
  }

  async reserveIds (model: StoredModel, count: number, options: StoreOptions = noOptions): Promise<Id[]> {
    return await this.#runner.run(model, options, access => reservedIds(access, count))
  }

  async find (model: StoredModel, query: Query, options: StoreOptions = noOptions): Promise<Row[]> {
    return await this.#runner.run(model, options, access => findRows(access, query))
  }

  async findById (
    model: StoredModel,
    id: Id,
    select: Selection,
    options: StoreOptions = noOptions
  ): Promise<Row | undefined> {
    return await this.#runner.run(model, options, async ({ map, collection, options }) => {
      const projection = map.projection(select, [])
      const filter = { _id: map.encodeId(id) }
      const found = await collection.findOne(filter, { ...options, ...(projection && { projection }) })
      return found === null ? undefined : map.toRow(found, select)
    })
  }

  async count (model: StoredModel, where: Condition | undefined, options: StoreOptions = noOptions): Promise<number> {
    return await this.#runner.run(model, options, access => countRows(access, where))
  }

  async updateAll (
    model: StoredModel,
    where: Condition | undefined,
    changes: Row,
    options: StoreOptions = noOptions
  ): Promise<number> {
    return await this.#runner.run(model, options, access => updateRows(access, where, changes))
  }

  async updateById (
    model: StoredModel,
    id: Id,
    changes: Row,
    options: StoreOptions = noOptions
  ): Promise<Row | undefined> {
    return await this.#runner.run(model, options, access => updateRow(access, id, changes, options.ifVersion), id)
  }

  async replaceById (
    model: StoredModel,
    id: Id,
    row: Row,
    options: StoreOptions = noOptions
  ): Promise<Row | undefined> {
    return await this.#runner.run(model, options, access => replaceRow(access, id, row, options.ifVersion), id)
  }

  /** One after the other in this process; among several, the database sees to that where it has transactions. */
  async findOrCreate (
    model: StoredModel,
    query: Query,
    row: Row,
    options: StoreOptions = noOptions
  ): Promise<{ row: Row, created: boolean }> {
    const work = async (): Promise<{ row: Row, created: boolean }> =>
      await this.#runner.run(model, options, access => findOrCreateRow(access, query, row))
    return options.transaction === undefined ? await this.#turns.take(model.name, work) : await work()
  }

  async deleteAll (
    model: StoredModel,
    where: Condition | undefined,
    options: StoreOptions = noOptions
  ): Promise<number> {
    return await this.#runner.run(model, options, access => deleteRows(access, where))
  }

  async explain (read: StoreRead): Promise<Explanation> {
    return await this.#runner.run(read.model, noOptions, access => explainRead(access, read))
  }

  async autoupdate (models: readonly StoredModel[]): Promise<void> {
    const { dataSource } = this.context
    for (const model of models) await this.#runner.run(model, noOptions, access => updateCollection(access, dataSource))
  }

  async automigrate (models: readonly StoredModel[]): Promise<void> {
    const { dataSource } = this.context
    for (const model of models) await this.#runner.run(model, noOptions, access => resetCollection(access, dataSource))
  }

  async isActual (models: readonly StoredModel[]): Promise<boolean> {
    for (const model of models) if (!await this.#runner.run(model, noOptions, isCollectionActual)) return false
    return true
  }

  /** @throws FBK_MONGODB_NOT_CONNECTED */
  get client (): MongoClient {
    return this.#runner.connected.client
  }

  /** @throws FBK_MONGODB_NOT_CONNECTED */
  get db (): Db {
    return this.#runner.connected.db
  }

  collection (name: string): Collection<Document> {
    const model = this.#models.get(name)
    return this.db.collection(model === undefined ? name : collectionOf(model))
  }

  #transactionSupport (): TransactionSupport {
    const runner = this.#runner
    return {
      begin: async ({ isolationLevel, timeout }) =>
        await runner.translating({}, async () => runner.connected.begin(isolationLevel, timeout)),
      commit: async transaction => {
        await runner.translating({}, async () => { await runner.connected.transaction(transaction).commit() })
      },
      rollback: async transaction => {
        await runner.translating({}, async () => { await runner.connected.transaction(transaction).rollback() })
      }
    }
  }
}
