import { strictest, type Assurance } from '@fastback/auth/service'
import type { MaybePromise } from '@fastback/core'
import { chain, isPromise } from '@fastback/core/connector'
import type { OwnCheck } from './own-check.js'
import type { Login, Plan } from './compiled-plan.js'
import type { RoleRows } from '../roles/role-rows.js'
import { takesRows, type Permission, type Rule } from './rule.js'
import type { Decision } from './decision.js'

/** Says whether a rule's principal fits the caller, and whether the application's own check lets the caller in. */
export interface Fits {
  fits (rule: Rule): MaybePromise<boolean | RoleRows>
  passes (check: OwnCheck): MaybePromise<boolean>
  /** Whether the caller has logged in as a rule or method asks for. Absent: it does. */
  meets?: (asked: Assurance) => boolean
  /** Where the framework alone says who is in a built-in role: whether the caller is logged in. */
  readonly login?: Login | undefined
}

const allowed: Decision = { permission: 'ALLOW', rule: undefined, byCheck: true }
const denied: Decision = { permission: 'DENY', rule: undefined, byCheck: true }

/** Goes through the rules, the heaviest first; nothing is asked that the answer does not depend on. */
export function decide (plan: Plan, caller: Fits, from = 0): MaybePromise<Decision> {
  const { rules, check } = plan
  if (check !== undefined) {
    return chain(caller.passes(check), passes => assured(plan, passes ? allowed : denied, caller))
  }
  for (let i = from; i < rules.length; i++) {
    const rule = rules[i] as Rule
    const fits = caller.fits(rule)
    if (isPromise(fits)) {
      return fits.then(found =>
        decides(rule, found) ? decisionBy(plan, rule, caller) : decide(plan, caller, i + 1))
    }
    if (decides(rule, fits)) return decisionBy(plan, rule, caller)
  }
  return assured(plan, { permission: plan.otherwise, rule: undefined }, caller)
}

const decisionBy = (plan: Plan, rule: Rule, caller: Fits): Decision =>
  assured(plan, { permission: rule.permission, rule }, caller)

/**
 * The decision, as the caller's login leaves it: one that allows refuses those whose login is weaker or older than the
 * rule or the method asks for, and no other rule lets them in (openid.md, OI-103; security.md, S-122).
 *
 * ```js
 * assured(plan, { permission: 'ALLOW', rule }, { ...caller, meets: () => false }).stepUp // { acr: '2fa', … }
 * ```
 */
export function assured<D extends Decision> (plan: Plan, decision: D, { meets }: Fits): D {
  const asked = strictest(decision.rule?.assurance, plan.assurance)
  if (asked === undefined || !isAllowed(decision.permission) || meets === undefined || meets(asked)) return decision
  return { ...decision, permission: 'DENY', stepUp: asked }
}

/** Whether a rule decides: one that takes rows away leaves the others to the next. */
export const decides = (rule: Rule, fits: boolean | RoleRows): boolean =>
  fits !== false && !takesRows(rule) && (fits === true || rule.permission !== 'DENY')

/**
 * ALARM and AUDIT let the request through.
 *
 * ```js
 * isAllowed('AUDIT') // true
 * isAllowed('DENY') // false
 * ```
 */
export const isAllowed = (permission: Permission): boolean => permission !== 'DENY'
