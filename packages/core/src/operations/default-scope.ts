/** The default scope of a model, which narrows every query of it. */
import type { CompiledModel } from '../interfaces/compiled-model.js'
import { mergeFilters } from '../query/merge.js'
import { OwnFilter, ownFilter } from '../query/own-filter.js'

export type Filter = Record<string, unknown> | undefined

/** The `scope` of a model: an object, or a function that makes one. */
export function defaultScope (model: CompiledModel): OwnFilter | undefined {
  const { scope } = model.definition
  if (scope === undefined || scope === null) return undefined
  if (typeof scope !== 'function') return ownFilter(model, scope)
  const made = (scope as () => object | null | undefined).call(model.Model)
  return made === undefined || made === null ? undefined : new OwnFilter(model, made)
}

export const scopeOf = (model: CompiledModel, isOne: boolean): OwnFilter | undefined =>
  isOne ? defaultScope(model)?.pageless : defaultScope(model)

const onlyWhere = (scope: Filter): Filter => scope === undefined ? undefined : { where: scope.where }

/** A condition as hooks see it, with what a relation demands and the default scope. */
export function scopedWhere (
  given: Record<string, unknown>, narrowing: Filter, scope: OwnFilter | undefined
): Record<string, unknown> {
  const narrowed = mergeFilters({ where: { ...given } }, onlyWhere(narrowing))
  const { where } = mergeFilters(narrowed, onlyWhere(scope?.json)) as { where?: Record<string, unknown> }
  return where ?? {}
}
