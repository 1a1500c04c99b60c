/** What a module for LoopBack's juggler looks like, as far as this package asks for it. */
import type { Callback } from './legacy/connector.js'
import type { LegacyDataSource } from './legacy/data-source.js'

/**
 * A connector that was made for LoopBack: `require('loopback-connector-mysql')`, or any object with `initialize`. It
 * leaves the connector that it makes in `dataSource.connector` and calls back once it is connected.
 */
export interface LoopbackConnectorModule {
  readonly name?: string
  initialize (dataSource: LegacyDataSource, callback: Callback): unknown
}

/** A class that is a connector itself: `new Connector(settings)`. */
export type LoopbackConnectorClass = new (settings: Readonly<Record<string, unknown>>) => object

/**
 * Whether something is a connector for LoopBack, to be made with `loopbackConnector`.
 *
 * ```js
 * const factory = isLoopbackConnector(given) ? loopbackConnector(given) : given
 * ```
 */
export function isLoopbackConnector (value: unknown): value is LoopbackConnectorModule | LoopbackConnectorClass {
  if (value === null || (typeof value !== 'object' && typeof value !== 'function')) return false
  return typeof (value as { initialize?: unknown }).initialize === 'function' || isConnectorClass(value)
}

/** A connector of Fastback is made by a plain function; a class has methods, or says that it is one. */
export function isConnectorClass (value: unknown): value is LoopbackConnectorClass {
  if (typeof value !== 'function') return false
  const prototype: unknown = value.prototype
  if (typeof prototype !== 'object' || prototype === null) return false
  return /^class\b/.test(Function.prototype.toString.call(value)) ||
    Object.keys(prototype).length > 0 || Object.getPrototypeOf(prototype) !== Object.prototype
}
