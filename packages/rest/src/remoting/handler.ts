/**
 * The handler of a `RemoteObjects`: a Fastify instance that listens to nothing, with the parsers, routes and error
 * handler of the plugin, called with requests of Express or of `http.createServer()`.
 */
import type { IncomingMessage, ServerResponse } from 'node:http'
import Fastify, { type FastifyInstance, type FastifyReply } from 'fastify'
import { createErrorHandler, type ErrorHandler } from '../errors/error-handler.js'
import { unknownPath, type ModelPath } from '../errors/not-found.js'
import { expressify } from '../express/bridge.js'
import { giveBackBody } from '../express/give-back-body.js'
import { offeredTypes } from '../handlers/format.js'
import { readOptions } from '../options.js'
import type { RemotingSettings } from '../options-schema.js'
import type { Settings } from '../settings.js'
import { bodyKindDecorator } from '../parse/body-kind.js'
import { addBodyParsers } from '../parse/body-parser.js'
import { planPaths } from '../routes/plan.js'
import { OpenStreams } from '../stream/open-streams.js'
import { respondNotModified } from './entity-tag.js'
import { SharedRoute, type SharedRouteSettings } from './call-route.js'
import type { RemoteObjects } from './remote-objects.js'
import type { RestClass, RestMethod, RestOptionsOfAdapter } from './rest-class.js'

/** Express' way to go on. */
export type Next = (error?: unknown) => void

/** `app.use(handler)` or `http.createServer(handler)`. */
export type RemotesHandler = ((req: IncomingMessage, res: ServerResponse, next?: Next) => void) & { adapter?: unknown }

/** What a scope of routes is made with. */
export interface HandlerParts {
  readonly scope: FastifyInstance
  readonly routes: SharedRouteSettings
}

/**
 * A handler for routes that `register` makes; it gives the paths of the classes, for those that have no route.
 * @throws FBK_REST_INVALID_OPTIONS, FBK_REST_REMOVED_SETTING
 */
export function createHandler (
  remotes: RemoteObjects, rest: object | undefined, register: (parts: HandlerParts) => readonly ModelPath[]
): RemotesHandler {
  const { errors = 'loopback' } = remotes.options.errorHandler ?? {}
  const remoting = { ...remotes.options, rest: { coercion: remotes.coercion, errors, ...rest } } as RemotingSettings
  const settings = readOptions({ remoting, accessControl: false })
  const scope = Fastify({
    logger: settings.errorHandler.log === false ? false : { level: 'error' },
    exposeHeadRoutes: false,
    routerOptions: { caseSensitive: false, ignoreTrailingSlash: true, maxParamLength: 1000 }
  })
  // What comes after the handler, for requests that are under way.
  const following = new WeakMap<IncomingMessage, Next>()
  // LoopBack's clients send bodies with any verb.
  scope.addHttpMethod('GET', { hasBody: true, overrideExisting: true })
  scope.addHook('preParsing', giveBackBody)
  if (settings.coercion === 'loopback3') scope.addHook('onSend', respondNotModified)
  scope.decorateRequest(...bodyKindDecorator)
  addBodyParsers(scope, settings.body)
  scope.setErrorHandler(errorHandler(remotes, settings, following))
  const classes = [...register({ scope, routes: routeSettings(remotes, settings) })]
    .sort((a, b) => b.path.length - a.path.length)
  scope.setNotFoundHandler((request, reply) => {
    const next = following.get(request.raw)
    if (settings.handleUnknownPaths || next === undefined) throw unknownPath(request, '', classes)
    leaveTo(next, reply)
  })
  let isReady = false
  const ready = scope.ready().then(() => { isReady = true })
  return (req, res, next) => {
    if (next !== undefined) following.set(req, next)
    if (isReady) scope.routing(req, res)
    else ready.then(() => { scope.routing(req, res) }, next)
  }
}

function routeSettings (remotes: RemoteObjects, settings: Settings): SharedRouteSettings {
  const { types, hooks, phases } = remotes
  return {
    types,
    hooks,
    phases,
    call: {
      offered: offeredTypes(settings),
      streams: new OpenStreams(settings.heartbeat),
      forms: settings.forms,
      readers: {
        registry: types.registry,
        validators: types.validators,
        mediaTypes: settings.mediaTypes,
        arrayItemDelimiters: settings.arrayItemDelimiters,
        coercion: settings.coercion,
        standsAlone: settings.coercion === 'loopback3',
        parseFields: settings.body.parseFields,
        objectText: settings.limits.objectText
      }
    }
  }
}

/** Errors are answered here, by a function of the application, or by what comes after the handler. */
function errorHandler (
  remotes: RemoteObjects, settings: Settings, following: WeakMap<IncomingMessage, Next>
): ErrorHandler {
  const answer = createErrorHandler(settings.errorHandler)
  return (error, request, reply) => {
    const next = following.get(request.raw)
    const own = remotes.options.errorHandler?.handler
    if (!settings.handleErrors && next !== undefined) leaveTo(next, reply, error)
    else if (own === undefined) answer(error, request, reply)
    else {
      const { req, res } = expressify((request.raw as { app?: object }).app, request, reply)
      own(error, req, res, other => { answer(other ?? error, request, reply) })
    }
  }
}

function leaveTo (next: Next, reply: FastifyReply, error?: unknown): void {
  reply.hijack()
  next(error)
}

/** The handler of the REST adapter. */
export function createRestHandler (
  remotes: RemoteObjects, classes: readonly RestClass[], options: RestOptionsOfAdapter
): RemotesHandler {
  return createHandler(remotes, options, ({ scope, routes }) => {
    const taken = new Map<string, RestMethod>()
    const paths = classes.flatMap(restClass => restClass.routes.map(({ path }) => ({ restClass, path })))
    for (const { restClass, path } of paths) registerClass(scope, restClass, path, taken, routes)
    return paths.map(({ restClass, path }) => ({ modelName: restClass.name, path }))
  })
}

function registerClass (
  scope: FastifyInstance,
  { methods }: RestClass,
  path: string,
  taken: Map<string, RestMethod>,
  settings: SharedRouteSettings
): void {
  const declared = methods.flatMap(method => method.routes.map(http => ({ method, http, own: http.path })))
  const { routes } = planPaths(path, declared, taken)
  const heads = new Set(routes.filter(({ verbs }) => verbs.includes('HEAD')).map(({ url }) => url))
  for (const { method, verbs, url, ...http } of routes) {
    const { handle } = new SharedRoute(method.sharedMethod, http, settings)
    scope.route({ method: [...verbs], url, exposeHeadRoute: !heads.has(url), handler: handle })
  }
}
