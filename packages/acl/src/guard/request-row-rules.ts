/** Which rows and properties the rules leave to the caller of a request: what operations narrow themselves by. */
import type {
  CallerSettings, CompiledModel, MaybePromise, ModelClass, RowAction, RowRule, RowRules, SharedMethod
} from '@fastback/core'
import { bothConditions, chain, isPromise } from '@fastback/core/connector'
import { scopesOf } from '@fastback/core/remote'
import { actionPlansOf } from './action-plans.js'
import type { Caller } from '../caller.js'
import { Membership } from '../membership.js'
import type { MethodPlan } from '../rules/method-plan.js'
import type { Plan } from '../rules/compiled-plan.js'
import { decideRows } from '../rows/row-decision.js'
import type { FittingRule, RowDecision } from '../rules/decision.js'
import { withinRule } from '../rows/rule-within.js'
import { settingsOf } from '../row-security/caller-settings.js'
import type { AclService } from '../service.js'
import { includeAccessOf } from './related-access.js'

/** What decided that the request may pass. */
export interface Route {
  readonly method: SharedMethod
  readonly plan: Plan
  readonly membership: Membership
  /** Where the plan came from. */
  readonly source: MethodPlan
}

export class RequestRowRules implements RowRules {
  readonly #known = new Map<string, MaybePromise<RowRule | undefined>>()
  /** What was asked last: most requests ask for one thing, several times. */
  #last: { readonly model: CompiledModel, readonly action: RowAction, readonly rule: RowRule | undefined } | undefined
  readonly #now = Date.now()
  #settings: MaybePromise<CallerSettings> | undefined

  constructor (
    readonly service: AclService, readonly caller: Caller, readonly route: Route
  ) {}

  concerns (model: CompiledModel): boolean {
    const { Model } = model
    const { rows } = this.service
    return this.#last?.model === model || rows.concerns(Model) || rows.within(Model).length > 0 ||
      (Model === this.route.method.model && this.route.membership.hasRoleRows)
  }

  /** Asks roles and memberships anew, by the rules of now. */
  anew (): MaybePromise<RowRules> {
    const { service, caller, route } = this
    return chain(route.source.current(), plan => {
      const membership = new Membership(service, caller, route.membership.parts)
      membership.hasRoleRows = route.membership.hasRoleRows
      return new RequestRowRules(service, caller, { ...route, plan, membership })
    })
  }

  /** Read once for a request. */
  callerSettings (): MaybePromise<CallerSettings> {
    const found = (this.#settings ??= settingsOf(this.service, this.caller))
    if (isPromise(found)) found.then(settings => { this.#settings = settings }, () => {})
    return found
  }

  of (model: CompiledModel, action: RowAction): MaybePromise<RowRule | undefined> {
    const last = this.#last
    if (last !== undefined && last.model === model && last.action === action) return last.rule
    const key = `${model.name}.${action}`
    const known = this.#known.has(key) ? this.#known.get(key) : this.#findAll(model, action)
    this.#known.set(key, known)
    if (isPromise(known)) known.then(rule => { this.#known.set(key, rule) }, () => {})
    else this.#last = { model, action, rule: known }
    return known
  }

  /** With what the rules of their own models say of rows within. */
  #findAll (model: CompiledModel, action: RowAction): MaybePromise<RowRule | undefined> {
    return chain(this.#find(model, action), own =>
      withinRule(this.service.rows, model, own, inner => this.#find(inner, action)))
  }

  #find (model: CompiledModel, action: RowAction): MaybePromise<RowRule | undefined> {
    const { Model } = model
    const { method } = this.route
    const isOwn = Model === method.model
    // Relations leave it to the model that has them where the other one, or the application, says so.
    if (!isOwn && isByFramework(method) && includeAccessOf(Model.settings, Model.registry.settings) === 'parent') {
      return this.#bind(model, all, undefined, false)
    }
    if (isOwn && action === 'read' && method.builtin === 'createChangeStream') return this.#ofStream(model)
    const decided = isOwn ? this.#ofRoute(model.Model, action) : this.#byAction(Model, action)
    return chain(decided, decision => {
      const isRead = action === 'read' && !isOwn
      return chain(isRead ? decision : this.#reading(Model, isOwn), reading =>
        this.#bind(model, decision, reading, action === 'create' || action === 'update'))
    })
  }

  /** A stream carries what its own rules and those of `findById` leave. */
  #ofStream (model: CompiledModel): MaybePromise<RowRule | undefined> {
    const bound = (decided: MaybePromise<RowDecision>): MaybePromise<RowRule | undefined> =>
      chain(decided, decision => this.#bind(model, decision, decision, false))
    return chain(bound(this.#ofRoute(model.Model, 'read')), own =>
      chain(bound(this.#byAction(model.Model, 'read')), read => bothRules(own, read)))
  }

  /**
   * For the model of the route: what let the request in says it where the framework does what the method does. A
   * relation of a model to itself is read as rows of that model are, and so is what a scope or a method of the
   * application's own does, unless a rule names it.
   */
  #ofRoute (Model: ModelClass, action: RowAction): MaybePromise<RowDecision> {
    const { method: { builtin, relation, nested, name }, plan, membership } = this.route
    if (builtin !== undefined) return decideRows(plan, membership)
    if (relation !== undefined || nested !== undefined) {
      const targets = [relation, nested?.relation.name].map(each =>
        each === undefined ? undefined : Model.compiled.relations.get(each)?.target())
      return action === 'read' && !targets.includes(Model) ? decideRows(plan, membership) : this.#byAction(Model, action)
    }
    const isMeant = ({ rule }: FittingRule): boolean =>
      rule?.methods !== undefined && (rule.narrowing !== undefined || isScope(Model, name))
    return chain(decideRows(plan, membership), decision =>
      [...decision.giving, ...decision.taking].some(isMeant) ? decision : this.#byAction(Model, action))
  }

  #byAction (Model: ModelClass, action: RowAction): MaybePromise<RowDecision> {
    // Rules that say nothing of rows are about calls, and not about what the application does for its callers.
    if (!this.service.rows.hasRules(Model)) return all
    const plan = actionPlansOf(this.service).of(Model, action)
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
    const plan = actionPlansOf(this.service).of(Model, 'read')
    const membership = new Membership(
      this.service, this.caller, { Model, modelId, methodName: 'findById', accessType: 'READ' })
    return chain(plan.current(), rules => decideRows(rules, membership))
  }

  #bind (
    model: CompiledModel, decision: RowDecision, reading: RowDecision | undefined, isWrite: boolean
  ): MaybePromise<RowRule | undefined> {
    return this.service.rows.bind(model, { decision, reading, isWrite }, this.caller, this.#now)
  }
}

const all: RowDecision = { permission: 'ALLOW', rule: undefined, giving: [], taking: [] }

const bothRules = (one: RowRule | undefined, other: RowRule | undefined): RowRule | undefined => {
  if (one === undefined || other === undefined || one === other) return one ?? other
  const reads = [one.reads, other.reads].filter(each => each !== undefined)
  return {
    rows: bothConditions(one.rows, other.rows),
    check: one.check,
    preset: one.preset,
    reads: reads.length === 0 ? undefined : name => reads.every(each => each(name)),
    writes: one.writes,
    key: `${one.key} ${other.key}`
  }
}

/** Whether the framework does what the method does, and leads from one model to another as relations do. */
const isByFramework = ({ builtin, relation, nested, model, name }: SharedMethod): boolean =>
  builtin !== undefined || relation !== undefined || nested !== undefined || isScope(model, name)

const isScope = (model: ModelClass, name: string): boolean => {
  const [, of] = /^__[^_]+__(.+)$/.exec(name) ?? []
  return of !== undefined && Object.hasOwn(scopesOf(model), of)
}
