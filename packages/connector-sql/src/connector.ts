/** The connector: finds the table and the connection for every operation, and makes errors presentable. */
import {
  chain,
  eachInTurn,
  isPromise,
  settle,
  splitCallback,
  type Condition,
  type Connector,
  type ConnectorContext,
  type Id,
  type MaybePromise,
  type OperationCallback,
  type Query,
  type Row,
  type Selection,
  type StoredModel,
  type StoreOptions,
  type TextSupport,
  type TransactionSupport
} from '@fastback/core'
import type { Dialect } from './dialects/dialect.js'
import type { Connection } from './dialects/driver.js'
import { NotConnectedError, TableMissingError } from './errors.js'
import { Migrator } from './migration/migrator.js'
import { countRows, readKeyed, readRow, readRows, readRowText, readText } from './reading/read.js'
import { Reader } from './reading/reader.js'
import { Connections } from './connections/connections.js'
import type { SqlSettings } from './settings.js'
import { Table, tableOf } from './tables/table.js'
import { deleteRows } from './writing/delete.js'
import { insertRow, insertRows } from './writing/insert.js'
import { replaceRow, updateRow, updateRows, updateRowText } from './writing/update.js'
import { findOrInsert } from './writing/find-or-insert.js'

/** A row as the database has it, by column name. */
export type SqlRow = Record<string, unknown>

type Work<T> = (connection: Connection, table: Table) => MaybePromise<T>

const reads = false
const writes = true
const noOptions: StoreOptions = {}

export class SqlConnector implements Connector {
  readonly name = 'sql'
  readonly generatedIdType = 'number'
  readonly defaultMigration: 'update' | 'none'
  readonly text: TextSupport
  readonly transactions: TransactionSupport
  readonly #migrator: Migrator
  #tables = new WeakMap<StoredModel, Table>()
  #tablesMade = 0
  #connections: Connections | undefined
  readonly #underWay = new Set<Promise<unknown>>()
  /** By the name of the model. */
  readonly #migrating = new Map<string, Promise<void>>()

  constructor (
    readonly dialect: Dialect,
    readonly settings: SqlSettings,
    readonly context: ConnectorContext
  ) {
    this.defaultMigration = dialect.defaultMigration
    this.#migrator = new Migrator(dialect, settings.extraColumn, context.dataSource)
    this.text = this.#textSupport()
    this.transactions = this.#transactionSupport()
  }

  connect (): MaybePromise<void> {
    if (this.#connections !== undefined) return
    const opened = this.#translating({}, () => this.dialect.open(this.settings, this.context))
    return chain(opened, database => {
      this.#tables = new WeakMap()
      this.#connections = new Connections(database, this.settings.transactionTimeout, this.context.log)
    })
  }

  /** What has begun is finished first; what waits for a transaction goes on after its rollback. */
  async disconnect (): Promise<void> {
    const connections = this.#connections
    this.#connections = undefined
    await connections?.rollback()
    while (this.#underWay.size > 0) await Promise.allSettled(this.#underWay)
    await connections?.close()
  }

  #tracked<T>(result: MaybePromise<T>): MaybePromise<T> {
    if (!isPromise(result)) return result
    const forget = (): void => {
      this.#underWay.delete(result)
    }
    this.#underWay.add(result)
    result.then(forget, forget)
    return result
  }

  ping (): MaybePromise<void> {
    return this.#translating({}, () => chain(this.#connected().database.main.query('SELECT 1', []), () => {}))
  }

  /** Models are looked up by their compiled form: what was prepared for an earlier one goes with it. */
  attach (_model: StoredModel): void {}

  create (model: StoredModel, row: Row, options: StoreOptions = noOptions): MaybePromise<Row> {
    return this.#run(
      model,
      options,
      writes,
      (connection, table) => insertRow(connection, table, row),
      model.id === undefined ? undefined : row[model.id.name]
    )
  }

  createMany (model: StoredModel, rows: readonly Row[], options: StoreOptions = noOptions): MaybePromise<Row[]> {
    return this.#run(model, options, writes, (connection, table) => insertRows(connection, table, rows))
  }

  find (model: StoredModel, query: Query, options: StoreOptions = noOptions): MaybePromise<Row[]> {
    return this.#read(model, options, reader => readRows(reader, query))
  }

  findById (
    model: StoredModel,
    id: Id,
    select: Selection,
    options: StoreOptions = noOptions
  ): MaybePromise<Row | undefined> {
    return this.#run(model, options, reads, (connection, table) =>
      readRow(connection, table, id, select, options.lock === true)
    )
  }

  count (model: StoredModel, where: Condition | undefined, options: StoreOptions = noOptions): MaybePromise<number> {
    return this.#read(model, options, reader => countRows(reader, where))
  }

  updateAll (
    model: StoredModel,
    where: Condition | undefined,
    changes: Row,
    options: StoreOptions = noOptions
  ): MaybePromise<number> {
    return this.#read(model, options, reader => updateRows(reader, where, changes) ?? countRows(reader, where), writes)
  }

  updateById (
    model: StoredModel,
    id: Id,
    changes: Row,
    options: StoreOptions = noOptions
  ): MaybePromise<Row | undefined> {
    return this.#run(model, options, writes, (connection, table) => updateRow(connection, table, id, changes), id)
  }

  replaceById (model: StoredModel, id: Id, row: Row, options: StoreOptions = noOptions): MaybePromise<Row | undefined> {
    return this.#run(model, options, writes, (connection, table) => replaceRow(connection, table, id, row), id)
  }

  findOrCreate (
    model: StoredModel,
    query: Query,
    row: Row,
    options: StoreOptions = noOptions
  ): MaybePromise<{ row: Row; created: boolean }> {
    return this.#run(model, options, writes, (connection, table) =>
      findOrInsert(connection, table, query, row, options.work)
    )
  }

  deleteAll (
    model: StoredModel, where: Condition | undefined, options: StoreOptions = noOptions
  ): MaybePromise<number> {
    return this.#read(model, options, reader => deleteRows(reader, where), writes)
  }

  autoupdate (models: readonly StoredModel[]): MaybePromise<void> {
    return this.#migrateAll(models, (connection, model) => this.#migrator.update(connection, model))
  }

  automigrate (models: readonly StoredModel[]): MaybePromise<void> {
    return this.#migrateAll(models, (connection, model) => this.#migrator.reset(connection, model))
  }

  isActual (models: readonly StoredModel[]): MaybePromise<boolean> {
    let actual = true
    return chain(
      eachInTurn(models, model =>
        actual
          ? chain(
            this.#migrate(model, connection => this.#migrator.isActual(connection, model)),
            result => {
              actual = result
            }
          )
          : undefined
      ),
      () => actual
    )
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
    return settle(
      () =>
        this.#tracked(this.#executed(this.#connected(), sql, values as readonly unknown[], options as StoreOptions)),
      callback
    )
  }

  #executed (
    connections: Connections,
    sql: string,
    values: readonly unknown[],
    options: StoreOptions
  ): MaybePromise<SqlRow[]> {
    const connection = connections.for(options, writes)
    if (connection === undefined) {
      return connections.whenIdle().then(() => this.#executed(connections, sql, values, options))
    }
    return this.#translating({}, () => connection.rows(sql, values))
  }

  #textSupport (): TextSupport {
    return {
      find: (model, query, options) => this.#read(model, options, reader => readText(reader, query)),
      findById: (model, id, select, options) =>
        this.#run(model, options, reads, (connection, table) => readRowText(connection, table, id, select)),
      updateById: (model, id, changes, select, options) =>
        this.#run(
          model,
          options,
          writes,
          (connection, table) => updateRowText(connection, table, id, changes, select),
          id
        ),
      findKeyed: (model, query, keyNames, options) =>
        this.#read(model, options, reader => readKeyed(reader, query, keyNames))
    }
  }

  #transactionSupport (): TransactionSupport {
    return {
      begin: ({ isolationLevel, timeout }) =>
        this.#translating({}, () => this.#connected().begin(isolationLevel, timeout)),
      commit: transaction => this.#translating({}, () => this.#connected().transaction(transaction).commit()),
      rollback: transaction => this.#translating({}, () => this.#connected().transaction(transaction).rollback())
    }
  }

  #connected (): Connections {
    if (this.#connections === undefined) throw new NotConnectedError(this.context.dataSource)
    return this.#connections
  }

  #run<T>(
    model: StoredModel,
    options: StoreOptions,
    writing: boolean,
    operation: Work<T>,
    id?: unknown
  ): MaybePromise<T> {
    return this.#tracked(this.#perform(this.#connected(), model, options, writing, operation, id))
  }

  /** Runs an operation that looks for rows, perhaps in turns of the event loop. */
  #read<T>(
    model: StoredModel,
    options: StoreOptions,
    operation: (reader: Reader) => MaybePromise<T>,
    writing = reads
  ): MaybePromise<T> {
    const connections = this.#connected()
    const work: Work<T> = (connection, table) => operation(new Reader(connection, table, options, connections, writing))
    return this.#tracked(this.#perform(connections, model, options, writing, work, undefined))
  }

  /**
   * Runs an operation when its table is known and its connection is free, which with SQLite is nearly always at once.
   */
  #perform<T>(
    connections: Connections,
    model: StoredModel,
    options: StoreOptions,
    writing: boolean,
    operation: Work<T>,
    id: unknown
  ): MaybePromise<T> {
    const connection = connections.for(options, writing)
    if (connection === undefined) {
      return connections.whenIdle().then(() => this.#perform(connections, model, options, writing, operation, id))
    }
    const table = this.#tables.get(model)
    if (table === undefined && this.#migrating.size > 0) {
      const migrating = this.#migrating.get(model.name)
      if (migrating !== undefined) {
        return migrating.then(() => this.#perform(connections, model, options, writing, operation, id))
      }
    }
    if (table === undefined) {
      return chain(this.#load(connection, model), () =>
        this.#perform(connections, model, options, writing, operation, id)
      )
    }
    try {
      const result = operation(connection, table)
      return isPromise(result)
        ? result.catch(error => {
          throw this.dialect.translateError(error, { model, table, id })
        })
        : result
    } catch (error) {
      throw this.dialect.translateError(error, { model, table, id })
    }
  }

  /** Looks at the table once, at its first use after the model was compiled or the table migrated. */
  #load (connection: Connection, model: StoredModel): MaybePromise<void> {
    const name = tableOf(model, this.dialect)
    return this.#translating({ model }, () =>
      chain(this.dialect.introspect(connection, name), actual => {
        if (actual === undefined) throw new TableMissingError(model.name, name)
        this.#tables.set(model, new Table(model, this.dialect, ++this.#tablesMade, actual, this.settings.extraColumn))
      })
    )
  }

  /**
   * Code that comes right after may use the models already: their operations wait until the tables are as they should
   * be.
   */
  #migrateAll (
    models: readonly StoredModel[],
    work: (connection: Connection, model: StoredModel) => MaybePromise<void>
  ): MaybePromise<void> {
    for (const model of models) this.#tables.delete(model)
    const done = eachInTurn(models, model => this.#migrate(model, connection => work(connection, model)))
    if (!isPromise(done)) return
    const settled: Promise<void> = done
      .catch(() => {})
      .then(() => {
        for (const { name } of models) if (this.#migrating.get(name) === settled) this.#migrating.delete(name)
      })
    for (const { name } of models) this.#migrating.set(name, settled)
    return done
  }

  #migrate<T>(model: StoredModel, work: (connection: Connection) => MaybePromise<T>): MaybePromise<T> {
    return this.#tracked(this.#migrated(this.#connected(), model, work))
  }

  #migrated<T>(
    connections: Connections,
    model: StoredModel,
    work: (connection: Connection) => MaybePromise<T>
  ): MaybePromise<T> {
    const connection = connections.for(noOptions, writes)
    if (connection === undefined) return connections.whenIdle().then(() => this.#migrated(connections, model, work))
    this.#tables.delete(model)
    return this.#translating({ model }, () => work(connection))
  }

  #translating<T>(context: { readonly model?: StoredModel }, work: () => MaybePromise<T>): MaybePromise<T> {
    try {
      const result = work()
      return isPromise(result)
        ? result.catch(error => {
          throw this.dialect.translateError(error, context)
        })
        : result
    } catch (error) {
      throw this.dialect.translateError(error, context)
    }
  }
}
