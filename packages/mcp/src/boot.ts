/** What `@fastback/boot` finds here: the component of application folders. */
import type { BootExtension, HostApplication } from '@fastback/core'
import type { McpOptions } from './options.js'

const kOptions = Symbol('fastback.mcpOptions')

interface Configured { options: McpOptions | undefined }

/** What component-config.json of an application says, until it is registered. */
export const configuredOf = ({ registry }: HostApplication): Configured =>
  registry.core.slot(kOptions, () => ({ options: undefined }))

const component = async (app: HostApplication, options: unknown): Promise<void> => {
  configuredOf(app).options = options as McpOptions
}

export const boot = {
  components: { '@fastback/mcp': component, 'fastback-mcp': component },
  addsRoutes: app => configuredOf(app).options !== undefined,
  async register (fastify, { app }) {
    const { options } = configuredOf(app)
    if (options === undefined) return
    const { mcp } = await import('./plugin.js')
    await fastify.register(mcp, options)
  }
} satisfies BootExtension
