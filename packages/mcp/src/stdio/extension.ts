/** The endpoint of an application folder that one client reaches over stdio, and nobody over HTTP. */
import type { BootExtension } from '@fastback/core'
import { configuredOf } from '../configured.js'
import type { McpOptions } from '../options.js'

/** Where `stdioExtension` puts the endpoint. */
export const stdioPath = '/fastback-mcp-stdio'

export interface StdioEndpoint {
  /** Methods that are tools, by model. Default: those of the folder's `component-config.json`, else published reads. */
  readonly tools?: Readonly<Record<string, readonly string[]>> | undefined
  /** Whether messages without a token are served. */
  readonly anonymous: boolean
}

/**
 * For `extensions` of `createServer`: an endpoint in addition to the one that the folder may have, with its options.
 * Those about who may come over HTTP are left out: the program that starts the process is the only client.
 *
 * ```js
 * const server = await createServer('my-app', { extensions: [stdioExtension({ anonymous: true })] })
 * await serveStdio(server.fastify, { path: stdioPath })
 * ```
 */
export const stdioExtension = ({ tools, anonymous }: StdioEndpoint): BootExtension => ({
  addsRoutes: () => true,
  async register (fastify, { app }) {
    const { oauth, resource, scope, origins, ...own } = configuredOf(app).options ?? {}
    const { mcp } = await import('../plugin.js')
    await fastify.register(mcp, { ...withTools(own, tools), path: stdioPath, oauth: false, anonymous })
  }
})

function withTools (options: McpOptions, tools: StdioEndpoint['tools']): McpOptions {
  if (tools === undefined) return options
  const { models, ...others } = options
  return { ...others, tools: Object.fromEntries(Object.entries(tools).map(([model, names]) => [model, [...names]])) }
}
