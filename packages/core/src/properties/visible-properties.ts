/** Which properties of a row a client may see, as JSON text (`stringify.ts`) and as an object (`to-plain.ts`). */
import type { RowModel } from './row-model.js'
import type { IncludedValues } from '../instances/included.js'
import type { PolymorphicDefinition } from '../definition/definition.js'
import type { ModelLookup } from './coerce.js'
import type { Row } from './types.js'

type RowVisibility = Pick<RowModel, 'propertyByName' | 'hidden' | 'protectedNames' | 'relations'>

const none: readonly string[] = []

/** Names of own properties that the definition does not have and that are visible. Most rows have none. */
export function visibleUnknownNames (
  model: RowVisibility,
  row: Row,
  related: IncludedValues | undefined,
  included: boolean,
  hidden = false
): readonly string[] {
  let names: string[] | undefined
  for (const name of Object.keys(row)) {
    if (model.propertyByName.has(name) || name === '__proto__') continue
    if (
      (!hidden && model.hidden.has(name)) ||
      (included && model.protectedNames.has(name)) ||
      related?.[name] !== undefined
    ) {
      continue
    }
    ;(names ??= []).push(name)
  }
  return names ?? none
}

/**
 * The model of a row that include loaded: that of the instance, else the relation's target, else (belongsTo of several
 * models) the one that the discriminator of `holder` names.
 */
export function modelOfRelated (
  model: RowVisibility,
  holder: Row,
  name: string,
  value: Row,
  lookup: ModelLookup
): RowModel | undefined {
  // Asked of the prototype: a free-form row may have a property called `constructor`.
  const prototype = Object.getPrototypeOf(value) as { constructor?: unknown } | null
  if (
    prototype !== null &&
    prototype !== Object.prototype &&
    typeof prototype.constructor === 'function' &&
    'compiled' in prototype.constructor
  ) {
    return prototype.constructor.compiled as RowModel
  }
  const relation = model.relations.get(name)
  const target = relation?.target()
  if (target !== undefined) return target.compiled
  const discriminator = (relation?.definition.polymorphic as PolymorphicDefinition | undefined)?.discriminator
  const named = discriminator === undefined ? undefined : holder[discriminator]
  return typeof named === 'string' ? lookup(named) : undefined
}
