/** Conditions on rows that are put away (setting `softDelete`), and on those that are not. */
import type { StoredModel } from '../definition/stored-model.js'
import type { Condition, DeletedRows } from './ast.js'
import { bothConditions } from './merge.js'

const isNull = (model: StoredModel, op: 'eq' | 'neq'): Condition | undefined => {
  const { softDelete } = model
  if (softDelete === undefined) return undefined
  const { name, type } = softDelete
  return { kind: 'compare', path: { property: name, path: [], type, declared: true }, op, value: null }
}

/**
 * A condition, of rows that are there: those of a model without `softDelete` all are.
 *
 * ```js
 * await store.count(model, among(model, where, undefined), {})
 * ```
 * @param deleted whether rows that are put away are meant as well (`with`), or no others (`only`)
 */
export function among (
  model: StoredModel, where: Condition | undefined, deleted: DeletedRows | undefined
): Condition | undefined {
  if (deleted === 'with') return where
  return bothConditions(where, isNull(model, deleted === 'only' ? 'neq' : 'eq'))
}
