/** Which properties conditions and orders look at. */
import type { Comparison, Condition, OrderTerm, SearchCondition } from './ast.js'

/**
 * Whether a condition looks at one of these properties.
 *
 * ```js
 * namesAny(condition, new Set(['secret'])) // false
 * ```
 */
export const namesAny = (condition: Condition | undefined, properties: ReadonlySet<string>): boolean =>
  namesSome(condition, name => properties.has(name))

/**
 * Whether a condition looks at a property, or names a relation, of which something is so.
 *
 * ```js
 * namesSome(condition, name => name.startsWith('secret')) // false
 * ```
 */
export function namesSome (condition: Condition | undefined, isSo: (name: string) => boolean): boolean {
  if (condition === undefined) return false
  if ('conditions' in condition) return condition.conditions.some(inner => namesSome(inner, isSo))
  if (condition.kind === 'search') return condition.index.properties.some(isSo)
  if (condition.kind === 'related') return isSo(condition.relation)
  return isSo(condition.kind === 'linked' ? condition.from : condition.path.property)
}

/**
 * Whether a condition has a test of a property of which something is so.
 *
 * ```js
 * testsSome(condition, ({ path }) => path.path.length > 0)
 * ```
 */
export function testsSome (condition: Condition | undefined, isSo: (test: Comparison) => boolean): boolean {
  if (condition === undefined) return false
  if ('conditions' in condition) return condition.conditions.some(inner => testsSome(inner, isSo))
  return 'path' in condition && isSo(condition)
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
