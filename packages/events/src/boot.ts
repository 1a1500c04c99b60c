/** What `@fastback/boot` finds here: the component of application folders. */
import type { BootExtension, HostApplication } from '@fastback/core'
import type { EventsOptions } from './options.js'

const kOptions = Symbol('fastback.eventsOptions')

interface Configured { options: EventsOptions | undefined }

/** What component-config.json of an application says, until it is registered. */
const configuredOf = ({ registry }: HostApplication): Configured =>
  registry.core.slot(kOptions, () => ({ options: undefined }))

/** Boot scripts come next: they define jobs. */
const component = async (app: HostApplication, options: unknown): Promise<void> => {
  configuredOf(app).options = options as EventsOptions
  const { jobsOf } = await import('./jobs/install.js')
  jobsOf(app.registry.core)
}

export const boot = {
  components: { '@fastback/events': component, 'fastback-events': component },
  async register (fastify, { app }) {
    const { options } = configuredOf(app)
    if (options === undefined) return
    const { events } = await import('./plugin.js')
    await fastify.register(events, options)
  }
} satisfies BootExtension
