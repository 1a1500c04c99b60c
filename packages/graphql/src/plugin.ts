import type { ModelRegistry } from '@fastback/core'
import { accessReviewIn, checkOptions, withoutEndSlashes } from '@fastback/core/remote'
import { restRoutes, type PublishedRoute } from '@fastback/rest'
import { parseJson, routeCalls } from '@fastback/rest/calls'
import type { FastifyInstance } from 'fastify'
import { mercurius } from 'mercurius'
import { InvalidOptionsError, MissingRegistryError, NoMethodsError, RegisteredLateError } from './errors.js'
import { GraphqlSchema, settingsOf, type GraphqlOptions, type Settings } from './options.js'
import { RequestChecks } from './request/checks.js'
import { formatErrors, isResult, statusOfErrors } from './request/error-format.js'
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
  if (settings.onlyPersisted && settings.persistedQueries === undefined) {
    throw new InvalidOptionsError('"onlyPersisted" takes the documents of "persistedQueries", which is not set')
  }
  if (!app.hasDecorator('registry')) throw new MissingRegistryError()
  const { registry } = app
  if (restRoutes(registry).length > 0) throw new RegisteredLateError()
  const calls = routeCalls(registry)
  addJsonBodies(app, settings)
  // Before GraphQL looks at its schema.
  app.addHook('onReady', async () => {
    const routes = restRoutes(registry)
    const root = settings.restApiRoot === undefined ? routes[0]?.prefix : withoutEndSlashes(settings.restApiRoot)
    const own = routes.filter(({ prefix }) => prefix === root)
    if (own.length === 0) throw new NoMethodsError(settings.restApiRoot === undefined ? '' : ` below "${settings.restApiRoot}"`)
    app.graphql.replaceSchema(makeSchema(await callable(registry, own), (what, why) => {
      app.log.info(`GraphQL: ${what}: ${why}`)
    }))
  })
  await app.register(mercurius, {
    path: settings.path,
    graphiql: false,
    cache: keptDocuments,
    allowBatchedQueries: settings.batch,
    ...(settings.persistedQueries === undefined ? {} : { persistedQueries: settings.persistedQueries }),
    onlyPersisted: settings.onlyPersisted,
    validationRules: rulesOf(settings),
    graphql: { parseOptions: { maxTokens: settings.limits.tokens }, validateOptions: { maxErrors: mostFaults } },
    // HEAD is no way in: it would be taken for POST.
    additionalRouteOptions: {
      exposeHeadRoute: false, bodyLimit: settings.limits.body, preValidation: new RequestChecks(settings).check
    },
    context: (request, reply) => ({ calls: calls.of(request), request, reply }),
    errorFormatter: (execution, { reply, app }) => {
      const errors = formatErrors(execution.errors, { log: reply?.log ?? app.log, suggests: settings.introspection })
      return {
        statusCode: isResult(execution) ? 200 : statusOfErrors(errors),
        response: { data: execution.data ?? null, errors }
      }
    }
  })
}

/** JSON as bodies of REST have it: strict, and at most so deep. */
function addJsonBodies (app: FastifyInstance, { limits }: Settings): void {
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('application/json', { parseAs: 'string' }, (_request, text, done) => {
    try {
      done(null, parseJson(String(text), limits.json))
    } catch (error) {
      done(Object.assign(error as Error, { statusCode: 400, code: 'MALFORMED_JSON' }))
    }
  })
}

/** The routes of methods that the rules may ever allow somebody. */
async function callable (registry: ModelRegistry, routes: readonly PublishedRoute[]): Promise<PublishedRoute[]> {
  const { mayBeCalled } = accessReviewIn(registry)
  if (mayBeCalled === undefined) return [...routes]
  const found = await Promise.all(routes.map(async route => await mayBeCalled(route.method)))
  return routes.filter((_, i) => found[i])
}
