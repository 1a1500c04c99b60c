/** Which rows and properties the rules leave to the caller of a request: what operations narrow themselves by. */
import type {
  CompiledModel, MaybePromise, ModelClass, RowAction, RowRule, RowRules, SharedMethod
} from '@fastback/core'
import { chain, isPromise } from '@fastback/core/connector'
import { scopesOf } from '@fastback/core/remote'
import type { Caller } from '../caller.js'
import { Membership } from '../membership.js'
import type { Plan } from '../rules/plan.js'
import { decideRows, isNarrow, type RowDecision } from '../rows/row-decision.js'
import type { AclService } from '../service.js'
import { includeAccessOf } from './related-access.js'
import type { ActionPlans } from './action-plans.js'

/** What decided that the request may pass. */
export interface Route {
  readonly method: SharedMethod
  readonly plan: Plan
  readonly membership: Membership
}

export class RequestRowRules implements RowRules {
  readonly #known = new Map<string, MaybePromise<RowRule | undefined>>()
  readonly #now = Date.now()

  constructor (
    readonly service: AclService, readonly caller: Caller, readonly plans: ActionPlans, readonly route: Route
  ) {}

  concerns ({ Model }: CompiledModel): boolean {
    return this.service.rows.concerns(Model) ||
      (Model === this.route.method.model && this.route.membership.hasRoleRows)
  }

  of (model: CompiledModel, action: RowAction): MaybePromise<RowRule | undefined> {
    const key = `${model.name}.${action}`
    const known = this.#known.get(key)
    if (known !== undefined || this.#known.has(key)) return known
    const found = this.#find(model, action)
    this.#known.set(key, found)
    if (isPromise(found)) found.then(rule => { this.#known.set(key, rule) }, () => {})
    return found
  }

  #find (model: CompiledModel, action: RowAction): MaybePromise<RowRule | undefined> {
    const { Model } = model
    const { method } = this.route
    const isOwn = Model === method.model
    if (!isOwn && isByFramework(method) && includeAccessOf(Model.settings, Model.registry.settings) === 'parent') {
      return this.#bind(model, all, undefined, false)
    }
    const decided = isOwn && this.#isOfRoute(action)
      ? decideRows(this.route.plan, this.route.membership)
      : this.#byAction(Model, action)
    return chain(decided, decision => {
      const isRead = action === 'read' && !isOwn
      return chain(isRead ? decision : this.#reading(Model, isOwn), reading =>
        this.#bind(model, decision, reading, action === 'create' || action === 'update'))
    })
  }

  /**
   * Whether the rules of the route's method say it: it was let in by them. A relation of a model to itself is read as
   * rows of that model are, and a scope unless a rule names it.
   */
  #isOfRoute (action: RowAction): boolean {
    const { method, plan } = this.route
    if (method.builtin !== undefined) return true
    const { relation, nested, model, name } = method
    if (relation === undefined && nested === undefined) {
      return isScope(model, name) && plan.rules.some(rule => rule.methods !== undefined && rule.permission !== 'DENY')
    }
    const targets = [relation, nested?.relation.name].map(each =>
      each === undefined ? undefined : model.compiled.relations.get(each)?.target())
    return action === 'read' && !targets.includes(model)
  }

  #byAction (Model: ModelClass, action: RowAction): MaybePromise<RowDecision> {
    const plan = this.plans.of(Model, action)
    const [methodName = ''] = plan.operation.names
    // A row that is to be made is nobody's yet.
    const membership = new Membership(
      this.service, this.caller, { Model, methodName, accessType: plan.operation.accessType }, undefined, action !== 'create')
    return chain(plan.current(), rules => decideRows(rules, membership))
  }

  /** What properties may be read is said by the rules of `findById`. */
  #reading (Model: ModelClass, isOwn: boolean): MaybePromise<RowDecision | undefined> {
    const modelId = isOwn ? this.route.membership.parts.modelId : undefined
    if (modelId === undefined) return this.#byAction(Model, 'read')
    const plan = this.plans.of(Model, 'read')
    const membership = new Membership(
      this.service, this.caller, { Model, modelId, methodName: 'findById', accessType: 'READ' })
    return chain(plan.current(), rules => decideRows(rules, membership))
  }

  #bind (
    model: CompiledModel, decision: RowDecision, reading: RowDecision | undefined, isWrite: boolean
  ): MaybePromise<RowRule | undefined> {
    const { rows } = this.service
    const isReadNarrow = reading !== undefined && reading.giving.some(({ rule }) => rule?.narrowing?.reads !== undefined)
    const isShut = reading?.permission === 'DENY' && this.plans.haveFields(model.Model)
    const isRefused = decision.permission === 'DENY'
    if (!isRefused && !isNarrow(decision) && !isReadNarrow && !isShut && rows.tenantOf(model) === undefined) return undefined
    return rows.bind(model, {
      giving: decision.giving,
      taking: decision.taking,
      isRefused,
      reading: isShut ? undefined : [decision.giving, ...reading === undefined || reading === decision ? [] : [reading.giving]],
      isWrite
    }, this.caller, this.#now)
  }
}

const all: RowDecision = { permission: 'ALLOW', rule: undefined, giving: [], taking: [] }

/** Whether the framework does what the method does, and leads from one model to another as relations do. */
const isByFramework = ({ builtin, relation, nested, model, name }: SharedMethod): boolean =>
  builtin !== undefined || relation !== undefined || nested !== undefined || isScope(model, name)

const isScope = (model: ModelClass, name: string): boolean => {
  const [, of] = /^__[^_]+__(.+)$/.exec(name) ?? []
  return of !== undefined && Object.hasOwn(scopesOf(model), of)
}
