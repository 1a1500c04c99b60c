/** Locks for operations that read and then write: nobody else changes what was read before the write is done. */
import type { CompiledModel } from '../interfaces/compiled-model.js'
import type { Id } from '../data-source/connector.js'
import { noInstance, RequestError } from '../errors.js'
import { chain, type MaybePromise } from '../maybe-promise.js'
import type { OperationOptions } from '../interfaces/operation-options.js'
import type { Row } from '../properties/types.js'
import { isLooseFor } from '../validations/loose-uniqueness.js'
import { storeOptions } from './context.js'
import { validates } from './validate.js'

/**
 * Gives `work` the row as it is stored, and keeps others from changing it until the work is done: in a transaction with
 * the row locked where the store has transactions (in the caller's own, if there is one), else by letting edits of a
 * row in this process wait for each other.
 *
 * ```js
 * await withRowLock(Note.compiled, 1, options, row => patchById(Note.compiled, 1, { stars: row.stars + 1 }, options))
 * ```
 * @throws RequestError 404 when the row is gone
 */
export function withRowLock<T> (
  model: CompiledModel,
  id: Id,
  options: OperationOptions,
  work: (row: Row) => MaybePromise<T>
): MaybePromise<T> {
  const { dataSource } = model.Model.state
  const edit = (): MaybePromise<T> => {
    const store = storeOptions(model, options)
    const locking = store.transaction === undefined ? store : { ...store, lock: true }
    return chain(model.connector.findById(model, id, model.selectAll, locking), row => {
      if (row === undefined) throw noInstance(id)
      return work(row)
    })
  }
  const support = model.connector.transactions
  if (dataSource === undefined || options.transaction !== undefined || dataSource.ambient.handle !== undefined) {
    return edit()
  }
  return support === undefined
    ? dataSource.edits.run(`${model.name} ${typeof id} ${String(id)}`, edit)
    : dataSource.ambient.run(support, edit)
}

/** How often a write is tried that others got in the way of. */
const attempts = 5

/**
 * Validates and writes as one step, where no unique index stands behind a uniqueness (security.md, S-42): such writes
 * of a model wait for each other in this process, and are serializable transactions where the store has them. A
 * caller's own transaction has the isolation that the caller gave it.
 * @param instances what is about to be written
 * @param only properties that a partial update touches
 */
export function withUniquenessLock<T> (
  model: CompiledModel,
  instances: ReadonlyArray<Readonly<Row>>,
  options: OperationOptions,
  work: () => MaybePromise<T>,
  only?: ReadonlySet<string>
): MaybePromise<T> {
  if (model.looseUniqueness.length === 0 || !validates(model, options)) return work()
  const { dataSource } = model.Model.state
  if (dataSource === undefined || options.transaction !== undefined || dataSource.ambient.handle !== undefined) {
    return work()
  }
  const loose = model.looseUniqueness.filter(
    ({ properties }) => only === undefined || properties.some(name => only.has(name))
  )
  if (!instances.some(instance => loose.some(unique => isLooseFor(unique, instance)))) return work()
  const support = model.settings.hooksInTransaction === false ? undefined : model.connector.transactions
  const name = `${model.name} unique`
  if (support === undefined) return dataSource.edits.run(name, work)
  return dataSource.edits.run(name, async () => {
    for (let attempt = 1; ; attempt++) {
      let begun = false
      try {
        return await dataSource.ambient.run(
          support,
          () => {
            begun = true
            return work()
          },
          { isolationLevel: 'SERIALIZABLE' }
        )
      } catch (error) {
        // Another process was at it as well. That no transaction is available at all is another matter.
        if (!begun || attempt === attempts || !(error instanceof RequestError) || error.code !== 'DATABASE_BUSY') {
          throw error
        }
      }
    }
  })
}
