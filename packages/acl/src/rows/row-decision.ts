/** Which rules give rows to a caller, and which take rows away. */
import type { MaybePromise } from '@fastback/core'
import { isPromise } from '@fastback/core/connector'
import type { RoleRows } from '../roles/role-rows.js'
import type { Fits } from '../rules/decide.js'
import type { Decision } from '../rules/decision.js'
import type { Plan } from '../rules/plan.js'
import { rankOf } from '../rules/precedence.js'
import { takesRows, type Rule } from '../rules/rule.js'

/** A rule that fits the caller, for the rows of the role. */
export interface FittingRule {
  readonly rule: Rule
  /** Undefined: for all. */
  readonly role: RoleRows | undefined
}

export interface RowDecision extends Decision {
  /** Those that allow, of one rank; none where the default permission does. */
  readonly giving: readonly FittingRule[]
  /** Heavier ones that deny rows. */
  readonly taking: readonly FittingRule[]
}

/**
 * The first rule that fits decides, as in `decide`; those of the same rank that allow as well add their rows, and those
 * that deny rows, and come before, take them away.
 */
export function decideRows (plan: Plan, caller: Fits): MaybePromise<RowDecision> {
  if (plan.check === undefined) return gather(plan, caller, 0, [], [])
  const none = { rule: undefined, byCheck: true, giving: [], taking: [] } as const
  const decided = (passes: boolean): RowDecision => ({ ...none, permission: passes ? 'ALLOW' : 'DENY' })
  const passes = caller.passes(plan.check)
  return isPromise(passes) ? passes.then(decided) : decided(passes)
}

function gather (
  plan: Plan, caller: Fits, from: number, giving: FittingRule[], taking: FittingRule[]
): MaybePromise<RowDecision> {
  const { rules, otherwise } = plan
  for (let i = from; i < rules.length; i++) {
    const rule = rules[i] as Rule
    const [first] = giving
    if (first !== undefined && rankOf(rule) !== rankOf(first.rule)) break
    const fits = caller.fits(rule)
    if (isPromise(fits)) {
      return fits.then(found => add(rule, found, giving, taking) ?? gather(plan, caller, i + 1, giving, taking))
    }
    const refused = add(rule, fits, giving, taking)
    if (refused !== undefined) return refused
  }
  const rule = giving[0]?.rule
  return { permission: rule?.permission ?? otherwise, rule, giving, taking }
}

/** @returns the decision, where the rule refuses */
function add (
  rule: Rule, fits: boolean | RoleRows, giving: FittingRule[], taking: FittingRule[]
): RowDecision | undefined {
  if (fits === false) return
  const fitting = { rule, role: fits === true ? undefined : fits }
  if (rule.permission !== 'DENY') giving.push(fitting)
  else if (takesRows(rule) || fits !== true) taking.push(fitting)
  else return { permission: 'DENY', rule, giving: [], taking: [] }
}

/** Whether anything of a decision is about some rows or properties only. */
export const isNarrow = ({ giving, taking }: RowDecision): boolean =>
  taking.length > 0 || giving.some(({ rule, role }) => rule.narrowing !== undefined || role !== undefined)
