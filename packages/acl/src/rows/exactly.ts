/** Texts that a store takes for equal are not the same caller's, or the same tenant's (security.md, S-174). */
import type { Condition } from '@fastback/core'

type Group = Extract<Condition, { readonly conditions: unknown }>
type Related = Extract<Condition, { readonly kind: 'related' }>

/**
 * The condition of a rule, so that no text passes that only the collation of a column takes for the one that is meant.
 * Below a negation that is what does not equal; more than is meant may equal there, and is taken away with it.
 *
 * ```js
 * exactly(parseWhere(Note.compiled, { team: 'red' }, mode)) // rows of "red", and none of "RED"
 * ```
 * @param isAsked false below a negation
 * @returns the same object where nothing is to change
 */
export function exactly (condition: Condition, isAsked = true): Condition {
  switch (condition.kind) {
    case 'and': case 'or': return group(condition, isAsked)
    case 'nor': return group(condition, !isAsked)
    case 'related': return related(condition, condition.quantifier === 'none' ? !isAsked : isAsked)
    case 'element': {
      const inner = exactly(condition.condition, isAsked)
      return inner === condition.condition ? condition : { ...condition, condition: inner }
    }
    case 'compare':
      return typeof condition.value === 'string' && condition.op === (isAsked ? 'eq' : 'neq')
        ? { ...condition, isExact: true }
        : condition
    case 'in':
      return condition.op === (isAsked ? 'inq' : 'nin') && condition.values.some(value => typeof value === 'string')
        ? { ...condition, isExact: true }
        : condition
    default: return condition
  }
}

function group (condition: Group, isAsked: boolean): Condition {
  const { conditions } = condition
  const inner = conditions.map(each => exactly(each, isAsked))
  return inner.every((each, i) => each === conditions[i]) ? condition : { ...condition, conditions: inner }
}

function related (condition: Related, isAsked: boolean): Condition {
  const targets = condition.targets.map(target =>
    target.condition === undefined ? target : { ...target, condition: exactly(target.condition, isAsked) })
  return { ...condition, targets }
}
