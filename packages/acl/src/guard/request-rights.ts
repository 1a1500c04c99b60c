/** Rights of the caller of a request that are no methods, such as seeing rows that are put away. */
import type { MaybePromise, MethodRights, ModelClass } from '@fastback/core'
import { chain } from '@fastback/core/connector'
import type { Caller } from '../caller.js'
import { Membership } from '../membership.js'
import { decide } from '../rules/decide.js'
import { MethodPlan } from '../rules/method-plan.js'
import type { AclService } from '../service.js'

/** Plans of an application, made once. */
export class RightPlans {
  readonly #plans = new WeakMap<ModelClass, Map<string, MethodPlan>>()

  constructor (readonly service: AclService) {}

  of (Model: ModelClass, right: string): MethodPlan {
    const plans = this.#plans.get(Model) ?? new Map<string, MethodPlan>()
    this.#plans.set(Model, plans)
    const plan = plans.get(right) ?? new MethodPlan(this.service, Model, { names: [right], accessType: 'READ' })
    plans.set(right, plan)
    return plan
  }
}

export class RequestRights implements MethodRights {
  constructor (readonly service: AclService, readonly caller: Caller, readonly plans: RightPlans) {}

  /**
   * What is open to all is no right, and neither is what is allowed for some rows only: these rows would have to be
   * read to know.
   */
  allows (Model: ModelClass, right: string): MaybePromise<boolean> {
    const plan = this.plans.of(Model, right)
    const membership = new Membership(
      this.service, this.caller, { Model, methodName: right, accessType: 'READ' }, [])
    return chain(plan.current(), rules => chain(decide(rules, membership), ({ permission, rule, byCheck }) =>
      permission === 'ALLOW' &&
      (byCheck === true || (rule?.methods?.includes(right) === true && rule.narrowing === undefined))))
  }
}
