/** Which properties a condition looks at. */
import type { Condition } from './ast.js'

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
  if (condition.kind === 'related') return properties.has(condition.relation)
  return properties.has(condition.kind === 'linked' ? condition.from : condition.path.property)
}
