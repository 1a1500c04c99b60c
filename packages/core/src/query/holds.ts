/** Conditions that test nothing, which a row can neither pass nor fail. */
import type { Condition } from './ast.js'

/** Whether every row meets a condition because there is nothing in it: `{}`, `{ and: [] }`, `{ name: { nin: [] } }`. */
export function holdsForAll (condition: Condition | undefined): boolean {
  switch (condition?.kind) {
    case undefined: return true
    case 'and': return condition.conditions.every(holdsForAll)
    case 'or': return condition.conditions.some(holdsForAll)
    case 'nor': return condition.conditions.every(holdsForNone)
    default: return false
  }
}

function holdsForNone (condition: Condition): boolean {
  switch (condition.kind) {
    case 'and': return condition.conditions.some(holdsForNone)
    case 'or': return condition.conditions.every(holdsForNone)
    case 'nor': return condition.conditions.some(holdsForAll)
    default: return false
  }
}
