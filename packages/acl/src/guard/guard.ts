/** Decides about the requests of one route (behaviour.md, B-5.1 to B-5.9). */
import type { MaybePromise, ModelClass, ModelInstance, Relation, Row, SharedMethod } from '@fastback/core'
import { chain, isPromise } from '@fastback/core/connector'
import { findRowById, includedOf, instantiate, isWatched, relationsOf, whileModelsStay } from '@fastback/core/remote'
import { authService, defaultScopes, isInScope } from '@fastback/auth/service'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { Caller, isLoggedIn } from '../caller.js'
import { refusal } from '../errors.js'
import { Membership } from '../membership.js'
import { decide, isAllowed } from '../rules/decide.js'
import type { Decision } from '../rules/decision.js'
import { MethodPlan } from '../rules/method-plan.js'
import type { Plan } from '../rules/compiled-plan.js'
import { accessTypeOf } from '../rules/rule.js'
import type { ContextParts } from '../roles/resolver.js'
import type { AclService } from '../service.js'
import { guardChanges, watchRights, type WatchRights } from './change-guard.js'
import { RequestRights } from './request-rights.js'
import { RequestRowRules } from './request-row-rules.js'
import { isChosenByRow, RequestIncludes, type IncludeRules } from './include-rules.js'
import { recordPassed } from './passed-calls.js'
import { checksRelated } from './related-access.js'
import { RelatedRules } from './related-rules.js'
import { mustHaveRelation } from './relation-fields.js'
import { RequestParts } from './remoting-context.js'
import { compareTried } from './tried-rules.js'
import { rowIdReader } from './row-id.js'
import { RequestRows } from './row-rules.js'

const quiet = { notify: false }

export class Guard {
  readonly #plan: MethodPlan
  readonly #accessType: string
  readonly #scopes: readonly string[]
  readonly #inner: MethodPlan | undefined
  readonly #idOf: (request: FastifyRequest) => unknown
  /** The relation of the route, where each row says itself which model it leads to. */
  readonly #chosen: Relation | undefined

  readonly #judgesRows: boolean
  /** Whether callers may ask for rows that are put away. */
  readonly #takesFilter: boolean
  /** What the route does to other models, whose rules count as well. */
  readonly #related: RelatedRules | undefined

  constructor (readonly service: AclService, readonly method: SharedMethod, readonly includes: IncludeRules) {
    this.#plan = MethodPlan.of(service, method)
    this.#accessType = accessTypeOf(method)
    this.#judgesRows = method.options.judgesRows === true
    this.#takesFilter = method.accepts.some(({ arg }) => arg === 'filter')
    this.#scopes = method.accessScopes ?? defaultScopes
    this.#idOf = rowIdReader(method)
    this.#related = RelatedRules.of(service, method)
    const relation = method.relation === undefined ? undefined : relationsOf(method.model).get(method.relation)
    this.#chosen = relation !== undefined && isChosenByRow(relation) ? relation : undefined
    const target = method.nested?.relation.target()
    if (method.nested !== undefined && target !== undefined) {
      const { name, options } = method.nested.method
      this.#inner = new MethodPlan(service, target, {
        names: [name],
        accessType: String(options.accessType ?? 'EXECUTE').toUpperCase()
      })
    }
  }

  /** @throws RequestError 401, 403 or 404 when the caller may not */
  check (request: FastifyRequest, reply: FastifyReply): MaybePromise<void> {
    const { method } = this
    const passed = this.#pass(request, reply)
    return method.relation === undefined && method.nested === undefined
      ? passed
      : chain(passed, () => mustHaveRelation(method, this.#accessType === 'READ', request))
  }

  #pass (request: FastifyRequest, reply: FastifyReply): MaybePromise<void> {
    const token = request.accessToken
    if (!this.#isInScope(token)) return this.#refuse(request, token, undefined)
    const plan = this.#plan.current()
    return isPromise(plan)
      ? plan.then(read => this.#passBy(read, token, request, reply))
      : this.#passBy(plan, token, request, reply)
  }

  #passBy (plan: Plan, token: ModelInstance | null, request: FastifyRequest, reply: FastifyReply): MaybePromise<void> {
    if (plan.byLogin === undefined || !this.#asksNothingElse(plan)) return this.#ask(plan, request, reply)
    // The response was known before the request came.
    const decision = plan.byLogin[isLoggedIn(token) ? 'authenticated' : 'anonymous']
    this.service.watching?.(decision, this.method)
    if (!isAllowed(decision.permission)) return this.#refuse(request, token, decision)
    if (decision.permission !== 'ALLOW') this.#record(decision, new Caller(this.service.users, token), request)
    if (!this.service.rows.any) return this.#allow(request, reply)
    return chain(this.#narrow(plan, this.#membership(request, reply), request), () => this.#allow(request, reply))
  }

  /** Whether the roles of everybody say it all: no resolver may mean something else by them, nobody reads them. */
  #asksNothingElse (plan: Plan): boolean {
    return this.#inner === undefined && this.#chosen === undefined && this.#related?.isAsked !== true &&
      !this.#judgesRows && plan.tried === undefined &&
      (plan.always !== undefined || this.service.judgesAlone) &&
      (plan.roles.length === 0 || !this.#isWatched())
  }

  /**
   * Whether the caller may, as far as that can be said before there is a request for it: nothing is refused or
   * recorded.
   */
  allows (request: FastifyRequest, reply: FastifyReply): MaybePromise<boolean> {
    const { method, service } = this
    const token = request.accessToken
    if (!this.#isInScope(token)) return false
    const asked = { Model: method.model, modelId: undefined, accessType: this.#accessType }
    const membership = new Membership(
      service, new Caller(service.users, token), new RequestParts(asked, request, reply, method)
    )
    return chain(chain(this.#plan.current(), plan => this.#decide(plan, membership)), ({ permission }) =>
      isAllowed(permission))
  }

  #isInScope (token: ModelInstance | null): boolean {
    return isInScope(token, this.#scopes)
  }

  #membership (request: FastifyRequest, reply: FastifyReply): Membership {
    const { method } = this
    const asked = { Model: method.model, modelId: this.#idOf(request), accessType: this.#accessType }
    const caller = new Caller(this.service.users, request.accessToken)
    return new Membership(this.service, caller, new RequestParts(asked, request, reply, method))
  }

  /** Operations of the request narrow themselves by the rules about rows and properties. */
  #narrow (plan: Plan, membership: Membership, request: FastifyRequest): void {
    if (!this.service.rows.any && !membership.hasRoleRows) return
    const route = { method: this.method, plan, source: this.#plan, membership }
    request.rowRules = new RequestRowRules(this.service, membership.caller, route)
  }

  #ask (plan: Plan, request: FastifyRequest, reply: FastifyReply): MaybePromise<void> {
    const token = request.accessToken
    const membership = this.#membership(request, reply)
    const { caller } = membership
    const { method } = this
    const decided = plan.tried === undefined
      ? this.#decide(plan, membership)
      : chain(this.#decide(plan, membership), decision =>
        chain(compareTried(plan, membership, decision, method.fullName, request), () => decision))
    return chain(decided, decision => {
      this.service.watching?.(decision, method)
      if (!isAllowed(decision.permission)) return this.#refuse(request, token, decision)
      this.#record(decision, caller, request)
      const told = this.#tellRoles(plan, membership, request)
      const inner = chain(told, () => this.#checkInner(caller, request, reply))
      const chosen = chain(inner, () => this.#checkChosen(caller, request))
      const related = chain(chosen, () =>
        this.#related?.isAsked === true
          ? this.#related.check({ caller, request, reply, reach: this.includes.reach }, decision)
          : undefined)
      let listed: Relation | undefined
      const narrowed = chain(related, found => {
        listed = found
        return this.#narrow(plan, membership, request)
      })
      return chain(narrowed, () => { this.#allow(request, reply, listed) })
    })
  }

  /**
   * A method that judges each row by itself is open to anyone who may do it to rows of their own: those are all that
   * they get.
   */
  #decide (plan: Plan, membership: Membership): MaybePromise<Decision> {
    const { service, caller, parts } = membership
    return chain(decide(plan, membership), decision =>
      isAllowed(decision.permission) || !this.#judgesRows
        ? decision
        : decide(plan, new Membership(service, caller, parts, [])))
  }

  /** @param listed the relation whose list is shown row by row */
  #allow (request: FastifyRequest, reply: FastifyReply, listed?: Relation): void {
    const { builtin, model } = this.method
    if (this.#takesFilter) {
      const watched = request as FastifyRequest & { watchRights?: WatchRights | null }
      watched.watchRights = to => watchRights(request, to, this.#plan, this.#idOf(request))
    }
    if (this.#takesFilter && puttingAway(model.registry)) {
      const caller = new Caller(this.service.users, request.accessToken)
      request.methodRights = new RequestRights(this.service, caller, this.includes.rights)
    }
    const ofStates = builtin === 'historyOf' || builtin === 'revert'
    if (this.#judgesRows || ofStates || (this.includes.nests && this.#accessType === 'WRITE')) {
      const caller = new Caller(this.service.users, request.accessToken)
      request.rowGuard = new RequestRows(this.service, caller, this.includes)
    }
    if (this.includes.exist || listed !== undefined) {
      request.includeGuard = new RequestIncludes(this.includes, this.service.users, request.accessToken, listed)
    }
    if (builtin === 'createChangeStream' || this.method.options.endsWithToken === true) {
      guardChanges(request, reply, model, this.includes.planOf(model, 'findById'), this.#plan)
    }
  }

  #refuse (request: FastifyRequest, token: ModelInstance | null, decision: Decision | undefined): never {
    const { method } = this
    authService(method.model.registry).audit({
      event: 'access denied',
      model: method.modelName,
      method: method.fullName,
      userId: token?.userId,
      rule: decision?.rule?.written ??
        (decision === undefined ? 'scope' : decision.byCheck === true ? 'checkAccess' : 'default'),
      ...decision?.stepUp === undefined ? {} : { stepUp: decision.stepUp }
    })
    throw refusal(method.model, token !== null, this.#idOf(request), decision?.stepUp)
  }

  /** What methods and hooks of the application read as `options.authorizedRoles`; nobody else needs it. */
  #tellRoles (plan: Plan, membership: Membership, request: FastifyRequest): MaybePromise<void> {
    if (plan.roles.length === 0 || !this.#isWatched()) return
    const answers = plan.roles.map(role => membership.isIn(role))
    const keep = (are: readonly boolean[]): void => {
      request.authorizedRoles = Object.fromEntries(
        plan.roles.filter((_, i) => are[i] === true).map(role => [role, true])
      )
    }
    return answers.some(isPromise) ? Promise.all(answers).then(keep) : keep(answers as boolean[])
  }

  #isWatched (): boolean {
    const { builtin, model } = this.method
    return (
      builtin === undefined ||
      isWatched(model) ||
      model.registry.remoteHooks.length > 0
    )
  }

  #record (decision: Decision, caller: Caller, request: FastifyRequest): void {
    const { model, fullName } = this.method
    recordPassed(decision, model, fullName, caller, request)
  }

  /** Nested routes are judged at both hops: the inner method on the related row. */
  #checkInner (caller: Caller, request: FastifyRequest, reply: FastifyReply): MaybePromise<void> {
    const { nested, model, accepts } = this.method
    const inner = this.#inner
    if (inner === undefined || nested === undefined) return
    const params = request.params as Record<string, unknown>
    const key = accepts[0] === undefined ? undefined : params[accepts[0].arg]
    const related = chain(findRowById(model.compiled, params.id, undefined, quiet), row =>
      row === undefined ? undefined : nested.find(instantiate(model.compiled, row), [key], quiet))
    return chain(related, row => {
      // What is not there is answered by the method.
      if (row === undefined) return undefined
      const { Model, operation: { accessType } } = inner
      const modelId = (row as Row)[Model.getIdName() ?? 'id']
      const asked = { Model, modelId, accessType, methodName: nested.method.name }
      const parts = new RequestParts(asked, request, reply, undefined, this.method)
      return this.#checkRelated(inner, row as Row, caller, parts, request)
    })
  }

  #checkRelated (
    inner: MethodPlan, row: Row, caller: Caller, asked: RequestParts, request: FastifyRequest
  ): MaybePromise<void> {
    const { Model, methodName } = asked
    return chain(this.#demand(inner, caller, asked, request), () => {
      const chosen = [...relationsOf(Model).values()].find(
        each => isChosenByRow(each) && methodName === `__get__${each.name}`
      )
      return chosen === undefined ? undefined : this.#mayFind(chosen, row, caller, request)
    })
  }

  /** Whether the caller may do something else, which the route does on the way. */
  #demand (
    method: MethodPlan, caller: Caller, asked: ContextParts & { Model: ModelClass }, request: FastifyRequest
  ): MaybePromise<void> {
    const membership = new Membership(this.service, caller, asked)
    const decided = chain(method.current(), plan => decide(plan, membership))
    return chain(decided, decision => {
      if (!isAllowed(decision.permission)) {
        throw refusal(asked.Model, caller.token !== null, asked.modelId, decision.stepUp)
      }
      recordPassed(decision, asked.Model, String(asked.methodName), caller, request)
    })
  }

  /** A route to a row whose model another row chose is judged as that model's `findById` as well (S-80). */
  #checkChosen (caller: Caller, request: FastifyRequest): MaybePromise<void> {
    const relation = this.#chosen
    if (relation === undefined) return
    const { id } = request.params as { id: unknown }
    return chain(findRowById(relation.model.compiled, id, undefined, quiet), row =>
      row === undefined ? undefined : this.#mayFind(relation, row, caller, request))
  }

  /** Alike for rows that are there and rows that are not, as for `findById` itself (S-04). */
  #mayFind (relation: Relation, row: Row, caller: Caller, request: FastifyRequest): MaybePromise<void> {
    const Model = relation.targetOf(row)
    if (Model === undefined) return
    const holder = { ...row }
    return chain(
      relation.include([holder], { relation: relation.name, scope: undefined, external: false }, quiet),
      () => {
        const related = includedOf(holder)?.[relation.name] as Row | null | undefined
        const modelId = related?.[Model.getIdName() ?? 'id'] ?? row[relation.joinKeys[0] as string]
        const asked = { Model, modelId, methodName: 'findById', accessType: 'READ' }
        const { reach } = this.includes
        const reached = checksRelated(Model) ? reach.mustRead(Model, caller.token, modelId) : undefined
        return chain(reached, () => this.#demand(this.includes.planOf(Model, 'findById'), caller, asked, request))
      }
    )
  }
}

const kPutting = Symbol('fastback.acl.putting')

/** Whether any model of the application has `softDelete`. */
const puttingAway = (registry: ModelClass['registry']): boolean => whileModelsStay(registry, kPutting, () =>
  Object.values(registry.models).some(({ settings }) => Boolean(settings.softDelete)))
