/** `registry.as`: the operations of models, by the rules of a caller, without a request. */
import type { Acting, ModelClass, ModelInstance, ModelRegistry, RuledModels, SharedMethod } from '@fastback/core'
import { nearest, sharedMethodsOf } from '@fastback/core/remote'
import { UnknownMethodError } from '../errors.js'
import type { IncludeRules } from '../guard/include-rules.js'
import type { AclService } from '../service.js'
import { callAs, type ActingCall } from './call.js'
import { tokenOf } from './caller.js'
import { operations, type ActingOperation } from './operations.js'

/**
 * Models of a registry for one caller.
 *
 * ```js
 * await actingModels(registry, service, includes, { user: 7 }).Note.find()
 * ```
 */
export function actingModels (
  registry: ModelRegistry, service: AclService, includes: IncludeRules, acting: Acting
): RuledModels {
  let token: Promise<ModelInstance | null> | undefined
  const call: ActingCall = {
    service,
    includes,
    token: async () => await (token ??= tokenOf(registry, service, acting))
  }
  return new Proxy({} as Record<string, unknown>, {
    get: (_, name) => typeof name === 'string' && registry.findModel(name) !== undefined
      ? modelFor(registry.getModel(name) as ModelClass, call)
      : undefined,
    has: (_, name) => typeof name === 'string' && registry.findModel(name) !== undefined
  }) as unknown as RuledModels
}

/** One model: its operations alone, so that nothing of it goes past the rules. */
function modelFor (Model: ModelClass, call: ActingCall): Record<string, unknown> {
  const entry = ([name, operation]: readonly [string, ActingOperation]): [string, unknown] => [
    name,
    async (...values: unknown[]) => await callAs(call, { Model, operation, method: sharedAs(Model, operation) }, values)
  ]
  return Object.fromEntries(Object.entries(operations).map(entry))
}

/** The method that a request would call. @throws FBK_ACL_UNKNOWN_METHOD for one that the model does not share */
function sharedAs (Model: ModelClass, { method }: ActingOperation): SharedMethod {
  const methods = sharedMethodsOf(Model)
  const found = methods.find(each => each.fullName === method)
  if (found === undefined) {
    throw new UnknownMethodError(Model.modelName, method, nearest(method, methods.map(each => each.name)))
  }
  return found
}
