/**
 * Finding the models that a relation names. Models may be defined in any order, so this happens when a relation is
 * first used.
 */
import { singularize } from 'inflection'
import { UnknownModelError } from '../errors.js'
import type { ModelClass } from '../interfaces/model-class.js'
import { nearest } from '../nearest.js'
import type { ModelRegistry } from '../interfaces/model-registry.js'

/** A model by name; without an exact match, case does not count. */
export function lookupModel (registry: ModelRegistry, name: string): ModelClass | undefined {
  const exact = registry.findModel(name)
  if (exact !== undefined) return exact
  const lower = name.toLowerCase()
  const found = Object.keys(registry.models).find(each => each.toLowerCase() === lower)
  return found === undefined ? undefined : registry.models[found]
}

/** The model that a relation is to, if it is there; see `targetOf`. */
export function findTarget (model: ModelClass, relation: string, name: string | undefined) {
  const { registry } = model
  const found = name === undefined || name === ''
    ? lookupModel(registry, relation) ?? lookupModel(registry, singularize(relation))
    : lookupModel(registry, name)
  return found && relatedInTransaction(model, found)
}

/** Of the models of `dataSource.transaction()`, relations lead to those that work in it as well. */
export const relatedInTransaction = ({ dataSource }: ModelClass, found: ModelClass): ModelClass =>
  dataSource?.inTransaction?.(found) ?? found

/**
 * The model that a relation is to. Without `model` in its definition the relation's name tells (`"owners"` → `Owner`).
 * @throws FBK_CORE_UNKNOWN_MODEL naming file, model and relation
 */
export function targetOf (model: ModelClass, relation: string, name: string | undefined, what = 'model'): ModelClass {
  const { registry } = model
  const found = findTarget(model, relation, name)
  if (found !== undefined) return found
  const { source } = model.definition
  const wanted = name ?? relation
  const written = source === undefined ? '' : ` (${source})`
  const place = ` It is the ${what} of the relation "${relation}" of model "${model.modelName}"${written}.`
  throw new UnknownModelError(wanted, place + nearest(wanted, Object.keys(registry.models)))
}
