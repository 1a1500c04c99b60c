/**
 * What a store says of its tables, where the connector can ask it: with a callback, a promise, or at once (`…Sync`).
 */
import { promiseOrCallback, type OperationCallback } from '../callbacks.js'
import { NoDiscoveryError, NoTableError, NoTableNameError } from '../errors.js'
import type { ModelClass } from '../interfaces/model-class.js'
import { Catalogue } from './catalogue.js'
import {
  nameMapperOf, schemaOf,
  type DiscoveredColumn, type DiscoveredForeignKey, type DiscoveredKey, type DiscoveredModel, type DiscoveredTable,
  type DiscoveryOptions, type Schema
} from './discovered-schema.js'
import { callWithNext } from '../hooks.js'
import { isPromise } from '../maybe-promise.js'

type Schemas = Record<string, Schema>
type Options = DiscoveryOptions | null
type Callback<T> = OperationCallback<T>
type Asked = Record<string, ((...args: unknown[]) => unknown) | undefined>

const follows = (options: DiscoveryOptions): boolean => options.relations === true || options.associations === true

/** `(options?, callback?)`, told apart. */
function told<T> (
  options: Options | Callback<T> | undefined, callback: Callback<T> | undefined
): [DiscoveryOptions, Callback<T> | undefined] {
  return typeof options === 'function' ? [{}, options] : [options ?? {}, callback]
}

const called = async <T>(run: (done: Callback<T>) => unknown): Promise<T> =>
  await callWithNext(next => run(next as Callback<T>), true) as T

/** @throws FBK_CORE_NO_TABLE_NAME */
function mustBeName (table: unknown): void {
  if (typeof table !== 'string' || table === '') throw new NoTableNameError(String(table))
}

export abstract class Discovery extends Catalogue {
  abstract readonly name: string

  #asked (method: string): (...args: unknown[]) => unknown {
    const connector = this.connector as unknown as Asked
    const found = connector[method]
    if (typeof found !== 'function') throw new NoDiscoveryError(this.name, this.connector.name, method)
    return found.bind(connector)
  }

  #ask<T> (method: string, args: readonly unknown[], callback: Callback<T> | undefined): Promise<T> | undefined {
    return promiseOrCallback(
      () => called<T>(done => this.#asked(method)(...args, done)), callback, false, this.caller
    )
  }

  get #settingsKey (): string {
    return this.connector.settingsKey ?? this.connector.name
  }

  /**
   * Models of the tables that the store has, with relations both ways: what `fastback discover` writes.
   *
   * ```js
   * const models = await app.dataSources.db.discover({ tables: ['customer', 'purchase_order'] })
   * ```
   * @throws FBK_DISCOVERY_UNSUPPORTED
   */
  async discover (options: DiscoveryOptions = {}): Promise<DiscoveredModel[]> {
    return await this.#asked('discover')(options) as DiscoveredModel[]
  }

  /** Schemas of the store: `{ catalog, schema }`. @throws FBK_DISCOVERY_UNSUPPORTED */
  discoverDatabaseSchemas (options?: Options | Callback<unknown>, callback?: Callback<unknown>) {
    const [given, done] = told(options, callback)
    return this.#ask('discoverDatabaseSchemas', [given], done)
  }

  /** Indexes of a table by their names. @throws FBK_DISCOVERY_UNSUPPORTED */
  discoverModelIndexes (table: string, options?: Options | Callback<unknown>, callback?: Callback<unknown>) {
    const [given, done] = told(options, callback)
    return this.#ask('discoverModelIndexes', [table, given], done)
  }

  /** Tables and views: `{ type, name, owner }`. @throws FBK_DISCOVERY_UNSUPPORTED */
  discoverModelDefinitions (options?: Options | Callback<unknown>, callback?: Callback<unknown>) {
    const [given, done] = told(options, callback)
    return this.#ask('discoverModelDefinitions', [given], done)
  }

  discoverModelDefinitionsSync (options?: Options): unknown {
    return this.#asked('discoverModelDefinitionsSync')(options ?? {})
  }

  /** Columns of a table. @throws FBK_DISCOVERY_UNSUPPORTED */
  discoverModelProperties (
    table: string, options?: Options | Callback<DiscoveredColumn[]>, callback?: Callback<DiscoveredColumn[]>
  ) {
    const [given, done] = told(options, callback)
    return this.#ask('discoverModelProperties', [table, given], done)
  }

  discoverModelPropertiesSync (table: string, options?: Options): DiscoveredColumn[] {
    return this.#asked('discoverModelPropertiesSync')(table, options ?? {}) as DiscoveredColumn[]
  }

  /** Columns of a table's key. @throws FBK_DISCOVERY_UNSUPPORTED */
  discoverPrimaryKeys (
    table: string, options?: Options | Callback<DiscoveredKey[]>, callback?: Callback<DiscoveredKey[]>
  ) {
    const [given, done] = told(options, callback)
    return this.#ask('discoverPrimaryKeys', [table, given], done)
  }

  discoverPrimaryKeysSync (table: string, options?: Options): DiscoveredKey[] {
    return this.#asked('discoverPrimaryKeysSync')(table, options ?? {}) as DiscoveredKey[]
  }

  /** Foreign keys of a table. @throws FBK_DISCOVERY_UNSUPPORTED */
  discoverForeignKeys (
    table: string, options?: Options | Callback<DiscoveredForeignKey[]>, callback?: Callback<DiscoveredForeignKey[]>
  ) {
    const [given, done] = told(options, callback)
    return this.#ask('discoverForeignKeys', [table, given], done)
  }

  discoverForeignKeysSync (table: string, options?: Options): DiscoveredForeignKey[] {
    return this.#asked('discoverForeignKeysSync')(table, options ?? {}) as DiscoveredForeignKey[]
  }

  /** Foreign keys of others that lead to a table. @throws FBK_DISCOVERY_UNSUPPORTED */
  discoverExportedForeignKeys (table: string, options?: Options | Callback<unknown>, callback?: Callback<unknown>) {
    const [given, done] = told(options, callback)
    return this.#ask('discoverExportedForeignKeys', [table, given], done)
  }

  discoverExportedForeignKeysSync (table: string, options?: Options): unknown {
    return this.#asked('discoverExportedForeignKeysSync')(table, options ?? {})
  }

  /** The schema of one table. @throws FBK_DISCOVERY_UNSUPPORTED */
  discoverSchema (table: string, options?: Options | Callback<Schema>, callback?: Callback<Schema>) {
    const [given, done] = told(options, callback)
    return promiseOrCallback(async () => {
      const schemas = await this.#schemas(table, { ...given, relations: false, associations: false }, {})
      return Object.values(schemas)[0] as Schema
    }, done, false, this.caller)
  }

  /**
   * Schemas by `owner.table`: of a table and, with `relations`, of those that its foreign keys lead to.
   * @throws FBK_DISCOVERY_UNSUPPORTED; FBK_CORE_NO_TABLE
   */
  discoverSchemas (table: string, options?: Options | Callback<Schemas>, callback?: Callback<Schemas>) {
    const [given, done] = told(options, callback)
    const own = (this.connector as unknown as Asked).discoverSchemas
    return typeof own !== 'function'
      ? promiseOrCallback(() => this.#schemas(table, given, {}), done, false, this.caller)
      : this.#ask('discoverSchemas', [table, given], done)
  }

  async #schemas (table: string, options: DiscoveryOptions, visited: Schemas): Promise<Schemas> {
    mustBeName(table)
    // By callback: code replaces these functions with ones that know no promises.
    const columns = await called<DiscoveredColumn[]>(done => this.discoverModelProperties(table, options, done))
    const keys = await this.#orNone(() => called(done => this.discoverPrimaryKeys(table, options, done)))
    const foreignKeys = follows(options)
      ? await this.#orNone(() => called(done => this.discoverForeignKeys(table, options, done)))
      : undefined
    const found = { table, connector: this.#settingsKey, columns, keys, foreignKeys } as DiscoveredTable
    for (const { owner, name } of this.#visit(found, options, visited)) {
      await this.#schemas(name, owner === undefined ? options : { ...options, owner }, visited)
    }
    return visited
  }

  discoverSchemasSync (table: string, options?: Options): Schemas {
    const own = (this.connector as unknown as Asked).discoverSchemasSync
    if (typeof own === 'function') return own.call(this.connector, table, options ?? {}) as Schemas
    return this.#schemasSync(table, options ?? {}, {})
  }

  #schemasSync (table: string, options: DiscoveryOptions, visited: Schemas): Schemas {
    const columns = this.discoverModelPropertiesSync(table, options)
    const keys = this.#orNone(() => this.discoverPrimaryKeysSync(table, options)) as DiscoveredKey[]
    const foreignKeys = follows(options)
      ? this.#orNone(() => this.discoverForeignKeysSync(table, options)) as DiscoveredForeignKey[]
      : undefined
    const found = { table, connector: this.#settingsKey, columns, keys, foreignKeys }
    for (const { owner, name } of this.#visit(found, options, visited)) {
      this.#schemasSync(name, owner === undefined ? options : { ...options, owner }, visited)
    }
    return visited
  }

  /** A store that knows columns may know no keys. */
  #orNone (ask: () => unknown): unknown {
    const none = (error: unknown): unknown[] => {
      if (error instanceof NoDiscoveryError) return []
      throw error
    }
    try {
      const answer = ask()
      return isPromise(answer) ? answer.then(found => found ?? [], none) : answer ?? []
    } catch (error) {
      return none(error)
    }
  }

  /** Adds the schema of a table, and says which tables come next. */
  #visit (
    found: DiscoveredTable, options: DiscoveryOptions, visited: Schemas
  ): Array<{ owner: string | undefined, name: string }> {
    const { table, columns, foreignKeys = [] } = found
    if (columns === undefined || columns.length === 0) throw new NoTableError(table)
    const keyOf = (owner: string | undefined, name: string): string => `${String(owner)}.${name}`
    visited[keyOf(columns[0]?.owner, table)] ??= schemaOf(found, nameMapperOf(options.nameMapper))
    return foreignKeys
      .map(({ pkOwner, pkTableName }) => ({ owner: pkOwner, name: pkTableName }))
      .filter(({ owner, name }) => visited[keyOf(owner, name)] === undefined)
  }

  /** Discovers tables and defines their models here, by name. @throws as `discoverSchemas` */
  discoverAndBuildModels (
    table: string, options?: Options | Callback<Record<string, ModelClass>>,
    callback?: Callback<Record<string, ModelClass>>
  ) {
    const [given, done] = told(options, callback)
    const build = async () => this.#build(await this.discoverSchemas(table, given) as Schemas, given)
    return promiseOrCallback(build, done, false, this.caller)
  }

  discoverAndBuildModelsSync (table: string, options?: Options): Record<string, ModelClass> {
    return this.#build(this.discoverSchemasSync(table, options), options ?? {})
  }

  #build (schemas: Schemas, { base }: DiscoveryOptions): Record<string, ModelClass> {
    const inherited = base === undefined ? {} : { base }
    const list = Object.values(schemas).map(({ options, ...schema }) =>
      ({ ...schema, options: { ...options, ...inherited } }))
    const models = this.modelBuilder.buildModels(list)
    for (const Model of Object.values(models)) this.attach(Model)
    return models
  }
}
