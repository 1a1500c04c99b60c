/** Runs operations: each on the connection that is free for it, with its table, its errors made presentable. */
import type {
  Around, ConnectorContext, MaybePromise, PoolUsage, StoreCaller, StoredModel, StoreOptions
} from '@fastback/core'
import { chain, eachInSequence, isPromise } from '@fastback/core/connector'
import { Connections } from './connections/connections.js'
import type { Dialect } from './dialects/dialect.js'
import type { Connection, Database, ErrorContext } from './dialects/driver.js'
import { longestTimer } from './dialects/server/in-time.js'
import { CallerRoleError, NotConnectedError } from './errors.js'
import { Reader } from './reading/reader.js'
import { mayActAs } from './row-security/catalogue.js'
import { CallerSessions } from './row-security/caller-sessions.js'
import type { SqlSettings } from './settings.js'
import { Replicas } from './replicas/replicas.js'
import { KnownTables } from './tables/known-tables.js'
import type { Table } from './tables/table.js'

/** Runs work in a transaction, with a connection that nobody else uses. */
export type InTransaction = <T>(work: (connection: Connection) => Promise<T>) => Promise<T>

/** Milliseconds after which a write is taken to have reached replicas that do not tell. */
const assumedLag = 2000

/** What a write is about, for errors. */
export type Written = Pick<ErrorContext, 'id' | 'given'>

export type Operation<T> = (connection: Connection, table: Table, connections: Connections) => MaybePromise<T>

/** What an operation does to its table. */
export const reads = false
export const writes = true

export const noOptions: StoreOptions = {}

export class OperationRunner {
  readonly #dialect: Dialect
  readonly #settings: SqlSettings
  readonly #context: ConnectorContext
  readonly #tables: KnownTables
  #connections: Connections | undefined
  #replicas: Replicas | undefined
  #around: Around | undefined
  /** What has begun and is not finished. */
  readonly #underWay = new Set<Promise<unknown>>()
  /** Makes sessions those of callers; undefined: all work is done as the user of the connection. */
  readonly #sessions: CallerSessions | undefined

  constructor (dialect: Dialect, settings: SqlSettings, context: ConnectorContext) {
    this.#dialect = dialect
    this.#settings = settings
    this.#context = context
    const { callerRole, extraColumn } = settings
    this.#tables = new KnownTables(dialect, extraColumn)
    this.#sessions = callerRole === undefined ? undefined : new CallerSessions(callerRole, dialect.quote)
  }

  /** Opens the database; nothing when it is open. */
  open (): MaybePromise<void> {
    if (this.#connections !== undefined) return
    const opened = this.translating({}, () => this.#dialect.open(this.#settings, this.#context))
    return chain(chain(opened, database => this.#checked(database)), database => {
      this.#tables.forgetAll()
      const { transactionTimeout, busyTimeout } = this.#settings
      this.#connections = new Connections(database, transactionTimeout, busyTimeout, this.#context.log)
      this.#connections.observe(this.#around)
      this.#replicas = this.#openReplicas(this.#connections)
      this.#replicas?.observe(this.#around)
    })
  }

  /** @throws FBK_SQL_CALLER_ROLE */
  #checked (database: Database): MaybePromise<Database> {
    const { callerRole: role } = this.#settings
    if (role === undefined) return database
    return mayActAs(database.main, role).then(async may => {
      if (may) return database
      await database.close()
      const quoted = this.#dialect.quote(role)
      throw new CallerRoleError(this.#context.dataSource, role, quoted, quoted)
    })
  }

  /** Nothing waits for them: until one answers the primary does. */
  #openReplicas (primary: Connections): Replicas | undefined {
    const { replicas, transactionTimeout, busyTimeout } = this.#settings
    if (replicas === undefined) return undefined
    const { servers, retry, wait, primaryAfterWrite: window } = replicas
    const { log } = this.#context
    const opens = servers.map(server => async () => {
      const database = await this.#dialect.open({ ...this.#settings, server }, this.#context)
      return new Connections(database, transactionTimeout, busyTimeout, log)
    })
    const replication = window === undefined ? this.#dialect.replication : undefined
    return new Replicas({ opens, primary, replication, retry, wait, window: window ?? assumedLag, log })
  }

  /** Connections of the pool, where there is one and it is open. */
  get usage (): PoolUsage | undefined {
    return this.#connections?.database.usage
  }

  /** By what observers are told of statements, if there are any. */
  observe (around: Around | undefined): void {
    this.#around = around
    this.#connections?.observe(around)
    this.#replicas?.observe(around)
  }

  /** What has begun is finished first; what waits for a transaction goes on after its rollback. */
  async close (): Promise<void> {
    const connections = this.#connections
    const replicas = this.#replicas
    this.#connections = undefined
    this.#replicas = undefined
    await connections?.rollback()
    while (this.#underWay.size > 0) await Promise.allSettled(this.#underWay)
    await replicas?.close()
    await connections?.close()
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
    if (this.#connections === undefined) throw new NotConnectedError(this.#context.dataSource)
    return this.#connections
  }

  /** Runs an operation of a model. */
  run<T> (
    model: StoredModel,
    options: StoreOptions,
    writing: boolean,
    operation: Operation<T>,
    written?: Written
  ): MaybePromise<T> {
    return this.#tracked(this.#place(model, options, writing, operation, written))
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

  /** Whether observers are told of statements: they may take their time. */
  get isObserved (): boolean {
    return this.#around !== undefined
  }

  /** Runs operations of models as one, all tables known; nothing of it waits. */
  unit<T> (
    models: readonly StoredModel[], options: StoreOptions, work: (within: StoreOptions) => T
  ): MaybePromise<T> {
    return this.#tracked(this.translating({}, () => this.#unit(models, options, work)))
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
  #place<T> (
    model: StoredModel, options: StoreOptions, writing: boolean, operation: Operation<T>, written: Written | undefined
  ): MaybePromise<T> {
    const primary = this.connected()
    const replicas = this.#replicas
    if (replicas === undefined) return this.#perform(primary, model, options, writing, operation, written)
    const on = (connections: Connections): MaybePromise<T> =>
      this.#perform(connections, model, options, writing, operation, written)
    if (writing) return replicas.write(options, () => on(primary))
    // What a table is like is looked up on the primary.
    const isPlain = options.mayBeOld === true && options.lock !== true && this.#tables.has(model)
    return isPlain ? replicas.read(options.session, on, () => on(primary)) : on(primary)
  }

  /** Does what may change rows and is no operation of a model. */
  writing<T> (options: StoreOptions, work: () => MaybePromise<T>): MaybePromise<T> {
    return this.#replicas === undefined ? work() : this.#replicas.write(options, work)
  }

  /** @throws as `transaction` of `Connections` */
  commit (transaction: unknown): MaybePromise<void> {
    const work = (): MaybePromise<void> =>
      this.translating({}, () => this.connected().transaction(transaction).commit())
    return this.#replicas === undefined ? work() : this.#replicas.commit(transaction, work)
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
    return this.translating({}, () => this.#as(options.caller, connection, work))
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
    return this.#tracked(this.#place(model, options, writing, work, written))
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
   */
  #perform<T> (
    connections: Connections,
    model: StoredModel,
    options: StoreOptions,
    writing: boolean,
    operation: Operation<T>,
    written: Written | undefined,
    until?: number
  ): MaybePromise<T> {
    const connection = connections.for(options, writing)
    if (connection === undefined) {
      return connections.whenIdle(until).then(until =>
        this.#perform(connections, model, options, writing, operation, written, until))
    }
    const table = this.#tables.get(model)
    if (table === undefined) {
      const known = this.#tables.migrationOf(model) ??
        this.translating({ model }, () => this.#tables.load(connection, model))
      return chain(known, () => this.#perform(connections, model, options, writing, operation, written))
    }
    const isWithin = options.transaction !== undefined && options.transaction !== null
    try {
      const result = this.#as(options.caller, connection, connection =>
        operation(connection, isWithin ? table.withinTransaction : table, connections))
      return isPromise(result)
        ? result.catch(error => {
          throw this.#dialect.translateError(error, { model, table, ...written })
        })
        : result
    } catch (error) {
      throw this.#dialect.translateError(error, { model, table, ...written })
    }
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
    return this.translating({ model }, () => work(connection))
  }

  /** Does something, and makes its errors presentable. */
  translating<T> (context: { readonly model?: StoredModel }, work: () => MaybePromise<T>): MaybePromise<T> {
    try {
      const result = work()
      return isPromise(result)
        ? result.catch(error => {
          throw this.#dialect.translateError(error, context)
        })
        : result
    } catch (error) {
      throw this.#dialect.translateError(error, context)
    }
  }
}
