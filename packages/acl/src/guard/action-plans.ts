/** What rules say of actions on rows, whichever method does them. */
import type { MaybePromise, ModelClass, RowAction } from '@fastback/core'
import { chain } from '@fastback/core/connector'
import type { Caller } from '../caller.js'
import { Membership } from '../membership.js'
import { decideRows } from '../rows/row-decision.js'
import type { RowDecision } from '../rules/decision.js'
import { MethodPlan } from '../rules/method-plan.js'
import type { AclService } from '../service.js'

/** The methods that actions are judged as, by all their names. */
const methods: Readonly<Record<RowAction, { readonly names: readonly string[], readonly accessType: string }>> = {
  read: { names: ['findById'], accessType: 'READ' },
  create: { names: ['create'], accessType: 'WRITE' },
  update: { names: ['patchAttributes', 'updateAttributes'], accessType: 'WRITE' },
  delete: { names: ['deleteById', 'destroyById', 'removeById'], accessType: 'WRITE' }
}

/** Plans of an application, made once. */
class ActionPlans {
  readonly #plans = new WeakMap<ModelClass, Map<RowAction, MethodPlan>>()

  constructor (readonly service: AclService) {}

  of (Model: ModelClass, action: RowAction): MethodPlan {
    let plans = this.#plans.get(Model)
    if (plans === undefined) this.#plans.set(Model, plans = new Map<RowAction, MethodPlan>())
    let plan = plans.get(action)
    if (plan === undefined) plans.set(action, plan = new MethodPlan(this.service, Model, methods[action]))
    return plan
  }

  /** What a caller may read of rows of a model, whichever of them. */
  reading (Model: ModelClass, caller: Caller): MaybePromise<RowDecision> {
    const parts = { Model, methodName: 'findById', accessType: 'READ' }
    const membership = new Membership(this.service, caller, parts, undefined, true)
    return chain(this.of(Model, 'read').current(), plan => decideRows(plan, membership))
  }
}

const kPlans = Symbol('fastback.acl.actionPlans')

/** The plans of what access control of a registry knows: the same object each time. */
export const actionPlansOf = (service: AclService): ActionPlans =>
  service.rows.registry.slot(kPlans, () => new ActionPlans(service))
