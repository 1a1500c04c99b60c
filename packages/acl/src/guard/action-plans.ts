/** What rules say of actions on rows, whichever method does them. */
import type { ModelClass, RowAction } from '@fastback/core'
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
export class ActionPlans {
  readonly #plans = new WeakMap<ModelClass, Map<RowAction, MethodPlan>>()

  constructor (readonly service: AclService) {}

  of (Model: ModelClass, action: RowAction): MethodPlan {
    let plans = this.#plans.get(Model)
    if (plans === undefined) this.#plans.set(Model, plans = new Map<RowAction, MethodPlan>())
    let plan = plans.get(action)
    if (plan === undefined) plans.set(action, plan = new MethodPlan(this.service, Model, methods[action]))
    return plan
  }
}
