import type { ModelClass, ModelRegistry } from '@fastback/core'
import { declaresProperty } from '@fastback/core/remote'
import { lengthCodes, passwordLimits } from '../passwords/check-password.js'
import { declarePasswordLimits } from './remote-methods.js'
import { isUserModel } from './user-model.js'

/**
 * Tells clients of the policy's limits: bodies are refused with all else that is wrong with them, and the description
 * has them. User models that say of passwords or of their methods what they are themselves have the limits, too.
 */
export function describePasswordLimits (registry: ModelRegistry): void {
  const found = passwordLimits(registry)
  if (found === undefined) return
  const limits = { ...found, 'x-errorCodes': lengthCodes }
  const tell = (Model: ModelClass): void => {
    if (!isUserModel(Model)) return
    // The store has a hash, of another length.
    const declared = declaresProperty(Model, 'password') ? Model.compiled.propertyByName.get('password') : undefined
    if (declared !== undefined) Model.defineProperty('password', { ...declared.definition, bodySchema: limits })
    declarePasswordLimits(Model, limits)
  }
  for (const Model of Object.values(registry.models)) tell(Model)
  registry.on('modelAttached', tell)
}
