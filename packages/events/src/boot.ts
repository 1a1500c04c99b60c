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

/** Whether a tool looks at the folder, with stores in memory in place of its own (`scratchStores` of boot). */
const isLookedAt = ({ registry }: HostApplication): boolean =>
  Object.values(registry.core.dataSources).some(({ settings }) => settings.scratch === true)

/**
 * Jobs of the application are not taken by a tool, whose rows are others, nor does it need the servers. With pg-boss an
 * application has no model of jobs, of which `fastback migrate` would make a table.
 */
const withoutWork = ({ redis: _redis, engine, ...options }: EventsOptions): EventsOptions =>
  ({ ...options, engine: engine === 'pg-boss' ? engine : 'embedded', work: false })

export const boot = {
  components: { '@fastback/events': component, 'fastback-events': component },
  async register (fastify, { app }) {
    const { options } = configuredOf(app)
    if (options === undefined) return
    const { events } = await import('./plugin.js')
    await fastify.register(events, isLookedAt(app) ? withoutWork(options) : options)
  }
} satisfies BootExtension
