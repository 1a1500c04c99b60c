/**
 * Functions of the model ACL that an application has put its own in the place of: they decide in place of the compiled
 * rules then (security.md, S-96).
 */
import type { ModelClass, ModelRegistry, SharedMethod } from '@fastback/core'
import { resultOf, isOwn } from '@fastback/auth/service'
import { AccessContext } from '../access/access-context.js'
import type { CheckAccess } from './own-check.js'

/** Those that LoopBack asks for each call; the first asks the others. */
const asked = ['checkAccessForContext', 'getStaticACLs', 'resolvePermission'] as const

interface Resolved { isAllowed (): boolean }

/**
 * A check that asks `ACL.checkAccessForContext`, as LoopBack's `Model.checkAccess` does; undefined where all of them
 * are the built-in ones.
 *
 * ```js
 * ACL.checkAccessForContext = async context => ({ isAllowed: () => context.isAuthenticated() })
 * contextCheckOf(registry) // a function
 * ```
 */
export function contextCheckOf (registry: ModelRegistry): CheckAccess | undefined {
  const ACL = registry.findModel('ACL') === undefined ? undefined : registry.getModelByType('ACL')
  if (ACL === undefined || !asked.some(name => isOwn(ACL[name]))) return undefined
  return function (token, modelId, method, remotingContext, done) {
    const context = new AccessContext({
      registry,
      accessToken: token,
      model: this,
      property: method.name,
      method: method.name,
      sharedMethod: method as unknown as SharedMethod,
      accessType: method.accessType,
      modelId,
      remotingContext
    })
    resultOf((ACL as ModelClass & Record<string, unknown>).checkAccessForContext, ACL, context)
      .then(resolved => { done(null, (resolved as Resolved | null)?.isAllowed() === true) }, done)
  }
}
