/** What `@fastback/boot` finds here: the component of application folders. */
import type { BootExtension, HostApplication } from '@fastback/core'
import { configuredOf } from './configured.js'
import type { McpOptions } from './options.js'

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
