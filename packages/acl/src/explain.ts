/** Why a caller may or may not: the decision of a method, with the rules that were looked at. */
import { strictest, type Assurance } from '@fastback/auth/service'
import type { ModelInstance, ModelRegistry, Row, RowAction, SharedMethod } from '@fastback/core'
import { coerceId } from '@fastback/core/connector'
import { namesOf, nearest, sharedMethodsOf } from '@fastback/core/remote'
import { Caller } from './caller.js'
import { UnknownMethodError } from './errors.js'
import { RequestRowRules, type Route } from './guard/request-row-rules.js'
import { Membership } from './membership.js'
import { writtenIn } from './rows/bound-rule.js'
import { readableFields, writableFields } from './rows/listed-fields.js'
import { decideRows } from './rows/row-decision.js'
import type { Where } from './rows/template.js'
import { tidyWhere } from './rows/tidy-where.js'
import { decide, isAllowed } from './rules/decide.js'
import { MethodPlan } from './rules/method-plan.js'
import type { Plan } from './rules/compiled-plan.js'
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
  /** What a rule that fits does: it decides, gives its rows as well, or takes rows away. */
  readonly effect?: 'decides' | 'gives rows' | 'takes rows'
}

/** Which rows and properties of the model the rules leave to the caller, with the caller's values. */
export interface ExplainedRows {
  /** What is done to rows: the condition of a method of the application's own is that of what it does. */
  readonly action: RowAction
  /** The condition of rows that are there, as in a filter; undefined: all rows. */
  readonly where: Where | undefined
  /** What a row must be after a write; undefined: anything. */
  readonly check: Where | undefined
  /** Values of new rows. */
  readonly preset: Readonly<Row> | undefined
  /** As in rules; `*` is all that is not hidden. */
  readonly read: readonly string[]
  /** Undefined where nothing is written. */
  readonly write: readonly string[] | undefined
}

export interface Explanation {
  readonly allowed: boolean
  readonly permission: Permission
  readonly method: string
  readonly accessType: string
  /** The rule that decided; undefined when none fitted. */
  readonly rule: Readonly<Record<string, unknown>> | undefined
  /** How the caller must have logged in; undefined: somehow. */
  readonly assurance: Assurance | undefined
  /** In words. */
  readonly reason: string
  /** The rules of the method in the order of their weight, up to the last one that counts. */
  readonly considered: readonly ConsideredRule[]
  /** Undefined for a call that is refused. */
  readonly rows: ExplainedRows | undefined
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
  const { permission, rule: decided, stepUp } = await decide(plan, membership)
  const assurance = strictest(decided?.assurance, plan.assurance)
  const route = { method, plan, membership, source: methodPlan }
  return {
    allowed: isAllowed(permission),
    permission,
    method: `${Model.modelName}.${method.fullName}`,
    accessType: methodPlan.operation.accessType,
    rule: decided?.written,
    assurance,
    reason: stepUp !== undefined
      ? `the login is not ${inWords(stepUp)}, which the ${decided?.assurance === undefined ? 'method' : 'rule'} asks for`
      : plan.check !== undefined
        ? '"checkAccess", which the application gave the model, says so'
        : decided === undefined
          ? `no rule fits, so the default permission holds: ${plan.otherwise}`
          : `${decided.permission} for ${decided.principalType} ${decided.principalId}`,
    considered: await consideredIn(plan, membership, decided),
    rows: isAllowed(permission) ? await rowsFor(service, route, methodPlan.operation.accessType) : undefined
  }
}

const inWords = ({ acr, maxAge }: Assurance): string =>
  maxAge === undefined ? `at least "${acr}"` : `at least "${acr}" and at most ${String(maxAge)} s old`

async function consideredIn (
  plan: Plan, membership: Membership, decided: Rule | undefined
): Promise<ConsideredRule[]> {
  const { giving, taking } = await decideRows(plan, membership)
  const given = giving.map(({ rule }) => rule)
  const taken = taking.map(({ rule }) => rule)
  const counting = [decided, ...given, ...taken].map(rule => rule === undefined ? -1 : plan.rules.indexOf(rule))
  const looked = decided === undefined ? plan.rules : plan.rules.slice(0, Math.max(...counting) + 1)
  const effectOf = (rule: Rule): ConsideredRule['effect'] =>
    rule === decided ? 'decides' : taken.includes(rule) ? 'takes rows' : given.includes(rule) ? 'gives rows' : undefined
  return await Promise.all(looked.map(async rule => {
    const effect = effectOf(rule)
    return {
      rule: rule.written,
      source: rule.declared ? 'definition' : 'ACL row',
      fits: await membership.fits(rule) !== false,
      ...effect === undefined ? {} : { effect }
    }
  }))
}

/** As a request would be narrowed. */
async function rowsFor (service: AclService, route: Route, accessType: string): Promise<ExplainedRows> {
  const { method: { model: Model }, membership: { caller } } = route
  const action = actionOf(route.method, accessType)
  const rule = await new RequestRowRules(service, caller, route).of(Model.compiled, action)
  const written = rule === undefined ? undefined : writtenIn(rule)
  const isWrite = action === 'create' || action === 'update'
  return {
    action,
    where: action === 'create' ? undefined : tidy(written?.rows),
    check: isWrite ? tidy(written?.check) : undefined,
    preset: isWrite ? rule?.preset : undefined,
    read: readableFields(Model, rule?.reads),
    write: isWrite ? writableFields(Model, rule?.writes) : undefined
  }
}

const tidy = (where: Where | undefined): Where | undefined => where === undefined ? undefined : tidyWhere(where)

function actionOf ({ builtin, name }: SharedMethod, accessType: string): RowAction {
  const done = builtin ?? name
  if (done === 'create') return 'create'
  if (done.startsWith('delete') || done.startsWith('destroy')) return 'delete'
  return accessType === 'WRITE' ? 'update' : 'read'
}

/**
 * The id of a user as a request's token has it: of the type of the user model's ids, where it is written as a text.
 *
 * ```js
 * userIdOf(aclService(app.registry), { userId: '7' }) // 7
 * ```
 */
export function userIdOf (
  { users }: AclService, { userId, principalType }: Pick<Question, 'userId' | 'principalType'>
): unknown {
  if (typeof userId !== 'string') return userId
  const User = users.named(principalType)
  return (User === undefined ? undefined : coerceId(User.compiled, userId)) ?? userId
}

function findMethod (methods: readonly SharedMethod[], { model, method }: Question): SharedMethod {
  const found = methods.find(each => [...namesOf(each), each.name, ...each.aliases].includes(method))
  if (found === undefined) throw new UnknownMethodError(model, method, nearest(method, methods.map(each => each.name)))
  return found
}
