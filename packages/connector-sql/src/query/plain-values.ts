/** JSON has no dates and no binary data: conditions on stored JSON compare with what these are written as. */
import type { Comparison, Condition, ConditionValue } from '@fastback/core'
import { parseExactly } from '../tables/exact-json.js'
import { encodeJson } from '../tables/json-text.js'
import type { Column } from '../tables/column.js'

/** A comparison as it is asked of `ColumnFormat.plain` values. */
export function plainValues (comparison: Comparison, column: Column | undefined): Comparison {
  if (column !== undefined && column.format.name !== 'json') return comparison
  switch (comparison.kind) {
    case 'compare': return { ...comparison, value: plain(comparison.value) }
    case 'in': return { ...comparison, values: comparison.values.map(plain) }
    case 'between': return { ...comparison, from: plain(comparison.from), to: plain(comparison.to) }
    // Embedded rows are JSON, whatever holds them.
    case 'element': return { ...comparison, condition: plainWithin(comparison.condition) }
    case 'exists': case 'like': case 'regexp': case 'near': return comparison
  }
}

function plainWithin (condition: Condition): Condition {
  if ('conditions' in condition) return { ...condition, conditions: condition.conditions.map(plainWithin) }
  return condition.kind === 'linked' || condition.kind === 'related' || condition.kind === 'search'
    ? condition
    : plainValues(condition, undefined)
}

function plain (value: ConditionValue): ConditionValue {
  return typeof value === 'object' && value !== null ? parseExactly(encodeJson(value)) as ConditionValue : value
}
