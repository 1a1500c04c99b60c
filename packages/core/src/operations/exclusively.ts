/** Reading a row and writing what follows from it as one step: of two that edit a row at once, neither loses what the other did. */
import { AsyncLocalStorage } from 'node:async_hooks'
import type { CompiledModel } from '../compiled.js'
import type { Id } from '../connector.js'
import { noInstance } from '../errors.js'
import { chain, isPromise, type MaybePromise } from '../maybe-promise.js'
import type { OperationOptions } from '../model/model-class.js'
import type { Row } from '../properties/types.js'
import { storeOptions } from './context.js'

/**
 * Gives `work` the row as it is stored, and keeps others from changing it until the work is done: in a transaction with the row locked where the store has
 * transactions (in the caller's own, if there is one), else by letting edits of a row in this process wait for each other.
 * @throws RequestError 404 when the row is gone
 */
export function exclusively<T> (model: CompiledModel, id: Id, options: OperationOptions, work: (row: Row) => MaybePromise<T>): MaybePromise<T> {
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
  if (dataSource === undefined || options.transaction !== undefined || dataSource.ambient.handle !== undefined) return edit()
  return support === undefined ? dataSource.edits.run(`${model.name} ${typeof id} ${String(id)}`, edit) : dataSource.ambient.run(support, edit)
}

/** Work under a name, one after the other. What work itself starts under its own name does not wait for it. */
export class Queues {
  readonly #last = new Map<string, Promise<void>>()
  readonly #under = new AsyncLocalStorage<ReadonlySet<string>>()

  run<T> (name: string, work: () => MaybePromise<T>): MaybePromise<T> {
    const under = this.#under.getStore()
    if (under?.has(name) === true) return work()
    const start = (): MaybePromise<T> => this.#under.run(new Set([...under ?? [], name]), work)
    const before = this.#last.get(name)
    const result = before === undefined ? start() : before.then(start)
    if (!isPromise(result)) return result
    const forget = (): void => { if (this.#last.get(name) === settled) this.#last.delete(name) }
    const settled: Promise<void> = result.then(forget, forget)
    this.#last.set(name, settled)
    return result
  }
}
