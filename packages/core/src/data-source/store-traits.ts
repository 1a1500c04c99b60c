/** What a data source says of its store: which types it has, whether it is one of tables. */
import { DataSourceSettingsError } from '../errors.js'
import { Discovery } from './discovery.js'
import type { DataSourceSettings } from './connector.js'

/** How many operations LoopBack lets wait for a connection. */
const offlineRequests = 16

interface Asked {
  readonly relational?: boolean
  getTypes? (): string | readonly string[]
  freezeDataSource? (): void
  freezeSchema? (): void
  execute? (...args: readonly unknown[]): unknown
}

export abstract class StoreTraits extends Discovery {
  abstract readonly settings: DataSourceSettings

  get #store (): Asked {
    return this.connector as unknown as Asked
  }

  /** Whether rows are in tables: the connector says so. */
  isRelational (): boolean {
    return this.#store.relational === true
  }

  /** Kinds of store that the connector says it is: `['db', 'rdbms', 'sql']`. */
  getTypes (): readonly string[] {
    const types = this.#store.getTypes?.() ?? []
    return typeof types === 'string' ? types.split(/[\s,/]+/) : types
  }

  supportTypes (types: string | readonly string[]): boolean {
    const own = this.getTypes()
    return [types].flat().every(type => own.includes(type))
  }

  /** The setting `maxOfflineRequests`. @throws FBK_CORE_DATA_SOURCE_SETTINGS where it is no number */
  getMaxOfflineRequests (): number {
    const { maxOfflineRequests } = this.settings
    if (maxOfflineRequests === undefined || maxOfflineRequests === null) return offlineRequests
    if (typeof maxOfflineRequests === 'number') return maxOfflineRequests
    throw new DataSourceSettingsError(this.name, 'maxOfflineRequests must be a number')
  }

  /** Tells the connector that its models are not going to change. */
  freeze (): void {
    this.#store.freezeDataSource?.()
    this.#store.freezeSchema?.()
  }

  /**
   * Hands a command to the store, in its own language: `execute(sql, parameters, options, callback)`.
   * @throws FBK_CORE_DATA_SOURCE_SETTINGS where the connector takes none
   */
  execute (...command: unknown[]): unknown {
    const store = this.#store
    if (typeof store.execute === 'function') return store.execute(...command)
    throw new DataSourceSettingsError(this.name, `the connector "${this.connector.name}" executes no commands`)
  }
}
