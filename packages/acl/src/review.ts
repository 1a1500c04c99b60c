/**
 * What the rules of a model come to without any caller at hand: for tools that look at an application from outside
 * (`fastback audit`).
 */
import type { ModelClass, SharedMethod } from '@fastback/core'
import { sharedMethodsOf } from '@fastback/core/remote'
import type { Decision } from './rules/decision.js'
import { MethodPlan } from './rules/method-plan.js'
import type { Plan } from './rules/compiled-plan.js'
import { concerns, takesRows, type Operation, type Rule } from './rules/rule.js'
import { aclService } from './service.js'

/**
 * A kind of caller: without a token; logged in, with no role and no row of its own; logged in, and the owner of the row
 * at hand. None of them is in a role that the application makes, or named by a rule.
 */
export type CallerKind = 'anonymous' | 'user' | 'owner'

export interface MethodReview {
  readonly method: SharedMethod
  readonly operation: Operation
  /** The rules that may decide, the first that fits first. None after one for `$everyone`. */
  readonly plan: Plan
  /** What a caller of this kind gets, and by which rule. */
  decide (kind: CallerKind): Decision
  /** Whether a rule speaks of the method at all, be it behind one that decides for everybody. */
  concerns (rule: Rule): boolean
}

/**
 * Reviews the shared methods of a model: declared rules, and rows of the ACL model as far as this process can read
 * them.
 *
 * ```js
 * const open = (await reviewAccess(app.models.Note)).filter(({ decide }) => decide('anonymous').permission !== 'DENY')
 * ```
 * @param methods those to look at. Default: all that the model's settings share
 */
export async function reviewAccess (
  Model: ModelClass,
  methods: readonly SharedMethod[] = sharedMethodsOf(Model)
): Promise<MethodReview[]> {
  const service = aclService(Model.registry)
  const executeAllowsAll = Model.registry.settings.executeAllowsAll === true
  return await Promise.all(
    methods.map(async method => {
      const methodPlan = MethodPlan.of(service, method)
      const plan = await methodPlan.current()
      const { operation } = methodPlan
      return {
        method,
        operation,
        plan,
        decide: (kind: CallerKind) => decideFor(plan, kind),
        concerns: (rule: Rule) => concerns(rule, operation, executeAllowsAll)
      }
    })
  )
}

/**
 * Likewise for an operation that need not be shared, such as the `findById` that include stands for.
 *
 * ```js
 * const { decide } = await reviewOperation(Note, 'findById', 'READ')
 * decide('anonymous').permission // 'DENY'
 * ```
 */
export async function reviewOperation (
  Model: ModelClass,
  name: string,
  accessType: string
): Promise<Pick<MethodReview, 'plan' | 'decide'>> {
  const plan = await new MethodPlan(aclService(Model.registry), Model, { names: [name], accessType }).current()
  return { plan, decide: kind => decideFor(plan, kind) }
}

/** Whether a rule fits every caller of the kind. */
function fitsKind ({ principalType, principalId }: Rule, kind: CallerKind): boolean {
  if (principalType !== 'ROLE') return false
  switch (principalId) {
    case '$everyone': return true
    case '$unauthenticated': return kind === 'anonymous'
    case '$authenticated': return kind !== 'anonymous'
    case '$owner': return kind === 'owner'
    default: return false
  }
}

function decideFor ({ rules, otherwise }: Plan, kind: CallerKind): Decision {
  const rule = rules.find(each => fitsKind(each, kind) && !takesRows(each))
  return { permission: rule?.permission ?? otherwise, rule }
}

/**
 * Who may call a method, in words: `everyone`, `logged in`, else those that a rule allows, the owner of the row first.
 *
 * ```js
 * await callersOf(method) // 'owner, admin'
 * ```
 */
export async function callersOf (method: SharedMethod): Promise<string> {
  const [review] = await reviewAccess(method.model, [method])
  const { plan, decide } = review as MethodReview
  if (plan.check !== undefined) return 'whom "checkAccess" lets'
  const mayCall = (kind: CallerKind): boolean => decide(kind).permission !== 'DENY'
  if (mayCall('user')) return mayCall('anonymous') ? 'everyone' : 'logged in'
  const named = plan.rules
    .filter(rule => rule.permission !== 'DENY' && !builtInKinds.has(rule.principalId))
    .map(({ principalType, principalId }) =>
      principalType === 'ROLE' ? principalId.replace(/^\$/, '') : principalType === 'APP' ? 'one application' : 'one user')
  const all = new Set([...mayCall('anonymous') ? ['not logged in'] : [], ...mayCall('owner') ? ['owner'] : [], ...named])
  return all.size === 0 ? 'nobody' : [...all].join(', ')
}

/**
 * Whether anybody may call a method: by a rule that allows it to some, by the application's own check, or because
 * nothing says otherwise.
 *
 * ```js
 * await mayBeCalled(method) // false, where the one rule is DENY for $everyone
 * ```
 */
export async function mayBeCalled (method: SharedMethod): Promise<boolean> {
  const [review] = await reviewAccess(method.model, [method])
  const { plan: { check, rules, otherwise } } = review as MethodReview
  const isDecided = rules.some(rule =>
    rule.principalType === 'ROLE' && rule.principalId === '$everyone' && !takesRows(rule))
  return check !== undefined || rules.some(({ permission }) => permission !== 'DENY') ||
    (otherwise !== 'DENY' && !isDecided)
}

const builtInKinds: ReadonlySet<string> = new Set(['$everyone', '$unauthenticated', '$authenticated', '$owner'])

/**
 * What allows everybody whom an ALLOW rule fits just the same, so that the rule gives nobody anything: the rule after
 * it that does, or the default.
 *
 * ```js
 * const [{ plan }] = await reviewAccess(Note)
 * plan.rules.filter(rule => rule.permission === 'ALLOW' && allowedWithout(plan, rule, true) !== undefined)
 * ```
 * @param isLoggedIn whether whoever the rule fits has a user or an application
 * @returns undefined where the rule makes a difference to somebody
 */
export function allowedWithout (
  { rules, otherwise }: Plan,
  rule: Rule,
  isLoggedIn: boolean
): Rule | 'default' | undefined {
  // Those whom it lets in have logged in better than others.
  if (rule.assurance !== undefined) return undefined
  for (const next of rules.slice(rules.indexOf(rule) + 1)) {
    const role = next.principalType === 'ROLE' ? next.principalId : undefined
    if (isLoggedIn && role === '$unauthenticated') continue
    if (next.permission === 'DENY') return undefined
    if (role === '$everyone' || (isLoggedIn && role === '$authenticated')) return next
  }
  return otherwise === 'DENY' ? undefined : 'default'
}
