/** What an application would allow by other rules than those that it has: nothing is changed. */
import type { AclDefinition, CompiledModel, ModelClass, ModelRegistry, RowRule, SharedMethod } from '@fastback/core'
import { sharedMethodsOf } from '@fastback/core/remote'
import { actionPlansOf } from './guard/action-plans.js'
import { Caller } from './caller.js'
import type { Question } from './explain.js'
import { Membership } from './membership.js'
import { decideRows } from './rows/row-decision.js'
import { isAllowed } from './rules/decide.js'
import { MethodPlan } from './rules/method-plan.js'
import { aclService } from './service.js'

/**
 * A model as it would be with other rules in place of its own: for the questions of this package (`accessMatrix`,
 * `listRule`, `reviewAccess`). The model itself stays as it is.
 *
 * ```js
 * const Open = withRules(Note, [{ principalType: 'ROLE', principalId: '$everyone', permission: 'ALLOW' }])
 * const lines = await accessMatrix(Open)
 * ```
 */
export function withRules (Model: ModelClass, acls: readonly AclDefinition[]): ModelClass {
  const settings = { ...Model.settings, acls: [...acls] }
  const Tried = Object.create(Model, { settings: { value: settings } }) as ModelClass
  const compiled = Object.create(Model.compiled, { Model: { value: Tried } }) as CompiledModel
  return Object.defineProperty(Tried, 'compiled', { value: compiled })
}

/** Methods of a model as those of one with other rules. */
export const methodsWith = (Model: ModelClass, methods: readonly SharedMethod[]): SharedMethod[] =>
  methods.map(method => method.model === Model
    ? method
    : Object.create(method, { model: { value: Model } }) as SharedMethod)

/** What of a list is left to a caller. */
export interface ListAccess {
  readonly allowed: boolean
  /** Undefined: all rows, with all properties that are not hidden. */
  readonly rule: RowRule | undefined
}

/**
 * Which rows of a model the rules leave to a caller who lists them.
 *
 * ```js
 * const { allowed, rule } = await listRule(Note, { userId: 7 })
 * ```
 */
export async function listRule (
  Model: ModelClass, { userId, principalType }: Pick<Question, 'userId' | 'principalType'>
): Promise<ListAccess> {
  const service = aclService(Model.registry)
  const find = methodsWith(Model, sharedMethodsOf(Model)).find(({ fullName }) => fullName === 'find')
  if (find === undefined) return { allowed: false, rule: undefined }
  const plan = MethodPlan.of(service, find)
  const caller = new Caller(service.users, null, { userId, userType: principalType })
  const about = { Model, modelId: undefined, method: find, accessType: plan.operation.accessType }
  const membership = new Membership(service, caller, about)
  const decision = await decideRows(await plan.current(), membership)
  if (!isAllowed(decision.permission)) return { allowed: false, rule: undefined }
  const byId = await actionPlansOf(service).reading(Model, caller)
  const question = { decision, reading: byId, isWrite: false }
  return { allowed: true, rule: await service.rows.bind(Model.compiled, question, caller, Date.now()) }
}

/**
 * The static roles that a user is in.
 *
 * ```js
 * await rolesOfUser(app.registry, { userId: 7 }) // ['admin']
 * ```
 */
export async function rolesOfUser (
  registry: ModelRegistry, { userId, principalType }: Pick<Question, 'userId' | 'principalType'>
): Promise<string[]> {
  const { users, roles } = aclService(registry)
  return [...await roles.namesOf(new Caller(users, null, { userId, userType: principalType }))]
}
