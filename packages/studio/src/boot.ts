/** What `@fastback/boot` finds here: the component of application folders. */
import type { BootExtension, HostApplication } from '@fastback/core'
import type { StudioOptions } from './options.js'

const kOptions = Symbol('fastback.studioOptions')

interface Asked { options: StudioOptions | undefined }

/** What component-config.json of an application says, until it is registered. */
const askedOf = ({ registry }: HostApplication): Asked => registry.core.slot(kOptions, () => ({ options: undefined }))

const component = async (app: HostApplication, options: unknown): Promise<void> => {
  askedOf(app).options = options as StudioOptions
}

export const boot = {
  components: { '@fastback/studio': component, 'fastback-studio': component },
  addsRoutes: app => askedOf(app).options !== undefined,
  async register (fastify, { app }) {
    const { options } = askedOf(app)
    if (options === undefined) return
    const [{ studio }, { pathOf }] = await Promise.all([import('./plugin.js'), import('./options.js')])
    await fastify.register(studio, options)
    const path = pathOf(options)
    // Programs that start a server print its address from here.
    if (path !== undefined) app.set('@fastback/studio', { path: (options.prefix ?? '') + path })
  }
} satisfies BootExtension
