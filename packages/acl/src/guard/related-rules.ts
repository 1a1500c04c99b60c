/**
 * Relation routes under `relatedAccess: "related"` (security.md, S-104): the caller must be allowed to do to the
 * related model what the route does to it.
 */
import type { MaybePromise, OperationOptions, Relation, Row, SharedMethod } from '@fastback/core'
import { chain } from '@fastback/core/connector'
import { findRowById, findRows, includedOf, instantiate, relationsOf, scopesOf } from '@fastback/core/remote'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { Caller } from '../caller.js'
import { refusal } from '../errors.js'
import { Membership } from '../membership.js'
import { decide, isAllowed } from '../rules/decide.js'
import type { Decision } from '../rules/decision.js'
import type { Reach } from './reach.js'
import { MethodPlan } from '../rules/method-plan.js'
import type { AclService } from '../service.js'
import { checksRelated } from './related-access.js'
import { recordPassed } from './passed-calls.js'
import { demandsOf, innerDemandsOf, type Demand } from './related-demands.js'
import { RequestParts } from './remoting-context.js'

const quiet: OperationOptions = { notify: false }

interface Step extends Demand {
  readonly plan: MethodPlan
  /** The argument that names the row by its key. */
  readonly key: string | undefined
  /** Whether the row between has the relation, and not the one of the route. */
  readonly isInner: boolean
}

/** One request, as far as it is judged here. */
interface Asked {
  readonly caller: Caller
  readonly request: FastifyRequest
  readonly reply: FastifyReply
  readonly reach: Reach
}

export class RelatedRules {
  private constructor (
    readonly service: AclService, readonly method: SharedMethod, readonly steps: readonly Step[],
    /** Whether the method is one of the model's own scopes: a rule that names it was meant for it. */
    readonly isScope: boolean
  ) {}

  /** Undefined where the method does nothing to other models. */
  static of (service: AclService, method: SharedMethod): RelatedRules | undefined {
    const { model, nested, accepts } = method
    const step = (demand: Demand, key: string | undefined, isInner = false): Step => {
      const { Model, names, accessType } = demand
      return { ...demand, key, isInner, plan: new MethodPlan(service, Model, { names, accessType }) }
    }
    const keys = accepts.filter(argument => argument.modelId === true).map(({ arg }) => arg)
    const relation = method.relation === undefined ? undefined : relationsOf(model).get(method.relation)
    const steps: Step[] = []
    if (relation !== undefined) steps.push(...demandsOf(relation, method.name).map(demand => step(demand, keys[0])))
    if (nested !== undefined) {
      const { relation: outer } = nested
      const way = demandsOf(outer, `__${outer.multiple ? 'findById' : 'get'}__${outer.name}`)
      steps.push(...way.map(demand => step(demand, keys[0])))
      steps.push(...innerDemandsOf(method).map(demand => step(demand, keys[outer.multiple ? 1 : 0], true)))
    }
    const scope = scopeDemand(method)
    if (scope !== undefined) steps.push(step(scope, undefined))
    return steps.length === 0 ? undefined : new RelatedRules(service, method, steps, scope !== undefined)
  }

  /** Whether another model's rules count: stored ones may come while the application runs. */
  get isAsked (): boolean {
    return this.steps.some(({ Model }) => checksRelated(Model))
  }

  /**
   * @param decision that of the route's own rules
   * @returns the relation whose list is shown row by row: the caller may read rows of it, and not all
   * @throws RequestError as for an include that is refused
   */
  async check (asked: Asked, decision: Decision): Promise<Relation | undefined> {
    const steps = this.steps.filter(({ Model }) => checksRelated(Model))
    if (steps.length === 0 || (this.isScope && decision.rule?.methods !== undefined)) return undefined
    let listed: Relation | undefined
    for (const step of steps) {
      if (!await this.#isReached(step, asked)) throw refusal(step.Model, asked.caller.token !== null, undefined)
      const { id, rows } = await this.#rowsOf(step, asked.request)
      if (await this.#may(step.plan, step, asked, id, rows)) continue
      if (step.isList !== true || !await this.#mayReadSome(step, asked)) {
        throw refusal(step.Model, asked.caller.token !== null, id)
      }
      listed = step.relation
    }
    return listed
  }

  /** Whether the token opens the route of the related model that does the same; of another than the path names. */
  #isReached ({ Model, names, accessType }: Step, { caller: { token }, reach }: Asked): MaybePromise<boolean> {
    if (Model === this.method.model) return true
    return accessType === 'READ' ? reach.reads(Model, token) : reach.opens(Model, names, token)
  }

  #may (
    plan: MethodPlan, { Model }: Step, { caller, request, reply }: Asked, modelId: unknown, rows?: readonly Row[]
  ): MaybePromise<boolean> {
    const { names: [methodName = ''], accessType } = plan.operation
    const parts = new RequestParts(
      { Model, modelId, methodName, accessType }, request, reply, undefined, this.method)
    const membership = new Membership(this.service, caller, parts, rows)
    return chain(plan.current(), rules => chain(decide(rules, membership), decision => {
      if (decision.stepUp !== undefined) throw refusal(Model, caller.token !== null, modelId, decision.stepUp)
      if (!isAllowed(decision.permission)) return false
      recordPassed(decision, Model, methodName, caller, request)
      return true
    }))
  }

  /** Whether there could be a row that the caller may read: who owns them all may, or anyone who asks for any. */
  async #mayReadSome (step: Step, asked: Asked): Promise<boolean> {
    const plan = new MethodPlan(this.service, step.Model, { names: ['findById'], accessType: 'READ' })
    return await this.#may(plan, step, asked, undefined, []) || await this.#may(plan, step, asked, undefined)
  }

  /** The rows that a step is about, as far as they are known before it is done. */
  async #rowsOf (step: Step, request: FastifyRequest): Promise<{ id?: unknown, rows?: readonly Row[] }> {
    const params = request.params as Row
    if (step.to === 'none') return {}
    if (step.to === 'key') return { id: step.key === undefined ? undefined : params[step.key] }
    const owner = await this.#ownerOf(step, params)
    if (owner === undefined) return {}
    if (step.to === 'between') {
      const rows = await findRows(step.Model.compiled, { where: joining(step, owner, params) }, quiet)
      return rows.length === 0 ? {} : { rows }
    }
    const { relation } = step
    const holder = { ...owner }
    await relation.include([holder], { relation: relation.name, scope: undefined, external: false }, quiet)
    const related = [includedOf(holder)?.[relation.name]].flat()[0] as Row | null | undefined
    return related === null || related === undefined
      ? { id: relation.type === 'belongsTo' ? owner[relation.joinKeys[0] as string] : undefined }
      : { id: related[step.Model.getIdName() ?? 'id'] }
  }

  /** The row that has the relation. */
  async #ownerOf ({ isInner }: Step, params: Row): Promise<Row | undefined> {
    const { model, nested, accepts } = this.method
    const row = await findRowById(model.compiled, params.id, undefined, quiet)
    if (row === undefined || !isInner || nested === undefined) return row
    try {
      const key = accepts[0] === undefined ? undefined : params[accepts[0].arg]
      return await nested.find(instantiate(model.compiled, row), [key], quiet) as unknown as Row
    } catch {
      // What is not there is answered by the method.
      return undefined
    }
  }
}

/** The condition of the rows between an owner and all that it is joined to, or the one that the path names. */
function joining ({ relation, key }: Step, owner: Row, params: Row): Record<string, unknown> {
  const { foreignKey = '', primaryKey = '', keyThrough = '' } = relation.definition
  return {
    [foreignKey]: owner[primaryKey],
    ...(key === undefined ? {} : { [keyThrough]: params[key] })
  }
}

/** What a scope of the model's own does to its rows. */
function scopeDemand ({ model, name, isStatic }: SharedMethod): Demand | undefined {
  const [, verb = '', of = ''] = /^__([^_]+)__(.+)$/.exec(name) ?? []
  const names = ({
    get: ['find'], count: ['count'], create: ['create'], delete: ['deleteById', 'destroyById', 'removeById']
  } as Record<string, string[]>)[verb]
  if (!isStatic || names === undefined || !Object.hasOwn(scopesOf(model), of)) return undefined
  const accessType = verb === 'get' || verb === 'count' ? 'READ' : 'WRITE'
  return { Model: model, names, accessType, to: 'none', relation: undefined as never }
}
