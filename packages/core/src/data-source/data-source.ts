import type { StoredModel } from '../definition/stored-model.js'
import type { Connector, DataSourceSettings, TransactionSupport } from './connector.js'
import { DataSourceSettingsError } from '../errors.js'
import { chain, isPromise, type MaybePromise } from '../maybe-promise.js'
import type { ModelClass } from '../interfaces/model-class.js'
import { type OperationCallback, promiseOrCallback } from '../callbacks.js'
import { AmbientTransactions } from './ambient-transactions.js'
import { mustBeAttached, storedModels } from './attached-models.js'
import { defineRelations } from './define-relations.js'
import type { DataSource as DataSourceInterface, DataSourceOperation, TransactionWork } from '../interfaces/data-source.js'
import { beginIn, dataSourceTransaction } from './data-source-transaction.js'
import type { Transaction, TransactionOptions, TransactionSettings } from './transaction.js'
import type { MigrationOptions, MigrationPlan, MissingTable } from './migration-plan.js'
import { makeObservable } from './observable-connector.js'
import { operationsOf } from './operations.js'
import { openingConnector } from './opening-connector.js'
import { StoreTraits } from './store-traits.js'
import { Queues } from './queues.js'
import type { ModelRegistry } from '../interfaces/model-registry.js'
import type { ModelDefinitionInput, RelationDefinition } from '../definition/definition.js'
import { baseGiven } from '../definition/normalise.js'

type Listener = (...args: any[]) => void

/**
 * A named connection of models to a store. `registry.defineDataSource` makes one. Emits
 * `connected` when it is open, and `disconnected` when it no longer is.
 *
 * ```js
 * const db = registry.defineDataSource('db', { connector: sqlConnector, url: 'sqlite:notes.db' })
 * const Note = db.createModel('Note', { title: 'string' })
 * await db.connect()
 * await db.autoupdate('Note')
 * ```
 */
class StoreDataSource extends StoreTraits implements DataSourceInterface {
  readonly #attached = new Set<ModelClass>()
  /** What connectors have told of the functions that they give models. */
  readonly #defined: Record<string, DataSourceOperation> = {}
  /** Operations that no model here shares. */
  readonly #unshared = new Set<string>()
  /** Transactions that operations with hooks open by themselves. */
  readonly ambient = new AmbientTransactions()
  /** Writes that have to wait for each other, beyond what the store's transactions do. */
  readonly edits = new Queues()
  #opening: Promise<void> | undefined
  #isOpen = false
  /** It opened by itself: its first operation still does what `migrate` says. */
  #isUnprepared = false
  #opener: Connector | undefined

  constructor (
    readonly registry: ModelRegistry,
    readonly name: string,
    readonly settings: DataSourceSettings,
    readonly connector: Connector
  ) {
    super()
    this.setMaxListeners(0)
    // Code finds the settings at the connector as well; one that has its own form of them keeps it.
    if (!('settings' in connector)) Object.defineProperty(connector, 'settings', { value: settings, configurable: true })
    makeObservable(connector)
  }

  /**
   * Stores of a folder are open before its boot scripts run, where LoopBack opened them meanwhile: a listener of
   * `connected` that comes when they are is told, too.
   */
  override on (name: string | symbol, listener: Listener): this {
    super.on(name, listener)
    if (name === 'connected' && this.#isOpen) {
      setImmediate(() => { if (this.listeners(name).includes(listener)) listener.call(this) })
    }
    return this
  }

  override addListener (name: string | symbol, listener: Listener): this {
    return this.on(name, listener)
  }

  override once (name: string | symbol, listener: Listener): this {
    if (name !== 'connected' || !this.#isOpen) return super.once(name, listener)
    setImmediate(() => { listener.call(this) })
    return this
  }

  /**
   * Models attached to this data source that are stored in it (models without properties of their own, such as `Model`,
   * are not).
   */
  get attached (): ModelClass[] {
    return [...this.#attached]
  }

  /** Called by the registry; use `registry.attach`. */
  add (Model: ModelClass): void {
    this.#attached.add(Model)
    for (const operation of this.#unshared) Model.disableRemoteMethodByName(operation)
  }

  /** Called by the registry when a model moves to another data source. */
  remove (Model: ModelClass): void {
    this.#attached.delete(Model)
  }

  /** Opens the connector once; further calls wait for the same opening. Rejects with the store's own error. */
  connect (callback?: OperationCallback): Promise<void> | undefined {
    this.#isUnprepared = false
    return promiseOrCallback(() => this.open(), callback, false, this.caller)
  }

  openUnasked (): MaybePromise<void> {
    if (this.#isOpen || this.#opening !== undefined) return
    this.#isUnprepared = true
    return this.open()
  }

  /** The same, done when it returns where the store opens at once. */
  open (): MaybePromise<void> {
    if (this.#isOpen) return
    if (this.#opening !== undefined) return this.#opening
    const opened = chain(this.connector.connect(), () => {
      this.#isOpen = true
      this.#opening = undefined
      this.emit('connected')
    })
    if (!isPromise(opened)) return opened
    // Anyone who comes after a failure tries again.
    this.#opening = opened.catch((error: unknown) => {
      this.#opening = undefined
      throw error
    })
    return this.#opening
  }

  /** What operations use: the connector, or one that opens it first. */
  get store (): Connector {
    if (this.#isPrepared) return this.connector
    const prepare = (): MaybePromise<void> => this.#isPrepared
      ? undefined
      : chain(this.registry.prepare(this), () => { this.#isUnprepared = false })
    return (this.#opener ??= openingConnector(this.connector, prepare))
  }

  get #isPrepared (): boolean {
    return this.#isOpen && !this.#isUnprepared
  }

  /** Takes an operation of all models here out of what they share, as `disableRemoteMethodByName` of each does. */
  disableRemote (operation: string): void {
    this.#unshared.add(operation)
    for (const Model of this.#attached) Model.disableRemoteMethodByName(operation)
  }

  /** Takes `disableRemote` back. What a model disabled itself stays so where this was never called. */
  enableRemote (operation: string): void {
    if (!this.#unshared.delete(operation)) return
    for (const { state } of this.#attached) if (state.disabledMethods.delete(operation)) state.invalidate()
  }

  operations (): Record<string, DataSourceOperation> {
    return { ...operationsOf(this.registry.getModel('PersistedModel'), this.#unshared), ...this.#defined }
  }

  defineOperation (name: string, options: object, fn: (...args: never[]) => unknown): void {
    const stated = { enabled: true, remoteEnabled: false, accepts: undefined, returns: undefined, http: undefined }
    this.#defined[name] = { scope: this, ...stated, ...options, name, fnName: name, fn }
  }

  getOperation (name: string): DataSourceOperation | undefined {
    const operations = this.operations()
    return Object.hasOwn(operations, name) ? operations[name] : undefined
  }

  /** LoopBack's other name of the connector. */
  get adapter (): Connector {
    return this.connector
  }

  /** Whether the connector has been opened. */
  get isOpen (): boolean {
    return this.#isOpen
  }

  /** The same, as LoopBack calls it. */
  get connected (): boolean {
    return this.#isOpen
  }

  /** Whether it is being opened. */
  get connecting (): boolean {
    return this.#opening !== undefined
  }

  /** Whether the connector has been made; it is, with the data source. */
  get initialized (): boolean {
    return true
  }

  /** Closes the connector; it can be opened again. Does nothing where it is not open. */
  disconnect (callback?: OperationCallback): Promise<void> | undefined {
    return promiseOrCallback(() => this.#close(), callback, false, this.caller)
  }

  async #close (): Promise<void> {
    if (!this.#isOpen && this.#opening === undefined) return
    await this.#opening?.catch(() => {})
    this.#opening = undefined
    this.#isOpen = false
    await this.connector.disconnect()
    this.emit('disconnected')
  }

  /** Rejects when the store cannot be reached. */
  ping (callback?: OperationCallback): Promise<void> | undefined {
    return promiseOrCallback(async () => {
      await this.connect()
      await this.connector.ping()
    }, callback, false, this.caller)
  }

  /** Brings tables up to date with the models named (all by default), keeping rows. */
  autoupdate (models?: string | string[] | OperationCallback, callback?: OperationCallback): Promise<void> | undefined {
    return this.#migrate(models, callback, stored => this.connector.autoupdate(stored))
  }

  /** Drops and creates the tables of the models named (all by default). */
  automigrate (
    models?: string | string[] | OperationCallback, callback?: OperationCallback
  ): Promise<void> | undefined {
    return this.#migrate(models, callback, stored => this.connector.automigrate(stored))
  }

  /** Whether `autoupdate` would change nothing. */
  isActual (
    models?: string | string[] | OperationCallback<boolean>,
    callback?: OperationCallback<boolean>
  ): Promise<boolean> | undefined {
    return this.#migrate(models, callback, stored => this.connector.isActual(stored))
  }

  /**
   * What separates the tables from the models: the changes that `autoupdate` would make, as statements, and the
   * differences that it leaves. Nothing is changed. Stores without tables have nothing to plan.
   *
   * ```js
   * const { changes, differences } = await db.plan()
   * for (const { statements } of changes) console.log(statements.join(';\n'))
   * ```
   */
  async plan (options: MigrationOptions = {}): Promise<MigrationPlan> {
    await this.open()
    const { plans } = this.connector
    const found = await plans?.plan(this.storedModels(), options)
    return { dataSource: this.name, changes: found?.changes ?? [], differences: found?.differences ?? [] }
  }

  /**
   * Models whose tables are not there: operations on them answer 503. Empty for stores without tables.
   *
   * ```js
   * const isReady = (await db.missing()).length === 0
   * ```
   */
  async missing (): Promise<MissingTable[]> {
    await this.open()
    return await this.connector.plans?.missing(this.storedModels()) ?? []
  }

  /**
   * Defines a model and attaches it here. A model that had the name gives it up, as in LoopBack.
   * @param name its name, or the whole definition; then the other two do not count
   * @throws as `registry.defineModel`
   */
  createModel (
    name: string | ModelDefinitionInput,
    properties: Record<string, unknown> = {},
    settings: Record<string, unknown> = {}
  ): ModelClass {
    const input = typeof name === 'string' ? { name, properties, settings } : name
    return this.registry.attach(this.registry.defineModel(this.#withBase(input), { replaces: true }), this)
  }

  /** Models that name no base have what the store is for. */
  #withBase (input: ModelDefinitionInput): ModelDefinitionInput {
    const { modelBase } = this.connector
    return modelBase === undefined || baseGiven(input) !== undefined ? input : { ...input, base: modelBase }
  }

  /** The same. */
  define (...definition: Parameters<DataSourceInterface['createModel']>): ModelClass {
    return this.createModel(...definition)
  }

  /** Attaches an existing model. */
  attach (Model: ModelClass): void {
    this.registry.attach(Model, this)
  }

  /**
   * Adds relations to a model, as they stand in a definition; the models that they lead to may come later.
   *
   * ```js
   * dataSource.defineRelations(Note, { author: { type: 'belongsTo', model: 'User', foreignKey: 'authorId' } })
   * ```
   * @throws FBK_CORE_INVALID_DEFINITION for what is no type of relation
   */
  defineRelations (Model: ModelClass, relations: Readonly<Record<string, RelationDefinition>>): void {
    defineRelations(Model, relations)
  }

  /** A transaction, to pass on as `options.transaction`. */
  beginTransaction (
    options?: TransactionSettings | string | OperationCallback<Transaction>, callback?: OperationCallback<Transaction>
  ): Promise<Transaction> | undefined {
    const settings = typeof options === 'function' ? undefined : options
    const done = typeof options === 'function' ? options : callback
    return promiseOrCallback(() => beginIn(this, settings), done, false, this.caller)
  }

  /**
   * A transaction that goes by its own model classes, `tx.models`. With `execute(models)` it is committed when that is
   * done, and rolled back when it throws; without, it is for the caller to commit. A store without transactions keeps
   * what is asked of `tx.models` until the commit, and there is nothing to wait for; it has no `execute`. Called on the
   * data source of a transaction (`models.Note.dataSource`), `execute` is a part of it, behind a savepoint.
   *
   * ```js
   * await db.transaction(async models => { await models.Note.create({ title: 'both' }) })
   * ```
   * @throws FBK_CORE_NO_TRANSACTIONS for `execute` where the store has none; FBK_CORE_NESTED_TRANSACTION on a
   * transaction, without `execute`; FBK_CORE_INVALID_SETTING for a `retry` that cannot be; RequestError 503
   * TRANSACTION_TIMEOUT
   */
  transaction<T>(execute: TransactionWork<T>, options?: TransactionOptions): Promise<T>
  transaction (
    execute?: TransactionWork, options?: TransactionOptions | OperationCallback, callback?: OperationCallback
  ): unknown
  transaction (
    execute?: TransactionWork, options?: TransactionOptions | OperationCallback, callback?: OperationCallback
  ): unknown {
    return dataSourceTransaction(this, execute, options, callback)
  }

  /**
   * The connector's transactions.
   * @throws FBK_CORE_DATA_SOURCE_SETTINGS when the store has none
   */
  transactions (): TransactionSupport {
    const { transactions } = this.store
    if (transactions === undefined) {
      throw new DataSourceSettingsError(this.name, `the connector "${this.connector.name}" has no transactions`)
    }
    return transactions
  }

  /** The stored models among those attached (or those given, by name or class), made known to the connector. */
  storedModels (given?: string | ReadonlyArray<string | ModelClass>): StoredModel[] {
    return storedModels(this.attached, given)
  }

  /** What code asks for after this comes after it, where the store is open: rows that it makes then are kept. */
  #migrate<T>(
    models: unknown,
    callback: OperationCallback<T> | undefined,
    run: (models: StoredModel[]) => MaybePromise<T>
  ): Promise<T> | undefined {
    // Null stands for all of them, as in LoopBack: `automigrate(null, done)`.
    const named = typeof models === 'function' ? undefined : models as string | string[] | null | undefined
    const names = named ?? undefined
    return promiseOrCallback(
      () => chain(this.open(), () => {
        mustBeAttached(this, names)
        return run(this.storedModels(names))
      }),
      typeof models === 'function' ? (models as OperationCallback<T>) : callback,
      false,
      this.caller
    )
  }
}

export type DataSource = DataSourceInterface
/**
 * Made by `registry.defineDataSource`; the interface says what its members do.
 *
 * ```js
 * const db = registry.defineDataSource('db', { connector: 'memory' })
 * db instanceof DataSource // true
 * ```
 */
// eslint-disable-next-line @typescript-eslint/no-redeclare -- a type and its constructor, as Map has them
export const DataSource: new (
  registry: ModelRegistry, name: string, settings: DataSourceSettings, connector: Connector
) => DataSourceInterface = Object.defineProperty(StoreDataSource, 'name', { value: 'DataSource' })
