/** `Model.checkAccess` of all models, for applications to replace and to hand on to. */
import type { HttpRoute, ModelClass, ModelInstance, ModelRegistry } from '@fastback/core'
import { chain } from '@fastback/core/connector'
import { namesOf, sharedMethodsOf } from '@fastback/core/remote'
import { accessTypeOf } from '../rules/rule.js'
import { Caller } from '../caller.js'
import { Membership } from '../membership.js'
import { decide, isAllowed } from '../rules/decide.js'
import { MethodPlan } from '../rules/method-plan.js'
import { byRules, type CheckedMethod } from '../rules/own-check.js'
import { aclService } from '../service.js'
import { statically } from './statically.js'

/** What code says of a method: as `remoteMethod` has it. */
interface DescribedMethod {
  readonly name: string
  readonly accessType?: string
  readonly http?: HttpRoute | readonly HttpRoute[]
}

/** As the rules decide, in both forms: a promise, or a trailing callback. */
const checkAccess = byRules(statically((Model, [token, modelId, asked, remotingContext]) => {
  const service = aclService(Model.registry)
  const plan = planFor(Model, asked as CheckedMethod)
  const { operation: { names: [methodName], accessType }, method } = plan
  const membership = new Membership(service, new Caller(service.users, (token ?? null) as ModelInstance | null), {
    Model, modelId, method, methodName, accessType, remotingContext
  })
  return chain(plan.byRules(), rules => chain(decide(rules, membership), ({ permission }) => isAllowed(permission)))
}))

function planFor (Model: ModelClass, { fullName, name, accessType = 'EXECUTE' }: CheckedMethod): MethodPlan {
  const service = aclService(Model.registry)
  const method = sharedMethodsOf(Model).find(each => namesOf(each).includes(fullName ?? name))
  return method === undefined
    ? new MethodPlan(service, Model, { names: [name], accessType })
    : MethodPlan.of(service, method)
}

/** What a method does, for code that asks by a method's name or description: `READ`, `WRITE`, `EXECUTE`. */
function accessTypeForMethod (this: ModelClass, asked: string | DescribedMethod): string {
  const { name, accessType, http } = typeof asked === 'string' ? { name: asked } as DescribedMethod : asked
  const described = [http ?? []].flat()
  const method = sharedMethodsOf(this).find(each => each.name === name)
  if (accessType === undefined && described.length === 0 && method !== undefined) return accessTypeOf(method)
  const routes = described.map(({ verb = '', ...route }) => ({ ...route, verb: verb.toLowerCase() }))
  return accessTypeOf({ name, accessType, http: routes })
}

/** Gives all models of a registry the functions. */
export function installCheckAccess (registry: ModelRegistry): void {
  const statics = { checkAccess, _getAccessTypeForMethod: accessTypeForMethod }
  for (const [name, value] of Object.entries(statics)) {
    Object.defineProperty(registry.getModel('Model'), name, { value, writable: true, configurable: true })
  }
}
