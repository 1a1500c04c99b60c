/** What `@fastback/boot` finds here: built-in models, and the guard once the application asks for access control. */
import type { BootExtension } from '@fastback/core'
import { aclModels } from './models/index.js'
import { acl } from './plugin.js'
import { warnOfNoControl } from './warnings.js'

export const boot = {
  models: aclModels,
  attachedByEnableAuth: { ACL: false, Role: false, RoleMapping: false },

  async register (fastify, { auth }) {
    if (auth !== undefined) await fastify.register(acl)
    else fastify.addHook('onReady', async () => { warnOfNoControl(fastify.registry) })
  }
} satisfies BootExtension
