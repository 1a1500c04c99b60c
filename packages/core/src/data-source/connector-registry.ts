import type { Connector, ConnectorContext, ConnectorFactory, DataSourceSettings } from './connector.js'
import { DataSourceSettingsError, UnknownConnectorError } from '../errors.js'
import { nearest } from '../nearest.js'

/**
 * Connector factories by name. Anyone who builds a registry says which there are; a data source may also bring its
 * factory itself.
 */
export class ConnectorRegistry {
  readonly #factories = new Map<string, ConnectorFactory>()
  /** Names that `lookUp` knows, for anyone who misspells one. */
  known: readonly string[] = []
  /** Asked for names that nobody registered, before they are refused. */
  lookUp: ((name: string) => ConnectorFactory | undefined) | undefined
  /** Asked for what a data source brings in place of a name: connectors that were made for something else. */
  adapt: ((connector: unknown) => ConnectorFactory | undefined) | undefined

  /** @param names the name and its aliases (`register(sqlConnector, 'sql', 'sqlite3', 'postgresql')`) */
  register (names: string | readonly string[], factory: ConnectorFactory): void {
    for (const name of [names].flat()) this.#factories.set(name, factory)
  }

  has (name: string): boolean {
    return this.#factories.has(name)
  }

  /** The factory of a name, looked up where nobody registered it; undefined where there is none. */
  find (name: string): ConnectorFactory | undefined {
    return this.#factories.get(name) ?? this.lookUp?.(name)
  }

  /** @throws FBK_CORE_UNKNOWN_CONNECTOR, FBK_CORE_DATA_SOURCE_SETTINGS */
  create (dataSource: string, settings: DataSourceSettings, context: ConnectorContext): Connector {
    const { connector } = settings
    if (typeof connector !== 'string') {
      const adapted = connector === undefined ? undefined : this.adapt?.(connector)
      if (adapted !== undefined) return adapted(settings, context)
      if (typeof connector === 'function') return connector(settings, context)
      throw new DataSourceSettingsError(
        dataSource,
        '"connector" is missing; name a connector such as "memory" or "sql"'
      )
    }
    const factory = this.find(connector)
    if (factory === undefined) {
      const meant = nearest(connector, [...this.#factories.keys(), ...this.known])
      throw new UnknownConnectorError(dataSource, connector, meant || ' Install the package that has it, or correct the name.')
    }
    return factory(settings, context)
  }
}
