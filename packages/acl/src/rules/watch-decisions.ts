/** What routes decide, for who wants to know: tests of an application's rules, pages that show its requests. */
import type { ModelRegistry } from '@fastback/core'
import { aclService, type DecisionListener } from '../service.js'

const kListeners = Symbol('fastback.decisionListeners')

/**
 * Tells of each decision about a route, in the asynchronous context of its request.
 *
 * ```js
 * const stop = watchDecisions(app.registry, ({ permission }, { fullName }) => { console.log(fullName, permission) })
 * ```
 * @returns ends it
 */
export function watchDecisions (registry: ModelRegistry, listener: DecisionListener): () => void {
  const listeners = registry.slot(kListeners, () => new Set<DecisionListener>())
  const all: DecisionListener = (decision, method) => { for (const each of listeners) each(decision, method) }
  const listen = (): void => { aclService(registry).watching = listeners.size === 0 ? undefined : all }
  listeners.add(listener)
  listen()
  return () => {
    listeners.delete(listener)
    listen()
  }
}
