/**
 * What the default scope of a model sets on the rows that are written: else a new row would not be found again. The
 * setting `attributes` (an object, or a function that makes one) says other values, and false says none.
 */
import type { ModelDefinition } from '../definition/definition.js'
import type { CompiledModel } from '../interfaces/compiled-model.js'
import type { ModelClass } from '../interfaces/model-class.js'
import type { Row } from '../properties/types.js'
import { takeEqualities } from '../query/equalities.js'
import { isPlainObject } from '../query/parse-context.js'

/** Undefined where writes need nothing. */
export function compileScopeValues (
  Model: ModelClass, { scope, settings: { attributes } }: ModelDefinition, isProperty: (name: string) => boolean
): CompiledModel['scopeValues'] {
  if (attributes === false) return undefined
  if (typeof attributes === 'function') {
    return data => (attributes as (this: ModelClass, data: Row) => Row | undefined).call(Model, data as Row) ?? {}
  }
  if (isPlainObject(attributes)) return () => attributes
  if (typeof scope === 'function') {
    const make = scope as (this: ModelClass, data: Row) => unknown
    return data => equalitiesOf(make.call(Model, data as Row), isProperty)
  }
  const fixed = equalitiesOf(scope, isProperty)
  return Object.keys(fixed).length === 0 ? undefined : () => fixed
}

function equalitiesOf (scope: unknown, isProperty: (name: string) => boolean): Row {
  const values: Row = {}
  if (isPlainObject(scope)) takeEqualities(values, scope.where, isProperty)
  return values
}
