/** What `@fastback/boot` finds here: the component of application folders. */
import type { BootExtension, HostApplication } from '@fastback/core'
import type { GraphqlOptions } from './options.js'

const kOptions = Symbol('fastback.graphqlOptions')

interface Asked { options: GraphqlOptions | undefined }

/** What component-config.json of an application says, until it is registered. */
const askedOf = ({ registry }: HostApplication): Asked => registry.core.slot(kOptions, () => ({ options: undefined }))

const component = async (app: HostApplication, options: unknown): Promise<void> => {
  askedOf(app).options = options as GraphqlOptions
}

export const boot = {
  components: { '@fastback/graphql': component, 'fastback-graphql': component },
  addsRoutes: app => askedOf(app).options !== undefined,
  async register (fastify, { app }) {
    const { options } = askedOf(app)
    if (options === undefined) return
    const { graphql } = await import('./plugin.js')
    await fastify.register(graphql, options)
  }
} satisfies BootExtension
