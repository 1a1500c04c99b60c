/** Which properties conditions and orders look at. */
import type { Comparison, Condition, OrderTerm, SearchCondition } from './ast.js'

/**
 * Whether a condition looks at one of these properties.
 *
 * ```js
 * namesAny(condition, new Set(['secret'])) // false
 * ```
 */
export function namesAny (condition: Condition | undefined, properties: ReadonlySet<string>): boolean {
  if (condition === undefined) return false
  if ('conditions' in condition) return condition.conditions.some(inner => namesAny(inner, properties))
  if (condition.kind === 'search') return condition.index.properties.some(name => properties.has(name))
  if (condition.kind === 'related') return properties.has(condition.relation)
  return properties.has(condition.kind === 'linked' ? condition.from : condition.path.property)
}

/**
 * The properties that one test looks at.
 *
 * ```js
 * propertiesOfTest(condition) // ['title']
 * ```
 */
export const propertiesOfTest = (test: Comparison | SearchCondition): readonly string[] =>
  test.kind === 'search' ? test.index.properties : [test.path.property]

/**
 * The properties that a term of an order looks at.
 *
 * ```js
 * query.order.flatMap(propertiesOfTerm) // ['stars', 'title']
 * ```
 */
export function propertiesOfTerm (term: OrderTerm): readonly string[] {
  if ('path' in term) return [term.path.property]
  // What related rows say lies in none.
  return 'rank' in term ? term.rank.index.properties : []
}
