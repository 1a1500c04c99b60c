import type { CompiledModel } from '../interfaces/compiled-model.js'
import { chain, type MaybePromise } from '../maybe-promise.js'
import { instantiate, isInstance } from '../instances/instance.js'
import type { ModelInstance } from '../instances/model-instance.js'
import type { Row } from '../properties/types.js'

/** The row as an instance; what is one already stays the same object. */
export function toInstance (model: CompiledModel, row: Row): ModelInstance {
  return isInstance(row) ? row : instantiate(model, row)
}

/** Rows as instances. */
export function toInstances (model: CompiledModel, rows: MaybePromise<readonly Row[]>): MaybePromise<ModelInstance[]> {
  return chain(rows, found => found.map(row => toInstance(model, row)))
}
