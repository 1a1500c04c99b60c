/** What `@fastback/boot` finds here: the component of application folders. */
import type { BootExtension, HostApplication } from '@fastback/core'
import type { StudioOptions } from './options.js'

const kOptions = Symbol('fastback.studioOptions')

interface Given { options: StudioOptions | undefined }

/** What component-config.json of an application says, until it is registered. */
const givenOf = ({ registry }: HostApplication): Given => registry.core.slot(kOptions, () => ({ options: undefined }))

const component = async (app: HostApplication, options: unknown): Promise<void> => {
  givenOf(app).options = options as StudioOptions
}

export const boot = {
  components: { '@fastback/studio': component, 'fastback-studio': component },
  addsRoutes: app => givenOf(app).options !== undefined,
  async beforeOpen (app, fastify) {
    const { options } = givenOf(app)
    if (options === undefined) return
    const { watchRequests } = await import('./plugin.js')
    watchRequests(fastify, app.registry.core, options)
  },
  async register (fastify, { app }) {
    const { options } = givenOf(app)
    if (options === undefined) return
    const [{ serveStudio }, { pathOf }] = await Promise.all([import('./plugin.js'), import('./options.js')])
    await serveStudio(fastify, options)
    const path = pathOf(options)
    // Programs that start a server print its address from here.
    if (path !== undefined) app.set('@fastback/studio', { path: (options.prefix ?? '') + path })
  }
} satisfies BootExtension
