import { chain, eachInSequence, isPromise, type MaybePromise } from '../maybe-promise.js'
import type { ConnectorLog } from './connector.js'
import type { DataSource } from './data-source.js'
import { Migrations } from './migrations.js'

/**
 * The data sources of a registry, from the first connection to the last: also those whose name another one has by now,
 * as models may be attached to them.
 */
export class OpenedDataSources {
  readonly #all = new Set<DataSource>()
  readonly #migrations = new Migrations()

  get isEmpty (): boolean {
    return this.#all.size === 0
  }

  add (dataSource: DataSource): void {
    this.#all.add(dataSource)
  }

  /** Connects one, and migrates its schema. */
  prepare (dataSource: DataSource): MaybePromise<void> {
    return chain(dataSource.open(), () => this.#migrations.run(dataSource))
  }

  /** Does as `prepare` says with each of them, at once. */
  each (prepare: (dataSource: DataSource) => MaybePromise<void>): MaybePromise<void> {
    const prepared = [...this.#all].map(prepare)
    if (prepared.some(isPromise)) return Promise.all(prepared).then(() => {})
  }

  /** Migrates the schemas of those that are connected. */
  migrate (): MaybePromise<void> {
    return eachInSequence(this.#connected(), dataSource => this.#migrations.run(dataSource))
  }

  /** Lets them end their work: it may still need its store. */
  async leave (): Promise<void> {
    await Promise.all(this.#connected().map(async ({ connector }) => { await connector.leave?.() }))
  }

  async disconnect (): Promise<void> {
    this.#migrations.forget()
    await Promise.all([...this.#all].map(async dataSource => { await dataSource.disconnect() }))
  }

  #connected (): DataSource[] {
    return [...this.#all].filter(({ isOpen }) => isOpen)
  }
}

/**
 * Connects a data source soon, before anybody asks for it. One that cannot be connected says so in its event `error`,
 * or in the log.
 */
export function connectSoon (dataSource: DataSource, log: ConnectorLog, isStopped: () => boolean): void {
  if (dataSource.settings.lazyConnect === true) return
  const failed = (err: unknown): void => {
    const { name } = dataSource
    if (dataSource.listenerCount('error') > 0) dataSource.emit('error', err)
    else log.warn({ err, dataSource: name }, 'The data source cannot be opened; its next operation tries again')
  }
  setImmediate(() => {
    if (!isStopped()) Promise.resolve().then(() => dataSource.openUnasked()).catch(failed)
  })
}
