import type { ModelRegistry } from '@fastback/core'
import { accessReviewIn, checkOptions, withoutEndSlashes } from '@fastback/core/remote'
import { openApiDocument } from '@fastback/explorer'
import { restRoutes, type PublishedRoute } from '@fastback/rest'
import { routeCalls, type RouteCalls } from '@fastback/rest/calls'
import type { FastifyInstance } from 'fastify'
import { guardEndpoint } from './access/who-may-come.js'
import {
  InvalidOptionsError, MissingRegistryError, NoMethodsError, RegisteredLateError, TooManyToolsError
} from './errors.js'
import { McpSchema, settingsOf, type McpOptions, type Settings } from './options.js'
import { addEndpoint } from './protocol/endpoint.js'
import { Resources } from './protocol/resources.js'
import type { Served } from './protocol/server.js'
import { chosenRoutes } from './tools/choose.js'
import { makeTools } from './tools/tools.js'

/**
 * Serves chosen methods of the context's models to agents at `/mcp`, by the Model Context Protocol (Streamable HTTP,
 * without sessions). Each tool is a call of a shared method in the name of the request's caller, with the access rules,
 * hooks, validations, limits and errors that it has over REST, and an event `audit` of the registry.
 *
 * Register it after `@fastback/oauth2`, `@fastback/auth` and `@fastback/acl`, and before `@fastback/rest`. Not wrapped
 * with `fastify-plugin`: it brings a route, which is below `prefix`.
 *
 * ```js
 * await app.register(mcp, { tools: { Note: ['find', 'findById', 'create'] } })
 * await app.register(rest, { prefix: '/api' })
 * // POST /mcp {"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"Note_find","arguments":{}}}
 * ```
 * @throws FBK_MCP_INVALID_OPTIONS, FBK_MCP_MISSING_REGISTRY, FBK_MCP_REGISTERED_LATE; at start FBK_MCP_NO_METHODS,
 * FBK_MCP_UNKNOWN_TOOL, FBK_MCP_TOO_MANY_TOOLS
 */
export async function mcp (app: FastifyInstance, options: McpOptions): Promise<void> {
  const settings = settingsOf(checkOptions(McpSchema, options, InvalidOptionsError))
  if (!app.hasDecorator('registry')) throw new MissingRegistryError()
  const { registry } = app
  const calls = routeCalls(registry)
  if (restRoutes(registry).length > 0 && !calls.isMounted) throw new RegisteredLateError()
  guardEndpoint(app, withoutEndSlashes(app.prefix + settings.path), settings)
  let served: Served | undefined
  app.addHook('onReady', async () => { served = await servedOf(registry, settings, calls) })
  // Nothing comes in before the application is ready.
  addEndpoint(app, settings, () => served as Served)
}

async function servedOf (registry: ModelRegistry, settings: Settings, calls: RouteCalls): Promise<Served> {
  const { restApiRoot, limits } = settings
  const routes = restRoutes(registry)
  const root = restApiRoot === undefined ? routes[0]?.prefix : withoutEndSlashes(restApiRoot)
  const own = routes.filter(({ prefix }) => prefix === root)
  if (own.length === 0) throw new NoMethodsError(restApiRoot === undefined ? '' : ` below "${restApiRoot}"`)
  const chosen = await everCallable(registry, chosenRoutes(own, settings))
  if (chosen.length > limits.tools) throw new TooManyToolsError(chosen.length, limits.tools)
  const document = openApiDocument(registry, {
    routes: chosen, info: { title: settings.name, version: settings.version }, logins: undefined
  })
  const tools = makeTools(chosen, document, settings)
  const models = new Set(chosen.map(({ method }) => method.modelName))
  return { registry, settings, calls, tools, resources: new Resources(document, models) }
}

/** The routes of methods that the rules may ever allow somebody. */
async function everCallable (registry: ModelRegistry, routes: readonly PublishedRoute[]): Promise<PublishedRoute[]> {
  const { mayBeCalled } = accessReviewIn(registry)
  if (mayBeCalled === undefined) return [...routes]
  const found = await Promise.all(routes.map(async ({ method }) => await mayBeCalled(method)))
  return routes.filter((_, index) => found[index])
}
