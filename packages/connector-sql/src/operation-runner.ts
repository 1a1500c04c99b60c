/** Runs operations: each on the connection that is free for it, with its table, its errors made presentable. */
import type {
  Around, ConnectorContext, MaybePromise, PoolUsage, StoreCaller, StoredModel, StoreOptions
} from '@fastback/core'
import { chain, eachInSequence, isPromise } from '@fastback/core/connector'
import type { Connections } from './connections/connections.js'
import { OpenedStore } from './connections/opened-store.js'
import type { Dialect } from './dialects/dialect.js'
import type { Connection, ErrorContext } from './dialects/driver.js'
import { longestTimer } from './dialects/server/in-time.js'
import { Reader } from './reading/reader.js'
import { CallerSessions } from './row-security/caller-sessions.js'
import type { SqlSettings } from './settings.js'
import { KnownTables } from './tables/known-tables.js'
import type { Table } from './tables/table.js'
import { ofNoModel, translating } from './translating.js'

/** Runs work in a transaction, with a connection that nobody else uses. */
export type InTransaction = <T>(work: (connection: Connection) => Promise<T>) => Promise<T>

/** What a write is about, for errors. */
export type Written = Pick<ErrorContext, 'id' | 'given'>

export type Operation<T> = (connection: Connection, table: Table, connections: Connections) => MaybePromise<T>

/** An operation of a model, with what it is run for. */
interface Run<T> {
  readonly model: StoredModel
  readonly options: StoreOptions
  readonly writing: boolean
  readonly operation: Operation<T>
  readonly written: Written | undefined
}

/** What an operation does to its table. */
export const reads = false
export const writes = true

export const noOptions: StoreOptions = {}

export class OperationRunner {
  readonly #dialect: Dialect
  readonly #store: OpenedStore
  readonly #tables: KnownTables
  /** What has begun and is not finished. */
  readonly #underWay = new Set<Promise<unknown>>()
  /** Makes sessions those of callers; undefined: all work is done as the user of the connection. */
  readonly #sessions: CallerSessions | undefined

  constructor (dialect: Dialect, settings: SqlSettings, context: ConnectorContext) {
    const { callerRole, extraColumn } = settings
    this.#dialect = dialect
    this.#store = new OpenedStore(dialect, settings, context)
    this.#tables = new KnownTables(dialect, extraColumn)
    this.#sessions = callerRole === undefined ? undefined : new CallerSessions(callerRole, dialect.quote)
  }

  /** Opens the database; nothing when it is open. */
  open (): MaybePromise<void> {
    if (this.#store.isOpen) return
    return chain(this.#store.open(), () => { this.#tables.forgetAll() })
  }

  /** Connections of the pool, where there is one and it is open. */
  get usage (): PoolUsage | undefined {
    return this.#store.usage
  }

  /** By what observers are told of statements, if there are any. */
  observe (around: Around | undefined): void {
    this.#store.observe(around)
  }

  /** Whether observers are told of statements: they may take their time. */
  get isObserved (): boolean {
    return this.#store.isObserved
  }

  /** What has begun is finished first; what waits for a transaction goes on after its rollback. */
  async close (): Promise<void> {
    await this.#store.close(async () => {
      while (this.#underWay.size > 0) await Promise.allSettled(this.#underWay)
    })
  }

  #tracked<T> (result: MaybePromise<T>): MaybePromise<T> {
    if (!isPromise(result)) return result
    const forget = (): void => {
      this.#underWay.delete(result)
    }
    this.#underWay.add(result)
    result.then(forget, forget)
    return result
  }

  /** @throws FBK_SQL_NOT_CONNECTED */
  connected (): Connections {
    return this.#store.primary
  }

  /** Runs an operation of a model. */
  run<T> (
    model: StoredModel,
    options: StoreOptions,
    writing: boolean,
    operation: Operation<T>,
    written?: Written
  ): MaybePromise<T> {
    return this.#tracked(this.#place({ model, options, writing, operation, written }))
  }

  /** Runs a write that needs the tables of several models, all known and on one connection. */
  together<T> (
    models: readonly StoredModel[],
    options: StoreOptions,
    operation: (connection: Connection, tables: readonly Table[]) => MaybePromise<T>
  ): MaybePromise<T> {
    const unknown = models.find(model => !this.#tables.has(model))
    return unknown === undefined
      ? this.run(models[0] as StoredModel, options, writes, connection =>
        operation(connection, models.map(model => this.#tables.get(model) as Table)))
      : this.run(unknown, options, writes, () => this.together(models, options, operation))
  }

  /** Runs operations of models as one, all tables known; nothing of it waits. */
  unit<T> (
    models: readonly StoredModel[], options: StoreOptions, work: (within: StoreOptions) => T
  ): MaybePromise<T> {
    return this.#tracked(this.translating(ofNoModel, () => this.#unit(models, options, work)))
  }

  #unit<T> (
    models: readonly StoredModel[], options: StoreOptions, work: (within: StoreOptions) => T, until?: number
  ): MaybePromise<T> {
    const unknown = models.find(model => !this.#tables.has(model))
    if (unknown !== undefined) {
      return chain(this.run(unknown, options, reads, () => {}), () => this.#unit(models, options, work, until))
    }
    const connections = this.connected()
    const unit = connections.unit(options, work)
    return unit === undefined
      ? connections.whenIdle(until).then(until => this.#unit(models, options, work, until))
      : unit.done
  }

  /** Where an operation runs: reads that may be a little old on a replica, everything else on the primary. */
  #place<T> (run: Run<T>): MaybePromise<T> {
    const { primary, replicas } = this.#store
    if (replicas === undefined) return this.#perform(run, primary)
    const { model, options, writing } = run
    if (writing) return replicas.write(options, () => this.#perform(run, primary))
    // What a table is like is looked up on the primary.
    const isPlain = options.mayBeOld === true && options.lock !== true && this.#tables.has(model)
    const on = (connections: Connections): MaybePromise<T> => this.#perform(run, connections)
    return isPlain ? replicas.read(options.session, on, () => on(primary)) : on(primary)
  }

  /** Does what may change rows and is no operation of a model. */
  writing<T> (options: StoreOptions, work: () => MaybePromise<T>): MaybePromise<T> {
    const { replicas } = this.#store
    return replicas === undefined ? work() : replicas.write(options, work)
  }

  /** @throws as `transaction` of `Connections` */
  commit (transaction: unknown): MaybePromise<void> {
    const work = (): MaybePromise<void> =>
      this.translating(ofNoModel, () => this.connected().transaction(transaction).commit())
    const { replicas } = this.#store
    return replicas === undefined ? work() : replicas.commit(transaction, work)
  }

  /** Runs a statement that belongs to no model, on the connection of a transaction or the main one. */
  runOnConnection<T> (options: StoreOptions, work: (connection: Connection) => MaybePromise<T>): MaybePromise<T> {
    return this.#tracked(this.#performOnConnection(this.connected(), options, work))
  }

  #performOnConnection<T> (
    connections: Connections,
    options: StoreOptions,
    work: (connection: Connection) => MaybePromise<T>,
    until?: number
  ): MaybePromise<T> {
    const connection = connections.for(options, writes)
    if (connection === undefined) {
      return connections.whenIdle(until).then(until => this.#performOnConnection(connections, options, work, until))
    }
    return this.translating(ofNoModel, () => this.#as(options.caller, connection, work))
  }

  /** As the caller, where the database is to know of one. */
  #as<T> (
    caller: StoreCaller | undefined, connection: Connection, work: (connection: Connection) => MaybePromise<T>
  ): MaybePromise<T> {
    const sessions = this.#sessions
    return caller === undefined || sessions === undefined ? work(connection) : sessions.run(caller, connection, work)
  }

  /** Runs an operation that looks for rows, perhaps in ticks of the event loop. */
  read<T> (
    model: StoredModel,
    options: StoreOptions,
    operation: (reader: Reader) => MaybePromise<T>,
    writing = reads,
    written?: Written
  ): MaybePromise<T> {
    const work: Operation<T> = (connection, table, connections) =>
      operation(new Reader(connection, table, options, connections, writing))
    return this.run(model, options, writing, work, written)
  }

  /** Runs an operation that reads from one table and needs to know others beside it. */
  readAttached<T> (
    model: StoredModel,
    others: readonly StoredModel[],
    options: StoreOptions,
    operation: (reader: Reader, others: readonly Table[]) => MaybePromise<T>
  ): MaybePromise<T> {
    const unknown = others.find(other => !this.#tables.has(other))
    return unknown === undefined
      ? this.read(model, options, reader =>
        operation(reader, others.map(other => this.#tables.get(other) as Table)))
      : this.run(unknown, options, reads, () => this.readAttached(model, others, options, operation))
  }

  /** The table of a model; undefined before its first use. */
  tableOf (model: StoredModel): Table | undefined {
    return this.#tables.get(model)
  }

  /**
   * Runs an operation when its table is known and its connection is free, which with SQLite is nearly always at once.
   * @param until when it has waited long enough
   */
  #perform<T> (run: Run<T>, connections: Connections, until?: number): MaybePromise<T> {
    const { model, options, writing, operation, written } = run
    const connection = connections.for(options, writing)
    if (connection === undefined) {
      return connections.whenIdle(until).then(until => this.#perform(run, connections, until))
    }
    const table = this.#tables.get(model)
    if (table === undefined) {
      const known = this.#tables.migrationOf(model) ??
        this.translating(() => ({ model }), () => this.#tables.load(connection, model))
      return chain(known, () => this.#perform(run, connections))
    }
    const isWithin = options.transaction !== undefined && options.transaction !== null
    const seen = isWithin ? table.withinTransaction : table
    return this.translating(() => ({ model, table, ...written }), () => this.#sessions === undefined
      ? operation(connection, seen, connections)
      : this.#as(options.caller, connection, connection => operation(connection, seen, connections)))
  }

  /**
   * Code that comes right after may use the models already: their operations wait until the tables are as they should
   * be.
   */
  migrateAll (
    models: readonly StoredModel[],
    work: (connection: Connection, model: StoredModel) => MaybePromise<void>
  ): MaybePromise<void> {
    return this.#tables.whileMigrating(models, () =>
      eachInSequence(models, model => this.migrate(model, connection => work(connection, model))))
  }

  /** The same, for work on all tables at once, in transactions of its own. */
  migrateTogether (
    models: readonly StoredModel[], work: (inTransaction: InTransaction) => MaybePromise<void>
  ): MaybePromise<void> {
    return this.#tables.whileMigrating(models, () => this.#tracked(work(work => this.#inTransaction(work))))
  }

  /** However long it takes. */
  async #inTransaction<T> (work: (connection: Connection) => Promise<T>): Promise<T> {
    const connections = this.connected()
    const transaction = await connections.begin({ timeout: longestTimer })
    try {
      const result = await work(transaction.connection)
      await transaction.commit()
      return result
    } catch (error) {
      if (transaction.isOpen) await transaction.rollback()
      throw error
    }
  }

  /** Changes, or looks at, the table of a model: what was known of it is forgotten. */
  migrate<T> (model: StoredModel, work: (connection: Connection) => MaybePromise<T>): MaybePromise<T> {
    return this.#tracked(this.#migrated(this.connected(), model, work))
  }

  #migrated<T> (
    connections: Connections,
    model: StoredModel,
    work: (connection: Connection) => MaybePromise<T>,
    until?: number
  ): MaybePromise<T> {
    const connection = connections.for(noOptions, writes)
    if (connection === undefined) {
      return connections.whenIdle(until).then(until => this.#migrated(connections, model, work, until))
    }
    this.#tables.forget(model)
    return this.translating(() => ({ model }), () => work(connection))
  }

  /** Does something, and makes its errors presentable. */
  translating<T> (contextOf: () => ErrorContext, work: () => MaybePromise<T>): MaybePromise<T> {
    return translating(this.#dialect, contextOf, work)
  }
}
