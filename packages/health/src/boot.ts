/** What `@fastback/boot` finds here: the component of application folders. */
import type { BootExtension, HostApplication } from '@fastback/core'
import type { HealthOptions } from './options.js'

const kOptions = Symbol('fastback.healthOptions')

interface Asked { options: HealthOptions | undefined }

/** What component-config.json of an application says, until it is registered. */
const askedOf = ({ registry }: HostApplication): Asked => registry.core.slot(kOptions, () => ({ options: undefined }))

const component = async (app: HostApplication, options: unknown): Promise<void> => {
  askedOf(app).options = options as HealthOptions
}

export const boot = {
  components: { '@fastback/health': component, 'fastback-health': component },
  addsRoutes: app => askedOf(app).options !== undefined,
  async register (fastify, { app }) {
    const { options } = askedOf(app)
    if (options === undefined) return
    const { health } = await import('./plugin.js')
    await fastify.register(health, options)
  }
} satisfies BootExtension
