/** `Model.checkAccess` of all models, for applications to replace and to hand on to. */
import type { ModelClass, ModelInstance, ModelRegistry } from '@fastback/core'
import { chain } from '@fastback/core/connector'
import { namesOf, sharedMethodsOf } from '@fastback/core/remote'
import { Caller } from '../caller.js'
import { Membership } from '../membership.js'
import { decide, isAllowed } from '../rules/decide.js'
import { MethodPlan } from '../rules/method-plan.js'
import { byRules, type AskedMethod } from '../rules/own-check.js'
import { aclService } from '../service.js'
import { statically } from './statically.js'

/** As the rules decide, in both forms: a promise, or a trailing callback. */
const checkAccess = byRules(statically((Model, [token, modelId, asked, remotingContext]) => {
  const service = aclService(Model.registry)
  const plan = planFor(Model, asked as AskedMethod)
  const { operation: { names: [methodName], accessType }, method } = plan
  const membership = new Membership(service, new Caller(service.users, (token ?? null) as ModelInstance | null), {
    Model, modelId, method, methodName, accessType, remotingContext
  })
  return chain(plan.byRules(), rules => chain(decide(rules, membership), ({ permission }) => isAllowed(permission)))
}))

function planFor (Model: ModelClass, { fullName, name, accessType = 'EXECUTE' }: AskedMethod): MethodPlan {
  const service = aclService(Model.registry)
  const method = sharedMethodsOf(Model).find(each => namesOf(each).includes(fullName ?? name))
  return method === undefined
    ? new MethodPlan(service, Model, { names: [name], accessType })
    : MethodPlan.of(service, method)
}

/** Gives all models of a registry the function. */
export function installCheckAccess (registry: ModelRegistry): void {
  Object.defineProperty(registry.getModel('Model'), 'checkAccess', {
    value: checkAccess, writable: true, configurable: true
  })
}
