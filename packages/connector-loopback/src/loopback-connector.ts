/** A connector made for LoopBack, speaking our contract. */
import type {
  Condition, Connector, Id, JoinedDataSource, KeyValueSupport, ModelClass,
  Query, Row, Selection, StoredModel, StoreOptions,
  TransactionSupport
} from '@fastback/core'
import { projectRow } from '@fastback/core/connector'
import { CompoundIdError } from './errors.js'
import { mixIn } from './data-access-object.js'
import type { LegacyConnector } from './legacy/connector.js'
import { keepsValues, LegacyKeyValue } from './key-value.js'
import { Locks } from './locks.js'
import { find, matching } from './reading.js'
import { handedDown } from './handed-down.js'
import { copyRow } from './rows.js'
import type { Store } from './store.js'
import { LegacyTransactions } from './transactions.js'
import { toWhere } from './where.js'
import { change, create, deleteAll, findById, remove, replace, updateAll } from './writing.js'

export class LoopbackConnector implements Connector {
  readonly defaultMigration = 'none'
  readonly #locks = new Locks()
  readonly #models = new Set<ModelClass>()
  /** Models with compound ids by name. */
  readonly #compound = new Map<string, StoredModel>()
  #isOpen = false
  readonly #keyValue: LegacyKeyValue
  readonly #transactions: LegacyTransactions

  constructor (readonly store: Store) {
    this.#keyValue = new LegacyKeyValue(store)
    this.#transactions = new LegacyTransactions(store)
  }

  /** The connector that the module made: members of it that have a name of ours are here. */
  get legacy (): LegacyConnector { return this.store.connector }
  get name (): string { return String(this.store.dataSource.complete?.name ?? 'loopback') }

  get generatedIdType (): 'number' | 'string' {
    const type = this.store.dataSource.getDefaultIdType()
    return type === undefined || type === Number ? 'number' : 'string'
  }

  get transactions (): TransactionSupport | undefined {
    return this.store.has('beginTransaction') ? this.#transactions : undefined
  }

  get modelBase (): string | undefined {
    return this.keyValue === undefined ? undefined : 'KeyValueModel'
  }

  get keyValue (): KeyValueSupport | undefined {
    return keepsValues(this.store) ? this.#keyValue : undefined
  }

  async connect (): Promise<void> {
    await this.store.opening.connect()
    this.#isOpen = true
    for (const model of this.#compound.values()) this.#mustHaveTables(model)
    // Some have their functions only now: they were read from the description of a service.
    for (const Model of this.#models) mixIn(Model, this.legacy)
  }

  async disconnect (): Promise<void> { await this.store.opening.disconnect() }

  /** What of queries the connector is asked for, each on a line; known once it is connected. */
  handedDown (): string[] { return handedDown(this.store.traits) }

  async ping (): Promise<void> {
    if (this.store.has('ping')) await this.store.callWith('ping', [])
  }

  attach (model: StoredModel): void {
    if (model.key.length > 1) {
      this.#compound.set(model.name, model)
      if (this.#isOpen) this.#mustHaveTables(model)
    }
    this.store.dataSource.define(model)
  }

  /** Only a database of tables has conditions on all parts, and refuses a second row of the same id. */
  #mustHaveTables ({ name, key }: StoredModel): void {
    if (!this.store.traits.relational) throw new CompoundIdError(name, key.map(({ name }) => name).join(', '), this.name)
  }

  /** Functions of the connector go to the models attached here, and to the data source. */
  joined (dataSource: JoinedDataSource): void {
    const { dataSource: played } = this.store
    for (const [name, value] of Object.entries(played)) {
      if (typeof value === 'function' && !(name in dataSource)) Object.assign(dataSource, { [name]: value })
    }
    dataSource.registry.on('modelAttached', given => {
      const Model = given as ModelClass
      if (Model.dataSource !== dataSource) {
        this.#models.delete(Model)
        return
      }
      this.#models.add(Model)
      if (played.complete !== undefined) mixIn(Model, played.complete)
    })
  }

  async create (model: StoredModel, row: Row, options: StoreOptions): Promise<Row> {
    return await create(this.store, model, row, options)
  }

  async createMany (model: StoredModel, rows: readonly Row[], options: StoreOptions): Promise<Row[]> {
    const { transactions } = this
    if (transactions === undefined || options.transaction !== undefined || rows.length < 2) {
      return await this.#createEach(model, rows, options)
    }
    const transaction = await transactions.begin({ isolationLevel: undefined, timeout: undefined })
    try {
      const made: Row[] = []
      for (const row of rows) made.push(await create(this.store, model, row, { ...options, transaction }))
      await transactions.commit(transaction)
      return made
    } catch (error) {
      await transactions.rollback(transaction)
      throw error
    }
  }

  /** Without a transaction: what was made is removed when one of the rows is refused. */
  async #createEach (model: StoredModel, rows: readonly Row[], options: StoreOptions): Promise<Row[]> {
    const made: Row[] = []
    try {
      for (const row of rows) made.push(await create(this.store, model, row, options))
      return made
    } catch (error) {
      if (model.id !== undefined && options.transaction === undefined) {
        for (const row of made) await remove(this.store, model, row[model.id.name] as Id, options)
      }
      throw error
    }
  }

  async find (model: StoredModel, query: Query, options: StoreOptions): Promise<Row[]> {
    return await find(this.store, model, query, options)
  }

  async findById (model: StoredModel, id: Id, select: Selection, options: StoreOptions): Promise<Row | undefined> {
    if (options.lock === true) await this.#locks.lock(this.store, model, id, options)
    const row = await findById(this.store, model, id, options)
    return row === undefined ? undefined : projectRow(row, select, model)
  }

  async count (model: StoredModel, where: Condition | undefined, options: StoreOptions): Promise<number> {
    const pushed = toWhere(where, this.store.traits, model)
    if (pushed.never === true) return 0
    if (!pushed.exact || !this.store.trusts('count', 2)) return (await matching(this.store, model, where, options)).length
    return Number(await this.store.call(model, 'count', [model.name, pushed.where ?? {}], options))
  }

  async updateAll (
    model: StoredModel, where: Condition | undefined, changes: Row, options: StoreOptions
  ): Promise<number> {
    if (Object.keys(changes).length === 0) return await this.count(model, where, options)
    return await updateAll(this.store, model, where, changes, options)
  }

  async updateById (model: StoredModel, id: Id, changes: Row, options: StoreOptions): Promise<Row | undefined> {
    const isChanged = Object.keys(changes).length === 0 || await change(this.store, model, id, changes, options)
    return isChanged ? await findById(this.store, model, id, options) : undefined
  }

  async replaceById (model: StoredModel, id: Id, row: Row, options: StoreOptions): Promise<Row | undefined> {
    if (!await replace(this.store, model, id, row, options)) return undefined
    const out = copyRow(row)
    if (model.id !== undefined) out[model.id.name] = id
    return out
  }

  async findOrCreate (
    model: StoredModel, query: Query, row: Row, options: StoreOptions
  ): Promise<{ row: Row, created: boolean }> {
    return await this.#locks.alone(model, async () => {
      const [found] = await find(this.store, model, { ...query, limit: 1 }, options)
      return found === undefined
        ? { row: await create(this.store, model, row, options), created: true }
        : { row: found, created: false }
    })
  }

  async deleteAll (model: StoredModel, where: Condition | undefined, options: StoreOptions): Promise<number> {
    return await deleteAll(this.store, model, where, options)
  }

  async autoupdate (models: readonly StoredModel[]): Promise<void> { await this.#migrate('autoupdate', models) }
  async automigrate (models: readonly StoredModel[]): Promise<void> { await this.#migrate('automigrate', models) }

  async isActual (models: readonly StoredModel[]): Promise<boolean> {
    return !this.store.has('isActual') || await this.#migrate('isActual', models) === true
  }

  /** A connector without the method has no tables. */
  async #migrate (method: string, models: readonly StoredModel[]): Promise<unknown> {
    if (!this.store.has(method) || models.length === 0) return undefined
    return await this.store.callWith(method, [models.map(model => model.name)])
  }
}
