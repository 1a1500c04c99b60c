/** Conditions that are true, or false, for every row. */
import type { Condition } from './ast.js'

/** Whether a condition is true for every row because it tests nothing: `{}`, `{ and: [] }`, `{ name: { nin: [] } }`. */
export function isAlwaysTrue (condition: Condition | undefined): boolean {
  switch (condition?.kind) {
    case undefined: return true
    case 'and': return condition.conditions.every(isAlwaysTrue)
    case 'or': return condition.conditions.some(isAlwaysTrue)
    case 'nor': return condition.conditions.every(isAlwaysFalse)
    default: return false
  }
}

function isAlwaysFalse (condition: Condition): boolean {
  switch (condition.kind) {
    case 'and': return condition.conditions.some(isAlwaysFalse)
    case 'or': return condition.conditions.every(isAlwaysFalse)
    case 'nor': return condition.conditions.some(isAlwaysTrue)
    default: return false
  }
}
