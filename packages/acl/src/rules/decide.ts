import type { MaybePromise } from '@fastback/core'
import { isPromise } from '@fastback/core/connector'
import type { Plan } from './plan.js'
import type { Permission, Rule } from './rule.js'

/** Says whether a rule's principal fits the caller. */
export interface Fits {
  fits (rule: Rule): MaybePromise<boolean>
}

export interface Decision {
  readonly permission: Permission
  /** Undefined: no rule fitted. */
  readonly rule: Rule | undefined
}

/** Goes through the rules, the heaviest first; nothing is asked that the answer does not depend on. */
export function decide (plan: Plan, caller: Fits, from = 0): MaybePromise<Decision> {
  const { rules } = plan
  for (let i = from; i < rules.length; i++) {
    const rule = rules[i] as Rule
    const fits = caller.fits(rule)
    if (isPromise(fits)) {
      return fits.then(yes => (yes ? { permission: rule.permission, rule } : decide(plan, caller, i + 1)))
    }
    if (fits) return { permission: rule.permission, rule }
  }
  return { permission: plan.otherwise, rule: undefined }
}

/**
 * ALARM and AUDIT let the request through.
 *
 * ```js
 * isAllowed('AUDIT') // true
 * isAllowed('DENY') // false
 * ```
 */
export const isAllowed = (permission: Permission): boolean => permission !== 'DENY'
