/** Paths of whole properties. */
import type { QueriedModel } from './queried-model.js'
import type { PropertyPath } from './ast.js'
import { queryNames } from './query-names.js'

/**
 * The path of a property by its name; of type `any` for one that the definition does not have. For names that are known
 * to be good: nothing is checked.
 *
 * ```js
 * propertyPath(model, 'stars').type.kind // 'number'
 * ```
 */
export function propertyPath (model: QueriedModel, name: string): PropertyPath {
  return queryNames(model).paths.get(name) ?? { property: name, path: [], type: { kind: 'any' }, declared: false }
}

/** Whether a part of a path picks an element of a list. */
export const isIndex = (part: string): boolean => /^(?:0|[1-9]\d{0,9})$/.test(part)
