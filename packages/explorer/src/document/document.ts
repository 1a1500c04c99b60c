import type { ModelClass, ModelRegistry, SharedMethod } from '@fastback/core'
import { accessReviewIn, loginWaysIn, type LoginWays, withoutEndSlashes } from '@fastback/core/remote'
import { restRoutes, type PublishedRoute } from '@fastback/rest'
import { ArgumentSchemas } from './argument-schemas.js'
import { batchOperation } from './batch.js'
import { Components } from './components.js'
import { ErrorResponses } from './errors.js'
import { ModelSchemas } from './model-schemas.js'
import { toOpenApi30 } from './openapi-30.js'
import { OperationIds } from './operation-ids.js'
import { bodyOf, openApiPath, parametersOf } from './parameters.js'
import { responsesOf, type ResponseContext } from './responses.js'
import type { Info, OpenApiDocument, Operation, PathItem } from '@fastback/ui/openapi'

export interface DocumentOptions {
  /** Version of OpenAPI. Default: `3.1`. */
  readonly openapi?: '3.1' | '3.0'
  /** Title, version and description of the API. */
  readonly info?: Info
  /** What clients put before the paths. Default: the prefix of the routes. */
  readonly basePath?: string
  /** Describes only what `@fastback/rest` published below this prefix. Default: everything. */
  readonly restApiRoot?: string
  /**
   * Whether related rows, and the filters of included relations, are described at any depth. So they are for compilers
   * of types, which follow a reference once; tools that write out every reference take minutes for it. Default: false.
   */
  readonly nested?: boolean
  /** Whether the server answers 503 when it is too busy. Default: false. */
  readonly underPressure?: boolean
  /** Default: everything `@fastback/rest` published of the registry. */
  readonly routes?: readonly PublishedRoute[]
  /** Logins by accounts elsewhere. Default: those of the registry. */
  readonly logins?: LoginWays | undefined
}

/**
 * Describes the published models of a registry as OpenAPI. Pure: the same models give the same document.
 *
 * ```js
 * await app.ready()
 * const document = openApiDocument(app.registry, { info: { title: 'Notes', version: '1.0.0' } })
 * ```
 */
export function openApiDocument (
  registry: Pick<ModelRegistry, 'models'>,
  options: DocumentOptions = {}
): OpenApiDocument {
  const { routes = restRoutes(registry as ModelRegistry), restApiRoot, openapi = '3.1' } = options
  const root = restApiRoot === undefined ? undefined : withoutEndSlashes(restApiRoot)
  const below = routes.filter(({ method, prefix }) => method.documented && (root === undefined || prefix === root))
  const { logins = waysOf(registry) } = options
  const document = build(registry, onceForAnyVerb(below), { ...options, logins })
  return openapi === '3.0' ? toOpenApi30(document) : document
}

/** The verbs that a description of the version 3.1, 3.0 or 2.0 has a place for. */
const describable: ReadonlySet<string> = new Set(['get', 'put', 'post', 'delete', 'options', 'head', 'patch'])

function build (
  registry: Pick<ModelRegistry, 'models'>,
  routes: readonly PublishedRoute[],
  { info, basePath, underPressure = false, nested = false, logins }: DocumentOptions
): OpenApiDocument {
  const components = new Components()
  const published = new Set(routes.map(({ method }) => method.model))
  const models = new ModelSchemas(components, published, registry.models, nested)
  const secured = Object.values(registry.models).some(Model => Model.modelName === 'AccessToken')
  const errors = new ErrorResponses(
    components,
    routes[0]?.conventions.errors ?? { root: 'error', types: ['application/json'], form: 'coded' }
  )
  if (routes.some(({ conventions }) => conventions.methodNotAllowed)) errors.ref(405)
  const context: ResponseContext = {
    schemas: new ArgumentSchemas(models, registry.models),
    errors,
    secured,
    underPressure
  }
  const prefixes = [...new Set(routes.map(({ prefix }) => prefix))]
  const server = basePath ?? (prefixes.length === 1 ? (prefixes[0] as string) : '')
  const rowsOf = 'slot' in registry ? accessReviewIn(registry as ModelRegistry).rowsOf : undefined
  const ids = new OperationIds()
  const paths: Record<string, PathItem> = {}
  for (const route of routes) {
    const verb = route.verb.toLowerCase()
    if (!describable.has(verb)) continue
    const path = openApiPath(prefixes.length === 1 ? route.path : route.prefix + route.path)
    const item = (paths[path] ??= {})
    item[verb] = operation(route, ids.of(route), context, rowsOf?.(route.method))
  }
  const batch = routes.find(({ conventions }) => conventions.batch !== undefined)
  const batchTag = published.size > 0 && [...published].some(({ modelName }) => modelName === 'Batch') ? 'Batches' : 'Batch'
  if (batch?.conventions.batch !== undefined) {
    const { conventions: { batch: most, idempotency }, prefix } = batch
    const key = idempotency === false ? undefined : isRequired(idempotency) ? 'required' : 'optional'
    paths[prefixes.length === 1 ? '/batch' : `${prefix}/batch`] = { post: batchOperation(batchTag, most, key, errors) }
  }
  return {
    openapi: '3.1.0',
    info: { ...info, title: info?.title ?? 'API', version: info?.version ?? '1.0.0' },
    servers: [{ url: server === '' ? '/' : server }],
    tags: [...[...published].map(tag), ...(batch === undefined ? [] : [{ name: batchTag }])],
    ...(logins === undefined ? {} : { 'x-logins': logins }),
    ...(secured ? { security: [{}, { accessToken: [] }, { accessTokenInQuery: [] }] } : {}),
    paths,
    components: { schemas: components.all(), responses: errors.all(), ...(secured ? { securitySchemes } : {}) }
  }
}

const isRequired = (setting: unknown): boolean => (setting as { readonly required?: unknown }).required === true

/** Models alone, without a registry around them, have none. */
const waysOf = (registry: object): LoginWays | undefined =>
  'slot' in registry ? loginWaysIn(registry as ModelRegistry).ways?.() : undefined

/** @param rows which rows and properties rules leave, in words */
function operation (
  route: PublishedRoute, operationId: string, context: ResponseContext, rows: string | undefined
): Operation {
  const { method } = route
  const [summary, ...more] = (method.description ?? '').split('\n')
  const anyVerb = method.http.some(({ verb }) => verb === 'all')
  const description = [...more, method.notes ?? '', deprecationText(method), anyVerb ? 'Answers every verb.' : '']
    .filter(text => text !== '')
    .join('\n')
  const parameters = parametersOf(route, context.schemas)
  const requestBody = bodyOf(route, context.schemas)
  return {
    operationId,
    tags: [method.modelName],
    ...(summary === undefined || summary === '' ? {} : { summary }),
    ...(description === '' ? {} : { description }),
    ...(method.deprecated === true ? { deprecated: true } : {}),
    ...(parameters.length === 0 ? {} : { parameters }),
    ...(requestBody === undefined ? {} : { requestBody }),
    ...(anyVerb ? { 'x-any-verb': true } : {}),
    ...(route.idempotencyKey === undefined ? {} : { 'x-idempotency-key': route.idempotencyKey }),
    ...(rows === undefined ? {} : { 'x-row-rules': rows }),
    responses: responsesOf(route, { body: requestBody !== undefined }, context)
  }
}

function tag (Model: ModelClass): { name: string, description?: string } {
  const { description } = Model.settings
  return { name: Model.modelName, ...(typeof description === 'string' ? { description } : {}) }
}

/** A route that answers every verb is described once, as LoopBack did: as POST, where no other method has that. */
function onceForAnyVerb (routes: readonly PublishedRoute[]): PublishedRoute[] {
  const chosen = new Map<string, PublishedRoute>()
  for (const route of routes) {
    const isAny = route.method.http.some(({ verb }) => verb === 'all')
    const key = isAny
      ? `any ${route.prefix}${route.path} ${route.method.fullName}`
      : `${route.verb} ${route.prefix}${route.path}`
    if (!chosen.has(key) || route.verb === 'POST') chosen.set(key, route)
  }
  return [...chosen.values()]
}

const securitySchemes = {
  accessToken: {
    type: 'apiKey',
    in: 'header',
    name: 'X-Access-Token',
    description: 'The id of an access token, as login gives it'
  },
  accessTokenInQuery: { type: 'apiKey', in: 'query', name: 'access_token' }
}

/** Since when it should not be used, until when it is there, and what says more. */
function deprecationText ({ deprecation }: SharedMethod): string {
  if (deprecation === undefined) return ''
  const day = (time: number): string => new Date(time).toISOString().slice(0, 10)
  const { since, sunset, link } = deprecation
  return [
    since === undefined ? 'Deprecated.' : `Deprecated since ${day(since)}.`,
    sunset === undefined ? '' : `May be gone from ${day(sunset)}.`,
    link ?? ''
  ].filter(part => part !== '').join(' ')
}
