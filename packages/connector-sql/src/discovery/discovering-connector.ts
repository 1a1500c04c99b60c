import { promiseOrCallback, splitCallback } from '@fastback/core/connector'
import type { DiscoveredModel, OperationCallback } from '@fastback/core'
import type { Dialect } from '../dialects/dialect.js'
import type { Connection } from '../dialects/driver.js'
import type { DiscoverOptions } from './discover.js'
import type { ScopeOptions } from './scope.js'
import type { TypeOptions } from './loopback-results.js'

type Row = Record<string, unknown>
type Discovery = typeof import('./index.js')
type Work<T> = (discovery: Discovery, connection: Connection) => Promise<T>

/** What of discovery can be said beside options of its own. */
export interface DiscoverTablesOptions extends ScopeOptions, DiscoverOptions {
  /** Names of tables. Default: all. */
  readonly tables?: readonly string[] | undefined
}

/**
 * The functions of discovery that data sources call (discovery.md, section 1): with a promise, or a callback that
 * stands last. What does the work is loaded with the first question.
 */
export abstract class DiscoveringConnector {
  abstract readonly dialect: Dialect
  protected abstract onConnection<T> (work: (connection: Connection) => Promise<T>): Promise<T>

  /** Where definitions keep what discovery found: `{ "postgresql": { "table": … } }`. */
  get settingsKey (): string {
    return this.dialect.settingKeys[0] as string
  }

  #ask<T> (work: Work<T>, args: readonly unknown[]): Promise<T> | undefined {
    const { callback } = splitCallback([...args])
    return promiseOrCallback(async () => {
      const discovery = await import('./index.js')
      return await this.onConnection(async connection => await work(discovery, connection))
    }, callback as OperationCallback<T> | undefined)
  }

  /** Schemas but those of the system: `{ catalog, schema }`. */
  discoverDatabaseSchemas (...args: unknown[]): Promise<Row[]> | undefined {
    return this.#ask(async (_, connection) => await this.dialect.catalogue.schemas(connection), args)
  }

  discoverModelDefinitions (options: ScopeOptions = {}, ...args: unknown[]): Promise<Row[]> | undefined {
    const { catalogue } = this.dialect
    return this.#ask(async ({ tablesIn, modelDefinition }, connection) =>
      (await tablesIn(catalogue, connection, options)).map(modelDefinition), args)
  }

  discoverModelProperties (
    table: string, options: ScopeOptions & TypeOptions = {}, ...args: unknown[]
  ): Promise<Row[]> | undefined {
    return this.#ask(async ({ tableNamed, modelProperties }, connection) => {
      const found = await tableNamed(this.dialect.catalogue, connection, table, options)
      return found === undefined ? [] : modelProperties(found, this.dialect, options)
    }, args)
  }

  discoverPrimaryKeys (table: string, options: ScopeOptions = {}, ...args: unknown[]): Promise<Row[]> | undefined {
    return this.#ask(async ({ tableNamed, primaryKeys }, connection) => {
      const found = await tableNamed(this.dialect.catalogue, connection, table, options)
      return found === undefined ? [] : primaryKeys(found)
    }, args)
  }

  discoverForeignKeys (table: string, options: ScopeOptions = {}, ...args: unknown[]): Promise<Row[]> | undefined {
    return this.#ask(async ({ tableNamed, foreignKeys }, connection) => {
      const found = await tableNamed(this.dialect.catalogue, connection, table, options)
      return found === undefined ? [] : foreignKeys(found, found.foreignKeys, this.dialect)
    }, args)
  }

  /** Keys of others that lead to a table, from whatever schema. */
  discoverExportedForeignKeys (
    table: string, options: ScopeOptions = {}, ...args: unknown[]
  ): Promise<Row[]> | undefined {
    return this.#ask(async ({ keysTo, foreignKeys }, connection) =>
      (await keysTo(this.dialect.catalogue, connection, table, options))
        .sort((a, b) => a.from.schema === b.from.schema ? (a.key.name < b.key.name ? -1 : 1) : 0)
        .flatMap(({ from, key }) => foreignKeys(from, [key], this.dialect)), args)
  }

  discoverModelIndexes (table: string, options: ScopeOptions = {}, ...args: unknown[]): Promise<Row> | undefined {
    return this.#ask(async ({ tableNamed }, connection) => {
      const found = await tableNamed(this.dialect.catalogue, connection, table, options)
      return Object.fromEntries((found?.indexes ?? []).map(({ name, descending, ...index }) => [name, index]))
    }, args)
  }

  /**
   * Models of tables, with relations both ways (discovery.md, DI-11).
   * @throws FBK_SQL_DISCOVERY_NAME, FBK_SQL_NO_SUCH_TABLE
   */
  async discover ({ tables, ...options }: DiscoverTablesOptions = {}): Promise<DiscoveredModel[]> {
    const { tablesIn, modelsOf, onlyNamed } = await import('./index.js')
    const { catalogue } = this.dialect
    const { found, currentSchema } = await this.onConnection(async connection => ({
      found: await tablesIn(catalogue, connection, tables === undefined ? options : { ...options, views: true }),
      currentSchema: await catalogue.currentSchema(connection)
    }))
    const chosen = tables === undefined ? found : onlyNamed(found, tables)
    return modelsOf(chosen, this.settingsKey, { ...options, currentSchema, schemaKey: this.dialect.schemaKey })
  }
}
