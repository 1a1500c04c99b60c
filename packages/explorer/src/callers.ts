/** Who may call each operation, for those who make the application. */
import type { ModelRegistry } from '@fastback/core'
import { accessReviewIn } from '@fastback/core/remote'
import { restRoutes } from '@fastback/rest'

/**
 * The callers of every described method by its name, as access control says them; empty where nothing is guarded.
 *
 * ```js
 * (await callersByMethod(app.registry))['Note.deleteById'] // 'owner, admin'
 * ```
 */
export async function callersByMethod (registry: ModelRegistry): Promise<Record<string, string>> {
  const { callersOf } = accessReviewIn(registry)
  if (callersOf === undefined) return {}
  const methods = new Set(restRoutes(registry).map(({ method }) => method).filter(({ documented }) => documented))
  return Object.fromEntries(await Promise.all([...methods].map(async method =>
    [`${method.modelName}.${method.fullName}`, await callersOf(method)] as const)))
}
