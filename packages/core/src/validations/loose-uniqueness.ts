/** Uniqueness that no unique index stands behind. */
import type { CompiledProperty } from '../definition/stored-model.js'
import type { Row } from '../properties/types.js'
import { isBlank } from './checks.js'
import type { LooseUniqueness, Uniqueness, Validation } from '../interfaces/validation.js'

/**
 * Whether a unique index can refuse what the validation does and nothing else. Indexes mind case and know no
 * conditions; lists have no one value.
 */
export function isIndexable (
  { properties: [name], ignoreCase, conditional }: Uniqueness,
  properties: readonly CompiledProperty[]
): boolean {
  const kind = properties.find(property => property.name === name)?.type.kind
  return kind !== undefined && kind !== 'array' && kind !== 'any' && !ignoreCase && conditional !== true
}

/** Those among the validations of a model that an index does not back for every row. */
export function looseUniqueness (
  properties: readonly CompiledProperty[],
  validations: readonly Validation[]
): LooseUniqueness[] {
  const mayLack = (name: string): boolean => properties.find(property => property.name === name)?.required !== true
  return validations.flatMap(({ unique }) => {
    if (unique === undefined) return []
    const indexed = isIndexable(unique, properties)
    return indexed && !unique.properties.slice(1).some(mayLack) ? [] : [{ ...unique, indexed }]
  })
}

/**
 * Whether the validation has something to check of a row, and no index to back it: indexes do not compare rows that
 * lack a value.
 */
export function isLooseFor ({ properties: [name, ...scope], indexed }: LooseUniqueness, row: Readonly<Row>): boolean {
  if (isBlank(row[name as string])) return false
  return !indexed || scope.some(each => row[each] === undefined || row[each] === null)
}
