/** Whether an application asks how and when its callers logged in. */
import type { ModelRegistry } from '@fastback/core'
import { rulesOf, sharedMethodsOf, whileModelsStay } from '@fastback/core/remote'

const kAsked = Symbol('fastback.assuranceAsked')

/**
 * Whether a rule or a method has `accessAssurance`.
 *
 * ```js
 * asksForAssurance(app.registry) // false where every login will do
 * ```
 */
export const asksForAssurance = (registry: ModelRegistry): boolean =>
  whileModelsStay(registry, kAsked, () => Object.values(registry.models).some(Model =>
    rulesOf(Model).some(rule => isAsked(rule.accessAssurance)) ||
    sharedMethodsOf(Model).some(({ options }) => isAsked(options.accessAssurance))))

const isAsked = (value: unknown): boolean => value !== undefined && value !== null
