/** Functions of the model Scope. */
import type { ModelClass, ModelInstance } from '@fastback/core'
import { principalTypes } from './constants.js'
import { statically } from './statically.js'

interface Checking { checkPermission (...asked: unknown[]): Promise<unknown> }

export function setUpScope (Scope: ModelClass): void {
  Object.assign(Scope, {
    /** `Scope.checkPermission(scope, model, property, accessType, [callback])`: what rules for the scope say. */
    checkPermission: statically(async (Scope, [name, ...asked]) => {
      const scope = await (Scope.findOne as (filter: object) => Promise<ModelInstance | null>)({ where: { name } })
      const ACL = Scope.registry.getModelByType('ACL') as unknown as Checking
      return await ACL.checkPermission(principalTypes.SCOPE, scope?.id, ...asked)
    })
  })
}
