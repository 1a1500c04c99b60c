/** What `@fastback/boot` finds here: built-in models, and the guard once the application asks for access control. */
import type { FastifyInstance } from 'fastify'
import { aclModels } from './models/index.js'
import { acl } from './plugin.js'
import { warnOfNoControl } from './warnings.js'

export const boot = {
  models: aclModels,
  attachedByEnableAuth: { ACL: false, Role: false, RoleMapping: false },

  async register (fastify: FastifyInstance, { auth }: { readonly auth: object | undefined }): Promise<void> {
    if (auth !== undefined) await fastify.register(acl)
    else fastify.addHook('onReady', async () => { warnOfNoControl(fastify.registry) })
  }
}
