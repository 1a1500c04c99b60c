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
  return 'conditions' in condition
    ? condition.conditions.some(inner => namesAny(inner, properties))
    : properties.has(condition.path.property)
}
