/** What code asks of any model class beside its operations: events, data source, mixins, classes that extend it. */
import type { DataSource } from '../interfaces/data-source.js'
import type { ModelClass } from '../interfaces/model-class.js'

type Listener = (...args: any[]) => void

export interface ClassFunctions {
  on (event: string, listener: Listener): unknown
  once (event: string, listener: Listener): unknown
  off (event: string, listener: Listener): unknown
  removeListener (event: string, listener: Listener): unknown
  /** Whether anybody listened. */
  emit (event: string, ...args: unknown[]): boolean
  attachTo (dataSource: DataSource): void
  getDataSource (): DataSource | null
  /** A model that extends this one. */
  extend (name: string, properties?: object, settings?: object): ModelClass
  mixin (mixin: string | ((Model: unknown, options: unknown) => void), options?: unknown): void
  /** Takes back an observer of operations. */
  /** A list of the listener, or undefined when it was none. */
  removeObserver (hook: string, observer: Listener): unknown[] | undefined
  clearObservers (hook: string): void
}
