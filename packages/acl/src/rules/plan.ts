/** The rules of one operation, sorted: the first that fits the caller decides. */
import type { Assurance } from '@fastback/auth/service'
import type { ModelClass } from '@fastback/core'
import { decideRows } from '../rows/row-decision.js'
import type { Plan } from './compiled-plan.js'
import type { RowDecision } from './decision.js'
import { byWeight, rankOf } from './precedence.js'
import type { OwnCheck } from './own-check.js'
import { concerns, isTried, takesRows, type Operation, type Permission, type Rule } from './rule.js'

/** Of a model whose application decides itself; what the method asks of the caller's login holds all the same. */
export const planOfCheck = (check: OwnCheck, assurance?: Assurance): Plan =>
  ({ rules: [], roles: [], otherwise: 'DENY', always: undefined, check, assurance })

/** Of a model whose `acls` nobody can read: what nobody understands opens nothing. */
export const closedPlan: Plan = { rules: [], roles: [], otherwise: 'DENY', always: 'DENY' }

export function compilePlan (
  rules: readonly Rule[],
  operation: Operation,
  otherwise: Permission,
  { executeAllowsAll = false, enforcesRows = true, assurance }: PlanSettings = {}
): Plan {
  const enforced = rules.filter(rule => !isTried(rule))
  const counting = enforcesRows
    ? enforced
    : enforced.filter(rule => !takesRows(rule)).map(rule => ({ ...rule, narrowing: undefined }))
  const plan = compileThese(counting, operation, otherwise, { executeAllowsAll, assurance })
  return enforced.length === rules.length && enforcesRows
    ? plan
    : { ...plan, tried: compileThese(rules, operation, otherwise, { executeAllowsAll, assurance }) }
}

interface PlanSettings {
  readonly executeAllowsAll?: boolean
  /** Whether what rules say of rows and properties holds, or is only tried. */
  readonly enforcesRows?: boolean
  /** How callers of the method must have logged in. */
  readonly assurance?: Assurance | undefined
}

function compileThese (
  rules: readonly Rule[],
  operation: Operation,
  otherwise: Permission,
  { executeAllowsAll = false, assurance }: PlanSettings
): Plan {
  const sorted = byWeight(rules.filter(rule => concerns(rule, operation, executeAllowsAll)))
  const deciding = sorted.slice(0, endOf(sorted))
  const narrows = deciding.some(({ narrowing }) => narrowing !== undefined)
  const asksMore = assurance !== undefined || deciding.some(rule => rule.assurance !== undefined)
  const roles = new Set(
    sorted.filter(rule => rule.principalType === 'ROLE' && rule.permission === 'ALLOW').map(rule => rule.principalId)
  )
  const [first] = deciding
  const plan: Plan = {
    rules: deciding,
    roles: [...roles],
    otherwise,
    always: narrows || asksMore
      ? undefined
      : first === undefined ? otherwise : isForEverybody(first) ? first.permission : undefined,
    narrows,
    decisions: new Map(),
    ...assurance === undefined ? {} : { assurance }
  }
  if (asksMore || !deciding.every(isByLogin)) return plan
  const decisionFor = (role: string): RowDecision => decideRows(plan, {
    fits: ({ principalId }) => principalId === '$everyone' || principalId === role,
    passes: () => false
  }) as RowDecision
  const byLogin = { anonymous: decisionFor('$unauthenticated'), authenticated: decisionFor('$authenticated') }
  return { ...plan, byLogin }
}

/** How many rules may decide: those behind one that fits everybody do not, but for those that add up with it. */
function endOf (sorted: readonly Rule[]): number {
  const forAll = sorted.findIndex(rule => isForEverybody(rule) && !takesRows(rule))
  const last = sorted[forAll]
  if (last === undefined) return sorted.length
  const rank = rankOf(last)
  let end = forAll + 1
  while (last.narrowing !== undefined && end < sorted.length && rankOf(sorted[end] as Rule) === rank) end++
  return end
}

const rolesByLogin: ReadonlySet<string> = new Set(['$everyone', '$authenticated', '$unauthenticated'])

const isByLogin = (rule: Rule): boolean => rule.principalType === 'ROLE' && rolesByLogin.has(rule.principalId)

const isForEverybody = (rule: Rule): boolean => rule.principalType === 'ROLE' && rule.principalId === '$everyone'

const permissions: ReadonlySet<string> = new Set(['DENY', 'AUDIT', 'ALARM'])

/** The setting `defaultPermission`, of the model or the application; else ALLOW. */
export function defaultPermissionOf (Model: ModelClass): Permission {
  const given = Model.settings.defaultPermission ?? Model.registry.settings.defaultPermission
  const named = typeof given === 'string' ? given.toUpperCase() : ''
  return permissions.has(named) ? named as Permission : 'ALLOW'
}
