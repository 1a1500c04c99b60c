/** Counts calls of what is deprecated, for metrics. */
import type { ModelRegistry } from '@fastback/core'
import { measuresOf } from '@fastback/core/remote'

/** Of one application: as many different callers are told apart; those after them are one. */
const most = 500

const kCalls = Symbol('fastback.deprecatedCalls')

/**
 * Counts one call.
 *
 * ```js
 * countDeprecated(registry, 'Note.find', '', 'user')
 * measuresOf(registry).read('deprecatedCalls') // Map { '["Note.find","","user"]' => 1 }
 * ```
 * @param property the property that was used; empty where it is the method
 * @param client an application that a token was given to, `user` or `anonymous`
 */
export function countDeprecated (registry: ModelRegistry, method: string, property: string, client: string): void {
  const counts = registry.slot(kCalls, () => new Map<string, { count: number }>())
  const label = JSON.stringify([method, property, client])
  const known = counts.get(label) ?? counted(label)
  known.count++

  function counted (wanted: string): { count: number } {
    const key = counts.size < most ? wanted : JSON.stringify([method, property, 'other'])
    const found = counts.get(key)
    if (found !== undefined) return found
    const made = { count: 0 }
    counts.set(key, made)
    measuresOf(registry).add('deprecatedCalls', () => made.count, key)
    return made
  }
}
