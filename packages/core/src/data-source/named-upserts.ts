/**
 * The upserts that LoopBack's connectors have. Code calls them, asks whether they are there, and puts `false` in the
 * place of one to say that the store has no such step: the operation is a read and a write then, and hooks hear of it
 * so.
 */
import { promiseOrCallback, splitCallback } from '../callbacks.js'
import type { MaybePromise } from '../maybe-promise.js'
import type { Row } from '../properties/types.js'

/** Operations that are one step of a store, unless its connector says otherwise. */
export type Upsert = 'updateOrCreate' | 'replaceOrCreate' | 'upsertWithWhere' | 'findOrCreate'

const names = ['updateOrCreate', 'replaceOrCreate', 'upsertWithWhere', 'patchOrCreateWithWhere'] as const

type Operation = (...args: unknown[]) => MaybePromise<Row>

/** Anyone who knows models by name. */
interface Models { findModel (name: string): unknown }

/**
 * Gives a connector the upserts that it has no functions of its own for: `connector.updateOrCreate('Note', data,
 * options, callback)`. They run no hooks and no validations.
 *
 * ```js
 * nameUpserts(connector, registry)
 * ```
 */
export function nameUpserts (connector: object, models: Models): void {
  for (const name of names) {
    if (name in connector) continue
    const value = (model: string, ...args: unknown[]): unknown => {
      const { values, callback } = splitCallback(args)
      const count = name.endsWith('Where') ? 2 : 1
      const data = values.slice(0, count)
      const options = { ...values[count] as object, notify: false, validate: false }
      const Model = models.findModel(model) as Record<typeof names[number], Operation>
      return promiseOrCallback(() => Model[name](...data, options), callback)
    }
    Object.defineProperty(connector, name, { value, writable: true, configurable: true })
  }
}

/**
 * Whether an upsert is one step for the store.
 *
 * ```js
 * dataSource.connector.updateOrCreate = false
 * isOneStep(dataSource.connector, 'updateOrCreate') // false
 * ```
 */
export const isOneStep = (connector: object | undefined, name: Upsert): boolean =>
  connector === undefined || !(name in connector) || Boolean((connector as Record<Upsert, unknown>)[name])
