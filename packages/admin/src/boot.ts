/** What `@fastback/boot` finds here: the component of application folders. */
import type { BootExtension, HostApplication } from '@fastback/core'
import type { AdminOptions } from './options.js'

const kOptions = Symbol('fastback.adminOptions')

interface Asked { options: AdminOptions | undefined }

/** What component-config.json of an application says, until it is registered. */
const askedOf = ({ registry }: HostApplication): Asked => registry.core.slot(kOptions, () => ({ options: undefined }))

const component = async (app: HostApplication, options: unknown): Promise<void> => {
  askedOf(app).options = options as AdminOptions
}

export const boot = {
  components: { '@fastback/admin': component, 'fastback-admin': component },
  addsRoutes: app => askedOf(app).options !== undefined,
  async register (fastify, { app }) {
    const { options } = askedOf(app)
    if (options === undefined) return
    const { admin } = await import('./plugin.js')
    await fastify.register(admin, options)
    const { enabled = process.env.NODE_ENV !== 'production', prefix = '', path = prefix === '' ? '/admin' : '' } = options
    // Programs that start a server print its address from here.
    if (enabled) app.set('@fastback/admin', { path: prefix + path })
  }
} satisfies BootExtension
