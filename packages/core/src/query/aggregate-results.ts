/** The results of an aggregate, as the parser of conditions and orders takes them. */
import type { PropertyType } from '../properties/types.js'
import type { AggregateTerm } from './aggregation.js'
import type { GroupTerm } from './ast.js'
import type { ParseContext } from './parse-context.js'
import type { QueriedModel } from './queried-model.js'

/** `having` and `order` speak of the results as those of a model's properties. */
export function resultContext (
  context: ParseContext, groups: readonly GroupTerm[], values: readonly AggregateTerm[]
): ParseContext {
  const named: Array<readonly [string, PropertyType]> = [
    ...groups.map(({ name, type }) => [name, type] as const),
    ...values.map(value => [value.name, typeOf(value)] as const)
  ]
  const paths = new Map(named.map(([name, type]) => [name, { property: name, path: [], type, declared: false }]))
  const model: QueriedModel = Object.create(context.model, {
    name: { value: `${context.model.name}.aggregate` },
    open: { value: false },
    relations: { value: new Map() }
  }) as QueriedModel
  return { ...context, model, names: { ...context.names, paths }, secrets: undefined }
}

/** The type of the values of an aggregate. */
function typeOf ({ fn, path }: AggregateTerm): PropertyType {
  if (path === undefined || fn === 'count' || fn === 'countDistinct') return { kind: 'number' }
  if (fn === 'min' || fn === 'max') return path.type
  const { kind } = path.type
  // Sums may have more digits than their property.
  return kind === 'decimal' || (kind === 'bigint' && fn === 'sum') ? { kind } : { kind: 'number' }
}
