import type { MaybePromise } from '../maybe-promise.js'
import type { StoredModel } from '../definition/stored-model.js'
import type { Row } from '../properties/types.js'
import type { Condition, Query, Selection } from '../query/ast.js'
import type { Id, StoreOptions } from './connector.js'

/**
 * The part of a `Connector` that is about rows, for those that keep none: files, values by key, operations of services.
 *
 * ```js
 * class Weather extends RowlessConnector {
 *   noRows (model, method) { return new Error(`${model.name} has no ${method}`) }
 * }
 * ```
 */
export abstract class RowlessConnector {
  /** What a model is told that asks for rows all the same: a typed error that says what to do. */
  protected abstract noRows (model: StoredModel, method: string): Error

  #refuse (model: StoredModel, method: string): never {
    throw this.noRows(model, method)
  }

  create (model: StoredModel): never { this.#refuse(model, 'create') }
  createMany (model: StoredModel): never { this.#refuse(model, 'create') }
  find (model: StoredModel, _query?: Query, _options?: StoreOptions): MaybePromise<Row[]> {
    return this.#refuse(model, 'find')
  }

  findById (
    model: StoredModel, _id?: Id, _select?: Selection, _options?: StoreOptions
  ): MaybePromise<Row | undefined> {
    return this.#refuse(model, 'findById')
  }

  count (model: StoredModel, _where?: Condition, _options?: StoreOptions): MaybePromise<number> {
    return this.#refuse(model, 'count')
  }

  updateAll (model: StoredModel): never { this.#refuse(model, 'updateAll') }
  updateById (model: StoredModel): never { this.#refuse(model, 'updateAttributes') }
  replaceById (model: StoredModel): never { this.#refuse(model, 'replaceById') }
  findOrCreate (model: StoredModel): never { this.#refuse(model, 'findOrCreate') }
  deleteAll (model: StoredModel): never { this.#refuse(model, 'destroyAll') }

  /** There are no tables. */
  autoupdate (): MaybePromise<void> {}
  automigrate (): MaybePromise<void> {}
  isActual (): MaybePromise<boolean> { return true }
}
