/** Functions of the model ACL. */
import type { ModelClass, ModelInstance } from '@fastback/core'
import { promiseOrCallback, splitCallback } from '@fastback/core/connector'
import { forgetOnChange } from '@fastback/core/remote'
import { authService } from '@fastback/auth/service'
import { explainAccess } from '../explain.js'
import { aclService } from '../service.js'
import { aclNames, principalTypes } from './constants.js'

export function setUpAcl (ACL: ModelClass): void {
  const { registry } = ACL
  Object.assign(ACL, aclNames, principalTypes, {
    /**
     * `ACL.checkAccessForToken(token, model, modelId, method, [callback])`: whether the token's owner may call the
     * method.
     */
    checkAccessForToken (this: ModelClass, ...args: unknown[]) {
      const { values: [token, model, modelId, method], callback } = splitCallback(args)
      return promiseOrCallback(async () => {
        const { allowed } = await explainAccess(registry, {
          model: typeof model === 'string' ? model : (model as ModelClass).modelName,
          method: String(method),
          id: modelId,
          token: (token ?? null) as ModelInstance | null
        })
        return allowed
      }, callback)
    }
  })
  forgetOnChange(ACL, ['after save', 'after delete'], () => { aclService(registry).rules.clear() })
  const tell = (): void => { authService(registry).audit({ event: 'access rules changed' }) }
  ACL.observe('after save', tell)
  ACL.observe('after delete', tell)
}
