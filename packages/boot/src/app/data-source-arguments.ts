/** What `new DataSource(…)` and `createDataSource(…)` are given, in the forms that LoopBack takes. */

type Settings = Readonly<Record<string, unknown>>

export interface NamedSettings { readonly name: string; readonly settings: Settings & { readonly connector: string } }

const isObject = (value: unknown): value is Settings =>
  value !== null && (typeof value === 'object' || typeof value === 'function')
/** Connector modules and classes stand where settings or a name could. */
const isConnector = (value: unknown): boolean =>
  typeof value === 'function' || (isObject(value) && typeof value.initialize === 'function')

/**
 * Reads `(name, settings)`, `(settings)`, `(connector)`, `(connector, settings)`, `(name, connector)`, and addresses in
 * the place of name or settings. A name alone is the connector's as well.
 *
 * ```js
 * dataSourceArguments('memory') // { name: 'memory', settings: { connector: 'memory' } }
 * dataSourceArguments({ connector: 'memory' }) // the same
 * ```
 */
export function dataSourceArguments (first?: unknown, second?: unknown): NamedSettings {
  const url = [first, second].find(given => typeof given === 'string' && given.includes('://'))
  const given = [second, first].find(each => isObject(each) && !isConnector(each)) as Settings | undefined ?? {}
  const written = typeof url === 'string' ? { ...ofAddress(url), ...given } : given
  const called = typeof first === 'string' && first !== url ? first : written.name
  const connector = [first, second].find(isConnector) ?? written.connector ?? written.adapter ?? called
  const name = typeof called === 'string' && called !== '' ? called : nameOf(connector)
  return { name, settings: { ...written, connector: connector as string } }
}

function nameOf (connector: unknown): string {
  const name = isObject(connector) ? connector.name : connector
  return typeof name === 'string' && name !== '' ? name : 'dataSource'
}

function ofAddress (address: string): Settings {
  const { protocol } = new URL(address)
  return { connector: protocol.slice(0, -1), url: address }
}
