/** What is said in the log once, however often it happens. */
import type { ModelRegistry } from './interfaces/model-registry.js'

const kTold = Symbol('fastback.told')

/** Messages that are remembered: those may name what clients send, and must not fill the memory. */
const mostTold = 500

/**
 * Warns of something that is left alone, the first time that it happens.
 *
 * ```js
 * warnOnce(registry, { model: 'Note' }, 'The filter part "distinct" of "Note" has no effect')
 * ```
 */
export function warnOnce (registry: ModelRegistry, fields: object, message: string): void {
  const told = registry.slot(kTold, () => new Set<string>())
  if (told.has(message) || told.size >= mostTold) return
  told.add(message)
  registry.log.warn(fields, message)
}
