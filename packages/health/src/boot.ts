/** What `@fastback/boot` finds here: the component of application folders. */
import type { BootExtension, HostApplication } from '@fastback/core'
import type { HealthOptions } from './options.js'

const asked = new WeakMap<object, HealthOptions>()

const component = async ({ registry }: HostApplication, options: unknown): Promise<void> => {
  asked.set(registry.core, options as HealthOptions)
}

export const boot = {
  components: { '@fastback/health': component, 'fastback-health': component },
  addsRoutes: ({ registry }) => asked.has(registry.core),
  async register (fastify, { app }) {
    const options = asked.get(app.registry.core)
    if (options === undefined) return
    const { health } = await import('./plugin.js')
    await fastify.register(health, options)
  }
} satisfies BootExtension
