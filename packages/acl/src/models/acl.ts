/** Functions of the model ACL. */
import type { ModelClass } from '@fastback/core'
import { forgetOnChange } from '@fastback/core/remote'
import { authService, defaultScopes } from '@fastback/auth/service'
import { aclMethods, aclStatics } from '../access/acl-statics.js'
import { aclService } from '../service.js'
import { installCheckAccess } from './check-access.js'
import { aclNames, principalTypes } from './constants.js'

export function setUpAcl (ACL: ModelClass): void {
  const { registry } = ACL
  installCheckAccess(registry)
  Object.assign(ACL, aclNames, principalTypes, aclStatics, { DEFAULT_SCOPE: defaultScopes[0] })
  Object.assign(ACL.prototype, aclMethods)
  forgetOnChange(ACL, ['after save', 'after delete'], () => {
    const { rules, streams } = aclService(registry)
    rules.clear()
    streams.changed()
  })
  const tell = (): void => { authService(registry).audit({ event: 'access rules changed' }) }
  ACL.observe('after save', tell)
  ACL.observe('after delete', tell)
}
