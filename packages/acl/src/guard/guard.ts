/** Decides about the requests of one route (NOTES-access, "Deciding a request"). */
import { chain, findRowById, instantiate, isPromise, type MaybePromise, type ModelClass, type ModelInstance, type Row, type SharedMethod } from '@fastback/core'
import { authService } from '@fastback/auth'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { Caller } from '../caller.js'
import { refusal } from '../errors.js'
import { Membership } from '../membership.js'
import { decide, isAllowed, type Decision } from '../rules/decide.js'
import { MethodPlan } from '../rules/method-plan.js'
import type { Plan } from '../rules/plan.js'
import { accessTypeOf } from '../rules/rule.js'
import type { AclService } from '../service.js'
import { guardChanges } from './change-guard.js'
import { RequestIncludes, type IncludeRules } from './include-rules.js'
import { remotingContext } from './remoting-context.js'

const defaultScopes: readonly string[] = ['DEFAULT']
const quiet = { notify: false }

export class Guard {
  readonly #plan: MethodPlan
  readonly #accessType: string
  readonly #scopes: readonly string[]
  readonly #inner: MethodPlan | undefined

  constructor (readonly service: AclService, readonly method: SharedMethod, readonly includes: IncludeRules) {
    this.#plan = MethodPlan.of(service, method)
    this.#accessType = accessTypeOf(method)
    this.#scopes = method.accessScopes ?? defaultScopes
    const target = method.nested?.relation.target()
    if (method.nested !== undefined && target !== undefined) {
      const { name, options } = method.nested.method
      this.#inner = new MethodPlan(service, target, { names: [name], accessType: String(options.accessType ?? 'EXECUTE').toUpperCase() })
    }
  }

  /** @throws RequestError 401, 403 or 404 when the caller may not */
  check (request: FastifyRequest, reply: FastifyReply): MaybePromise<void> {
    const token = request.accessToken
    if (!this.#isInScope(token)) return this.#refuse(request, token, undefined)
    return chain(this.#plan.current(), plan => {
      // The answer was known before the request came.
      if (plan.always !== undefined && plan.roles.length === 0 && this.#inner === undefined) {
        return isAllowed(plan.always) ? this.#allow(request, reply) : this.#refuse(request, token, { permission: plan.always, rule: plan.rules[0] })
      }
      return this.#ask(plan, request, reply)
    })
  }

  #isInScope (token: ModelInstance | null): boolean {
    const scopes: unknown = token?.scopes ?? defaultScopes
    const implied = token?.impliedScopes as readonly string[] | undefined
    return Array.isArray(scopes) && this.#scopes.some(scope => scopes.includes(scope) || implied?.includes(scope))
  }

  #ask (plan: Plan, request: FastifyRequest, reply: FastifyReply): MaybePromise<void> {
    const token = request.accessToken
    const { method } = this
    const caller = new Caller(this.service.users, token)
    const membership = new Membership(this.service, caller, { Model: method.model, modelId: this.#idOf(request), method, accessType: this.#accessType, get remotingContext () { return remotingContext(request, reply, method) } })
    return chain(decide(plan, membership), decision => {
      if (!isAllowed(decision.permission)) return this.#refuse(request, token, decision)
      return chain(this.#tellRoles(plan, membership, request), () =>
        chain(this.#checkInner(caller, request), () => this.#allow(request, reply)))
    })
  }

  #allow (request: FastifyRequest, reply: FastifyReply): void {
    const { builtin, model } = this.method
    if (this.includes.exist) request.includeGuard = new RequestIncludes(this.includes, new Caller(this.service.users, request.accessToken))
    if (builtin === 'createChangeStream') guardChanges(request, reply, model, this.includes.planOf(model, 'findById'), this.#plan)
  }

  #refuse (request: FastifyRequest, token: ModelInstance | null, decision: Decision | undefined): never {
    const { method } = this
    authService(method.model.registry).audit({
      event: 'access denied', model: method.modelName, method: method.fullName, userId: token?.userId, rule: decision?.rule?.written ?? (decision === undefined ? 'scope' : 'default')
    })
    throw refusal(method.model, token !== null, this.#idOf(request))
  }

  /** The row at hand: by the address; by the body only for a write of that very row. Never by the query (NOTES-access, Security 1). */
  #idOf (request: FastifyRequest): unknown {
    const params = request.params as Record<string, unknown> | undefined
    if (params !== undefined && Object.hasOwn(params, 'id')) return params.id
    const { builtin, model } = this.method
    if (builtin !== 'patchOrCreate' && builtin !== 'replaceOrCreate') return undefined
    const body = request.body as Row | null | undefined
    const idName = model.getIdName() ?? 'id'
    return body !== null && typeof body === 'object' && Object.hasOwn(body, idName) ? body[idName] : undefined
  }

  /** What methods and hooks of the application read as `options.authorizedRoles`; nobody else needs it. */
  #tellRoles (plan: Plan, membership: Membership, request: FastifyRequest): MaybePromise<void> {
    if (plan.roles.length === 0 || !this.#isWatched()) return
    const answers = plan.roles.map(role => membership.isIn(role))
    const keep = (are: readonly boolean[]): void => { request.authorizedRoles = Object.fromEntries(plan.roles.filter((_, i) => are[i] === true).map(role => [role, true])) }
    return answers.some(isPromise) ? Promise.all(answers).then(keep) : keep(answers as boolean[])
  }

  #isWatched (): boolean {
    const { builtin, model } = this.method
    return builtin === undefined || model.state.chain().some(({ observers, remoteHooks }) => observers.size > 0 || remoteHooks.length > 0) || model.registry.remoteHooks.length > 0
  }

  /** Nested routes are judged at both hops: the inner method on the related row. */
  #checkInner (caller: Caller, request: FastifyRequest): MaybePromise<void> {
    const { nested, model, accepts } = this.method
    const inner = this.#inner
    if (inner === undefined || nested === undefined) return
    const params = request.params as Record<string, unknown>
    const key = accepts[0] === undefined ? undefined : params[accepts[0].arg]
    return chain(findRowById(model.compiled, params.id, undefined, quiet), row => {
      // What is not there is answered by the method.
      if (row === undefined) return
      return chain(nested.find(instantiate(model.compiled, row), [key], quiet), related => {
        const Model: ModelClass = inner.Model
        const id = related[Model.getIdName() ?? 'id']
        const membership = new Membership(this.service, caller, { Model, modelId: id, methodName: nested.method.name, accessType: inner.operation.accessType })
        return chain(inner.current(), plan => chain(decide(plan, membership), decision => {
          if (!isAllowed(decision.permission)) throw refusal(Model, caller.token !== null, id)
        }))
      })
    })
  }
}
