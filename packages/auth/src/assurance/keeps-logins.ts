/** Whether an application has tokens say how and when their users logged in. */
import type { ModelRegistry } from '@fastback/core'
import { rulesOf, sharedMethodsOf, whileModelsStay } from '@fastback/core/remote'
import { hasSecondFactors } from '../service.js'

const kAsked = Symbol('fastback.assuranceAsked')

/**
 * Whether rules or methods of an application ask how their callers logged in (`accessAssurance`), or its users have
 * factors to do it with: tokens say it then.
 *
 * ```js
 * keepsLogins(app.registry) // false where every login will do
 * ```
 */
export const keepsLogins = (registry: ModelRegistry): boolean =>
  hasSecondFactors(registry) || whileModelsStay(registry, kAsked, () => Object.values(registry.models).some(Model =>
    rulesOf(Model).some(rule => isAsked(rule.accessAssurance)) ||
    sharedMethodsOf(Model).some(({ options }) => isAsked(options.accessAssurance))))

const isAsked = (value: unknown): boolean => value !== undefined && value !== null
