/** The connector: its operations, each done by a function of `reading/`, `writing/` or `migration/`. */
import type {
  Around,
  Condition,
  Connector,
  ConnectorContext,
  Explanation,
  Id,
  MaybePromise,
  MigrationOptions,
  OperationCallback,
  OperationOptions,
  OrderTerm,
  PlanSupport,
  PolicySupport,
  PoolUsage,
  PropertyDefinition,
  Query,
  Row,
  Selection,
  SetSupport,
  StoredAggregation,
  StoredModel,
  StoredResult,
  StoreOptions,
  StoreRead,
  StoreStatement,
  TextSupport,
  TogetherSupport,
  TransactionSupport,
  UnitSupport
} from '@fastback/core'
import {
  callerOf, chain, promiseOrCallback, shownId, splitCallback, transactionHandle
} from '@fastback/core/connector'
import type { BusDriver, BusOffer } from '@fastback/core/bus'
import { transactionSupport } from './connections/transaction-support.js'
import { OutboxBus, type OutboxSettings } from './bus/outbox-driver.js'
import { PostgresBus } from './bus/postgres-driver.js'
import { DiscoveringConnector } from './discovery/discovering-connector.js'
import type { Dialect } from './dialects/dialect.js'
import type { Connection } from './dialects/driver.js'
import { Migrator } from './migration/migrator.js'
import { plansOf } from './migration/plans.js'
import { areActual, resetAll, updateAll } from './migration/all-models.js'
import { noOptions, OperationRunner, reads, writes } from './operation-runner.js'
import { supportsLinkedOrder, supportsLinks } from './query/supported-links.js'
import { aggregateRows } from './reading/aggregate.js'
import { explainRead } from './reading/explain.js'
import { countRows, readRow, readRows } from './reading/read.js'
import { textSupport } from './reading/text-support.js'
import { policiesOf } from './row-security/policies.js'
import type { ServerSettings } from './server-settings.js'
import { isInFile, type SqlSettings } from './settings.js'
import { dataType, isNumberType } from './tables/naming.js'
import { ofNoModel } from './translating.js'
import { deleteRows } from './writing/delete.js'
import { insertRow } from './writing/insert.js'
import { insertRows } from './writing/insert-many.js'
import { replaceRow } from './writing/replace.js'
import { updateRow, updateRows } from './writing/update.js'
import { findOrInsert } from './writing/find-or-insert.js'
import { setSupport, togetherSupport } from './writing/write-support.js'

/** A row as the database has it, by column name. */
export type SqlRow = Record<string, unknown>

export class SqlConnector extends DiscoveringConnector implements Connector {
  readonly name = 'sql'
  readonly relational = true
  readonly generatedIdType = 'number'
  readonly replicated: boolean
  readonly worksByTurn: boolean
  readonly defaultMigration: 'update' | 'none'
  readonly text: TextSupport
  readonly holdsLocks = true
  readonly keepsVersions = true
  readonly narrowsCallers: boolean
  readonly transactions: TransactionSupport
  readonly plans: PlanSupport
  readonly policies: PolicySupport | undefined
  readonly together: TogetherSupport
  readonly sets: SetSupport
  readonly #units: UnitSupport | undefined
  readonly #migrator: Migrator
  readonly #runner: OperationRunner

  constructor (
    readonly dialect: Dialect,
    readonly settings: SqlSettings,
    readonly context: ConnectorContext
  ) {
    super()
    this.replicated = settings.replicas !== undefined
    this.worksByTurn = isInFile(settings)
    this.narrowsCallers = settings.callerRole !== undefined
    this.defaultMigration = dialect.defaultMigration
    this.#runner = new OperationRunner(dialect, settings, context)
    const planning = { dialect, dataSource: context.dataSource, extraColumn: settings.extraColumn }
    this.#migrator = new Migrator(planning)
    this.plans = plansOf(this.#runner, this.#migrator, planning)
    this.policies = dialect.name === 'postgres' ? policiesOf(this.#runner, settings.callerRole) : undefined
    this.text = textSupport(this.#runner, dialect)
    this.transactions = transactionSupport(this.#runner)
    this.together = togetherSupport(this.#runner)
    this.sets = setSupport(this.#runner)
    this.#units = dialect.name === 'sqlite'
      ? { run: (models, options, work) => this.#runner.unit(models, options, work) }
      : undefined
  }

  /** A definition that names a type of no numbers for the column says what the database gives out. */
  keepsIdType (definition: PropertyDefinition): boolean {
    const type = dataType({ definition }, this.dialect.settingKeys)
    return type !== undefined && !isNumberType(type)
  }

  connect (): MaybePromise<void> {
    return this.#runner.open()
  }

  /** The type of ids that it gives out, as LoopBack's code asks. */
  getDefaultIdType (): unknown {
    return Number
  }

  /** Kinds of store that it is, as LoopBack's code asks. */
  getTypes (): string[] {
    return ['db', 'rdbms', 'sql', this.dialect.name]
  }

  /** What has begun is finished first; what waits for a transaction goes on after its rollback. */
  async disconnect (): Promise<void> {
    await this.#runner.close()
  }

  ping (): MaybePromise<void> {
    return this.#runner.translating(ofNoModel, () => {
      const { main } = this.#runner.connected().database
      return chain(main.query('SELECT 1', []), () => {})
    })
  }

  /** PostgreSQL tells by itself; elsewhere a table does, where others can open it. */
  get bus (): BusOffer | undefined {
    const { dialect, settings } = this
    if (dialect.name === 'postgres') {
      return {
        driver: 'postgres',
        storesNothing: true,
        make: context => new PostgresBus(settings.server as ServerSettings, context)
      }
    }
    if (dialect.name === 'sqlite' && !isInFile(settings)) return undefined
    return { driver: 'outbox', storesNothing: false, make: ({ namespace }) => this.outbox(namespace) }
  }

  /** Carries the bus by tables of this database. */
  outbox (namespace: string, settings: OutboxSettings = {}): BusDriver {
    return new OutboxBus(namespace, work => this.#runner.runOnConnection(noOptions, work), this.dialect, settings)
  }

  /** Nothing waits with SQLite, but for observers. */
  get units (): UnitSupport | undefined {
    return this.#runner.isObserved ? undefined : this.#units
  }

  poolUsage (): PoolUsage | undefined {
    return this.#runner.usage
  }

  observed (around: Around | undefined): void {
    this.#runner.observe(around)
  }

  explain (read: StoreRead, statement: StoreStatement | undefined): MaybePromise<Explanation> {
    return this.#runner.runOnConnection(noOptions, connection => explainRead(connection, this.dialect, read, statement))
  }

  /** Models are looked up by their compiled form: what was prepared for an earlier one goes with it. */
  attach (_model: StoredModel): void {}

  create (model: StoredModel, row: Row, options: StoreOptions = noOptions): MaybePromise<Row> {
    return this.#runner.run(
      model,
      options,
      writes,
      (connection, table) => insertRow(connection, table, row),
      { id: shownId(model, row), given: row }
    )
  }

  createMany (model: StoredModel, rows: readonly Row[], options: StoreOptions = noOptions): MaybePromise<Row[]> {
    return this.#runner.run(
      model,
      options,
      writes,
      (connection, table) => insertRows(connection, table, rows),
      { given: rows }
    )
  }

  find (model: StoredModel, query: Query, options: StoreOptions = noOptions): MaybePromise<Row[]> {
    return this.#runner.read(model, options, reader => readRows(reader, query))
  }

  findById (
    model: StoredModel,
    id: Id,
    select: Selection,
    options: StoreOptions = noOptions
  ): MaybePromise<Row | undefined> {
    return this.#runner.run(model, options, reads, (connection, table) =>
      readRow(connection, table, id, select, options.lock, options.also)
    )
  }

  count (model: StoredModel, where: Condition | undefined, options: StoreOptions = noOptions): MaybePromise<number> {
    return this.#runner.read(model, options, reader => countRows(reader, where))
  }

  aggregate (
    model: StoredModel, aggregation: StoredAggregation, options: StoreOptions = noOptions
  ): MaybePromise<readonly StoredResult[] | undefined> {
    return this.#runner.read(model, options, reader => aggregateRows(reader, aggregation))
  }

  updateAll (
    model: StoredModel,
    where: Condition | undefined,
    changes: Row,
    options: StoreOptions = noOptions
  ): MaybePromise<number> {
    return this.#runner.read(
      model,
      options,
      reader => updateRows(reader, where, changes) ?? countRows(reader, where),
      writes,
      { given: changes }
    )
  }

  updateById (
    model: StoredModel,
    id: Id,
    changes: Row,
    options: StoreOptions = noOptions
  ): MaybePromise<Row | undefined> {
    return this.#runner.run(
      model,
      options,
      writes,
      (connection, table) => updateRow(connection, table, id, changes, options),
      { id, given: changes }
    )
  }

  replaceById (model: StoredModel, id: Id, row: Row, options: StoreOptions = noOptions): MaybePromise<Row | undefined> {
    return this.#runner.run(
      model,
      options,
      writes,
      (connection, table) => replaceRow(connection, table, id, row, options.ifVersion),
      { id, given: row }
    )
  }

  findOrCreate (
    model: StoredModel,
    query: Query,
    row: Row,
    options: StoreOptions = noOptions
  ): MaybePromise<{ row: Row; created: boolean }> {
    return this.#runner.run(
      model,
      options,
      writes,
      (connection, table) => findOrInsert(connection, table, query, row, options.work),
      { given: row }
    )
  }

  deleteAll (
    model: StoredModel, where: Condition | undefined, options: StoreOptions = noOptions
  ): MaybePromise<number> {
    return this.#runner.read(model, options, reader => deleteRows(reader, where), writes)
  }

  supportsLinkedOrder (model: StoredModel, order: readonly OrderTerm[], options: StoreOptions): boolean {
    const table = this.#runner.tableOf(model)
    return table !== undefined && supportsLinkedOrder(table, order, options)
  }

  supportsLinks (model: StoredModel, condition: Condition, isWrite: boolean, options: StoreOptions): boolean {
    const table = this.#runner.tableOf(model)
    return table !== undefined && supportsLinks(table, condition, isWrite, options)
  }

  autoupdate (models: readonly StoredModel[], { allowDrop = [] }: MigrationOptions = {}): MaybePromise<void> {
    const update = (): MaybePromise<void> =>
      updateAll(this.#runner, this.#migrator, models, allowDrop)
    // The plan knows what may go.
    return allowDrop.length === 0 ? update() : this.plans.plan(models, { allowDrop }).then(update)
  }

  automigrate (models: readonly StoredModel[]): MaybePromise<void> {
    return resetAll(this.#runner, this.#migrator, models, this.dialect)
  }

  isActual (models: readonly StoredModel[]): MaybePromise<boolean> {
    return areActual(this.#runner, this.#migrator, models)
  }

  /**
   * Runs a statement of the application's own, for what models do not say. Never put text from outside into `sql`: bind
   * it.
   * @returns rows as objects by column name; none for statements that give none
   */
  execute (sql: string, values?: readonly unknown[], options?: StoreOptions): Promise<SqlRow[]>
  /** LoopBack's form: the rows go to the callback that is the last argument. */
  execute (sql: string, ...rest: [...unknown[], OperationCallback<SqlRow[]>]): void
  execute (sql: string, ...rest: unknown[]): Promise<SqlRow[]> | undefined {
    const {
      values: [values = [], options = noOptions],
      callback
    } = splitCallback(rest)
    return promiseOrCallback(
      () => {
        const within = forStore(options as StoreOptions, this.narrowsCallers)
        return this.#executed(sql, () => this.#runner.runOnConnection(within, connection =>
          connection.rows(sql, values as readonly unknown[])
        ), within)
      },
      callback
    )
  }

  #executed<T> (sql: string, work: () => MaybePromise<T>, options: StoreOptions): MaybePromise<T> {
    return /^\s*SELECT\b/i.test(sql) ? work() : this.#runner.writing(options, work)
  }

  protected async onConnection<T> (work: (connection: Connection) => Promise<T>): Promise<T> {
    await this.connect()
    return await this.#runner.runOnConnection(noOptions, work)
  }
}

/**
 * Code of an application has the transaction of `Model.beginTransaction`, and operations have its handle. Options of
 * a request say for whom it works.
 */
function forStore (options: StoreOptions, narrowsCallers: boolean): StoreOptions {
  const { transaction } = options
  const caller = narrowsCallers ? callerOf(options as OperationOptions) : undefined
  const known = caller === undefined ? options : { ...options, caller }
  return transaction === undefined || transaction === null
    ? known
    : { ...known, transaction: transactionHandle(transaction) }
}
