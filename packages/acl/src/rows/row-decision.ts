/** Which rules give rows to a caller, and which take rows away. */
import type { MaybePromise } from '@fastback/core'
import { chain, isPromise } from '@fastback/core/connector'
import type { RoleRows } from '../roles/role-rows.js'
import { assured, type Fits } from '../rules/decide.js'
import type { Plan } from '../rules/compiled-plan.js'
import type { FittingRule, RowDecision } from '../rules/decision.js'
import { rankOf } from '../rules/precedence.js'
import { takesRows, type Rule } from '../rules/rule.js'

/**
 * The first rule that fits decides, as in `decide`; those of the same rank that allow as well add their rows, and those
 * that deny rows, and come before, take them away. A rule for a role that the caller is in for some rows only leaves
 * the others to the next. Equal decisions of a plan are one object, unless they are about rows of a role.
 */
export function decideRows (plan: Plan, caller: Fits): MaybePromise<RowDecision> {
  const { byLogin } = plan
  if (byLogin !== undefined && caller.login !== undefined) return byLogin[caller.login]
  if (plan.check === undefined) {
    return chain(gather(plan, caller, 0, [], []), decision => known(plan, asTheLoginLeaves(plan, decision, caller)))
  }
  const none = { rule: undefined, byCheck: true, giving: [], taking: [] } as const
  const decided = (passes: boolean): RowDecision =>
    assured(plan, { ...none, permission: passes ? 'ALLOW' : 'DENY' }, caller)
  const passes = caller.passes(plan.check)
  return isPromise(passes) ? passes.then(decided) : decided(passes)
}

/**
 * A rule that decides refuses callers who have not logged in as it asks; one that only adds rows gives them none.
 */
function asTheLoginLeaves (plan: Plan, decision: RowDecision, caller: Fits): RowDecision {
  const judged = assured(plan, decision, caller)
  if (judged.stepUp !== undefined) return { ...judged, giving: [], taking: [] }
  const giving = decision.giving.filter(({ rule }) =>
    rule?.assurance === undefined || caller.meets?.(rule.assurance) !== false)
  return giving.length === decision.giving.length ? decision : { ...decision, giving }
}

/** Roles of a few users fit many rules in few ways: more than these are let go. */
const mostDecisions = 256

function known ({ decisions, rules }: Plan, decision: RowDecision): RowDecision {
  const { permission, rule, giving, taking } = decision
  if (decisions === undefined || giving.some(isForRows) || taking.some(isForRows)) return decision
  const deciding = rule === undefined ? '' : rules.indexOf(rule)
  const key = `${permission} ${deciding} ${giving.map(indexOf).join()} ${taking.map(indexOf).join()}`
  const made = decisions.get(key)
  if (made !== undefined) return made
  if (decisions.size >= mostDecisions) decisions.clear()
  decisions.set(key, decision)
  return decision
}

const isForRows = ({ role }: FittingRule): boolean => role !== undefined
const indexOf = ({ index }: FittingRule): number => index

function gather (
  plan: Plan, caller: Fits, from: number, giving: FittingRule[], taking: FittingRule[]
): MaybePromise<RowDecision> {
  const { rules, otherwise } = plan
  for (let i = from; i < rules.length; i++) {
    const rule = rules[i] as Rule
    const rank = rankOf(rule)
    if (giving.some(each => each.role === undefined && each.rank !== rank)) return decisionOf(giving, taking)
    const fits = caller.fits(rule)
    if (isPromise(fits)) {
      return fits.then(found => add({ rule, index: i, rank }, found, giving, taking) ??
        gather(plan, caller, i + 1, giving, taking))
    }
    const refused = add({ rule, index: i, rank }, fits, giving, taking)
    if (refused !== undefined) return refused
  }
  const isDecided = giving.some(each => each.role === undefined)
  if (isDecided || (giving.length > 0 && otherwise === 'DENY')) return decisionOf(giving, taking)
  if (giving.length > 0) giving.push({ rule: undefined, role: undefined, index: rules.length, rank: -1 })
  return giving.length > 0 ? decisionOf(giving, taking) : { permission: otherwise, rule: undefined, giving, taking }
}

const decisionOf = (giving: readonly FittingRule[], taking: readonly FittingRule[]): RowDecision => {
  const rule = giving[0]?.rule
  return { permission: rule?.permission ?? 'DENY', rule, giving, taking }
}

/** @returns the decision, where the rule refuses what is left */
function add (
  { rule, ...at }: Pick<FittingRule, 'index' | 'rank'> & { readonly rule: Rule }, fits: boolean | RoleRows,
  giving: FittingRule[], taking: FittingRule[]
): RowDecision | undefined {
  if (fits === false) return
  const fitting = { rule, role: fits === true ? undefined : fits, ...at }
  if (rule.permission !== 'DENY') giving.push(fitting)
  else if (takesRows(rule) || fits !== true) taking.push(fitting)
  else if (giving.length > 0) return decisionOf(giving, taking)
  else return { permission: 'DENY', rule, giving: [], taking: [] }
}

/** Whether anything of a decision is about some rows or properties only. */
export const isNarrow = ({ giving, taking }: RowDecision): boolean =>
  taking.length > 0 || giving.some(({ rule, role }) => rule?.narrowing !== undefined || role !== undefined)
