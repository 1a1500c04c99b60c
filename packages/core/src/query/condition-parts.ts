/** What a condition is made of, for those who translate one or look for something in it. */
import type { Comparison, Condition, SearchCondition } from './ast.js'

type Group = Extract<Condition, { readonly conditions: unknown }>

/**
 * Whether a condition has a part of some kind, at any level, within embedded and linked rows as well.
 *
 * ```js
 * hasPart(query.where, ({ kind }) => kind === 'regexp')
 * ```
 */
export function hasPart (condition: Condition | undefined, isPart: (part: Condition) => boolean): boolean {
  if (condition === undefined) return false
  if (isPart(condition)) return true
  if ('conditions' in condition) {
    for (const inner of condition.conditions) if (hasPart(inner, isPart)) return true
    return false
  }
  return 'condition' in condition && hasPart(condition.condition, isPart)
}

/**
 * A part that is no group as the comparison or search that it is, for connectors that never say `supportsLinks`: what
 * is asked of related rows has become keys before it comes to them.
 *
 * ```js
 * switch (condition.kind) {
 *   case 'and': case 'or': case 'nor': return group(condition)
 *   default: return comparison(ownComparison(condition))
 * }
 * ```
 * @throws TypeError for a condition on related rows
 */
export function ownComparison (part: Exclude<Condition, Group>): Comparison | SearchCondition {
  if (part.kind === 'related' || part.kind === 'linked') {
    throw new TypeError('A condition on related rows came to a connector that does not answer any')
  }
  return part
}
