import type { ModelRegistry } from '@fastback/core'
import { accessReviewIn, checkOptions, graphqlEndpointIn, withoutEndSlashes } from '@fastback/core/remote'
import { restRoutes, type PublishedRoute } from '@fastback/rest'
import { routeCalls } from '@fastback/rest/calls'
import type { FastifyInstance } from 'fastify'
import { mercurius } from 'mercurius'
import { InvalidOptionsError, MissingRegistryError, NoMethodsError, RegisteredLateError } from './errors.js'
import { GraphqlSchema, settingsOf, type GraphqlOptions } from './options.js'
import { addEndpoint, type Endpoint } from './request/endpoint.js'
import { ErrorFormat } from './request/error-format.js'
import { Operations } from './request/operations.js'
import { rulesOf } from './request/rules.js'
import { makeSchema } from './schema/schema.js'

/** Documents of which the parsed form is kept. */
const keptDocuments = 200
/** Faults of a document that are told. */
const mostFaults = 20

/**
 * Serves the published methods of the context's models as GraphQL at `/graphql`: types and filters of models, related
 * rows, writes, and the methods of the application. Each field of Query or Mutation is a call of a shared method in the
 * name of the request's caller, with the access rules, hooks, validations, limits and errors that it has over REST.
 *
 * Register it before `@fastback/rest`. Not wrapped with `fastify-plugin`: it brings a route, which is below `prefix`.
 *
 * ```js
 * await app.register(graphql, { path: '/graphql' })
 * await app.register(rest, { prefix: '/api' })
 * // POST /graphql {"query":"{ notes(limit: 10) { id title } }"}
 * ```
 * @throws FBK_GRAPHQL_INVALID_OPTIONS, FBK_GRAPHQL_MISSING_REGISTRY, FBK_GRAPHQL_REGISTERED_LATE; at start
 * FBK_GRAPHQL_NO_METHODS
 */
export async function graphql (app: FastifyInstance, options: GraphqlOptions): Promise<void> {
  const settings = settingsOf(checkOptions(GraphqlSchema, options, InvalidOptionsError))
  const { limits, restApiRoot, subscriptions } = settings
  if (settings.onlyPersisted && settings.persistedQueries === undefined) {
    throw new InvalidOptionsError('"onlyPersisted" takes the documents of "persistedQueries", which is not set')
  }
  if (!app.hasDecorator('registry')) throw new MissingRegistryError()
  const { registry } = app
  const calls = routeCalls(registry)
  if (restRoutes(registry).length > 0 && !calls.isMounted) throw new RegisteredLateError()
  const errors = new ErrorFormat(settings.introspection)
  const endpoint: Endpoint = {
    calls, operations: new Operations(settings), errors, most: () => registry.queryLimits.bytes
  }
  const rules = rulesOf(settings)
  // Before GraphQL looks at its schema.
  app.addHook('onReady', async () => {
    const routes = restRoutes(registry)
    const root = restApiRoot === undefined ? routes[0]?.prefix : withoutEndSlashes(restApiRoot)
    const own = routes.filter(({ prefix }) => prefix === root)
    if (own.length === 0) throw new NoMethodsError(restApiRoot === undefined ? '' : ` below "${restApiRoot}"`)
    app.graphql.replaceSchema(makeSchema(await callable(registry, own), {
      subscriptions, report: (what, why) => { app.log.info(`GraphQL: ${what}: ${why}`) }
    }))
  })
  await app.register(mercurius, {
    routes: false,
    cache: keptDocuments,
    validationRules: rules,
    graphql: { parseOptions: { maxTokens: limits.tokens }, validateOptions: { maxErrors: mostFaults } },
    errorFormatter: ({ data, errors: found }, { reply, app }) => {
      const response = { errors: errors.shown(found, reply?.log ?? app.log) }
      // Without data: nothing ran.
      return data === undefined ? { statusCode: 400, response } : { statusCode: 200, response: { data, ...response } }
    }
  })
  const connections = subscriptions
    ? (await import('./subscriptions/connections.js')).acceptConnections(app, settings, { ...endpoint, rules })
    : {}
  addEndpoint(app, settings, endpoint, await connections)
  // A page that lets people try it needs the schema, and sends documents of theirs.
  if (settings.introspection && !settings.onlyPersisted) {
    graphqlEndpointIn(registry).address = app.prefix + settings.path
  }
}

/** The routes of methods that the rules may ever allow somebody. */
async function callable (registry: ModelRegistry, routes: readonly PublishedRoute[]): Promise<PublishedRoute[]> {
  const { mayBeCalled } = accessReviewIn(registry)
  if (mayBeCalled === undefined) return [...routes]
  const found = await Promise.all(routes.map(async route => await mayBeCalled(route.method)))
  return routes.filter((_, i) => found[i])
}
