/** Why a caller may or may not: the decision of a method, with the rules that were looked at. */
import type { ModelInstance, ModelRegistry, SharedMethod } from '@fastback/core'
import { coerceId } from '@fastback/core/connector'
import { namesOf, nearest, sharedMethodsOf } from '@fastback/core/remote'
import { Caller } from './caller.js'
import { UnknownMethodError } from './errors.js'
import { Membership } from './membership.js'
import { decide, decides, isAllowed } from './rules/decide.js'
import { MethodPlan } from './rules/method-plan.js'
import type { Permission, Rule } from './rules/rule.js'
import { aclService, type AclService } from './service.js'

export interface Question {
  readonly model: string
  /** Name of the method, with or without `prototype.`; an alias will do. */
  readonly method: string
  /** Of the instance at hand. */
  readonly id?: unknown
  /**
   * The caller: by id (and, with several user models, the name of the model), as an application, or by a token. None:
   * anonymous.
   */
  readonly userId?: unknown
  readonly principalType?: string | undefined
  readonly appId?: unknown
  readonly token?: ModelInstance | null
}

export interface ConsideredRule {
  /** As written. */
  readonly rule: Readonly<Record<string, unknown>>
  /** Where it stands. */
  readonly source: 'definition' | 'ACL row'
  readonly fits: boolean
}

export interface Explanation {
  readonly allowed: boolean
  readonly permission: Permission
  readonly method: string
  readonly accessType: string
  /** The rule that decided; undefined when none fitted. */
  readonly rule: Readonly<Record<string, unknown>> | undefined
  /** In words. */
  readonly reason: string
  /** The rules of the method in the order of their weight, up to the one that decided. */
  readonly considered: readonly ConsideredRule[]
}

/**
 * Explains what a request would be answered.
 *
 * ```js
 * const question = { model: 'Note', method: 'deleteById', id: 1, userId: 7 }
 * const { allowed, reason } = await explainAccess(app.registry, question)
 * ```
 * @throws FBK_CORE_UNKNOWN_MODEL, FBK_ACL_UNKNOWN_METHOD
 */
export async function explainAccess (registry: ModelRegistry, question: Question): Promise<Explanation> {
  const Model = registry.getModel(question.model)
  const method = findMethod(sharedMethodsOf(Model), question)
  const service = aclService(registry)
  const methodPlan = MethodPlan.of(service, method)
  const plan = await methodPlan.current()
  const caller = new Caller(service.users, question.token ?? null, {
    userId: userIdOf(service, question),
    userType: question.principalType,
    appId: question.appId
  })
  const membership = new Membership(service, caller, {
    Model,
    modelId: question.id,
    method,
    accessType: methodPlan.operation.accessType
  })
  const considered: ConsideredRule[] = []
  let decided: Rule | undefined
  for (const rule of plan.rules) {
    const fits = await membership.fits(rule)
    considered.push({ rule: rule.written, source: rule.declared ? 'definition' : 'ACL row', fits: fits !== false })
    if (decides(rule, fits)) { decided = rule; break }
  }
  const permission = plan.check === undefined
    ? decided?.permission ?? plan.otherwise
    : (await decide(plan, membership)).permission
  return {
    allowed: isAllowed(permission),
    permission,
    method: `${Model.modelName}.${method.fullName}`,
    accessType: methodPlan.operation.accessType,
    rule: decided?.written,
    reason: plan.check !== undefined
      ? '"checkAccess", which the application gave the model, says so'
      : decided === undefined
        ? `no rule fits, so the default permission holds: ${plan.otherwise}`
        : `${decided.permission} for ${decided.principalType} ${decided.principalId}`,
    considered
  }
}

/** The id as a request's token has it: of the type of the user model's ids, where it is written as a text. */
function userIdOf ({ users }: AclService, { userId, principalType }: Question): unknown {
  if (typeof userId !== 'string') return userId
  const User = users.named(principalType)
  return (User === undefined ? undefined : coerceId(User.compiled, userId)) ?? userId
}

function findMethod (methods: readonly SharedMethod[], { model, method }: Question): SharedMethod {
  const found = methods.find(each => [...namesOf(each), each.name, ...each.aliases].includes(method))
  if (found === undefined) throw new UnknownMethodError(model, method, nearest(method, methods.map(each => each.name)))
  return found
}
