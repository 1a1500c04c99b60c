/** `app.loopback`: the functions of the framework object that boot scripts reach through the application. */
import { createRequire } from 'node:module'
import { ejsTemplate } from '@fastback/auth/service'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { ValidationError, type DataSource, type MaybePromise, type ModelClass } from '@fastback/core'
import { RemovedFunctionError, RemovedPropertyError } from '../errors.js'
import { Exchange, exchangeOf, type ExpressRequest, type Next } from '../middleware/exchange.js'
import { defaultIcon } from '../middleware/native/static.js'
import { routerFactory } from '../middleware/router.js'
import { handOverStep, markNative } from './middleware.js'
import { GeoPoint } from './geo-point.js'
import type { LoopbackRegistry } from './registry.js'

/** Removed properties of the framework object and what stands in their place (specification, Versioning 3). */
export const removedProperties: Readonly<Record<string, string>> = {
  compress: 'response compression middleware ("compression")',
  cookieParser: 'cookie parsing middleware ("cookie-parser")',
  cookieSession: 'cookie-based session middleware ("cookie-session")',
  csrf: 'CSRF protection middleware ("csurf", or @fastify/csrf-protection)',
  directory: 'directory listing middleware ("serve-index")',
  errorHandler:
    'development error handler middleware ("errorhandler"), or "strong-error-handler" in the phase "final:after"',
  favicon: 'favicon serving middleware ("serve-favicon")',
  logger: 'request logging middleware ("morgan")',
  methodOverride: 'method override middleware ("method-override")',
  responseTime: 'response time header middleware ("response-time")',
  session: 'server-side session middleware ("express-session", or @fastify/session)',
  timeout: 'request timeout middleware ("connect-timeout")',
  vhost: 'virtual host middleware ("vhost")'
}

const insteadOfContext = 'Hand what you need through the options of the operations.'

const modelNames = [
  'Model',
  'PersistedModel',
  'KeyValueModel',
  'User',
  'AccessToken',
  'ACL',
  'Role',
  'RoleMapping',
  'Application',
  'Scope',
  'Email',
  'Change',
  'Checkpoint'
]

/** Connectors that LoopBack's module has as properties (`createDataSource({ connector: loopback.Memory })`). */
const connectorNames: Readonly<Record<string, string>> = { Memory: 'memory', Mail: 'mail' }

type Handler = (req: ExpressRequest, res: unknown, next: Next) => unknown

export interface LoopbackHost {
  readonly registry: LoopbackRegistry
  /** Says that REST is mounted here; its paths. */
  restMounted (paths: ReadonlyArray<string | RegExp>): void
  /** Notes the parameters of a token middleware, and returns how to find the token of a request. */
  token (params: Record<string, unknown>): (request: FastifyRequest) => MaybePromise<unknown>
  answerError (error: unknown, request: FastifyRequest, reply: FastifyReply, options: Record<string, unknown>): void
}

/** An error as the framework raises it for an address that nothing answers. */
export function urlNotFound (req: { method?: string | undefined, url?: string | undefined }): Error {
  return Object.assign(new Error(`Cannot ${req.method} ${req.url}`), { status: 404, statusCode: 404 })
}

/** `{ started, uptime }` of the status middleware; uptime in seconds. */
export function statusBody (started: Date): { started: Date, uptime: number } {
  return { started, uptime: (Date.now() - started.getTime()) / 1000 }
}

/** Makes the framework object of one application. */
export function createLoopback (host: LoopbackHost) {
  const { registry } = host
  const require = createRequire(import.meta.url)
  const express =
    (name: string) =>
      (...args: unknown[]): unknown =>
        (require('express') as Record<string, Function>)[name]?.(...args)

  const loopback = {
    /** The LoopBack that this stands in for: code asks for what it can expect. */
    version: '3.28.0',
    isServer: true,
    isBrowser: false,
    faviconFile: defaultIcon,
    registry,
    Router: (options?: object) => routerFactory()(options),
    static: express('static'),
    json: express('json'),
    urlencoded: express('urlencoded'),

    status () {
      const started = new Date()
      return (_req: ExpressRequest, res: { send(body: unknown): void }) => {
        res.send(statusBody(started))
      }
    },

    /** Stands for the REST routes; mounted with `app.use(app.get('restApiRoot'), loopback.rest())`. */
    rest (): Handler {
      return markNative(handOver, paths => {
        host.restMounted(paths)
        return handOverStep('rest', paths)
      }) as Handler
    },

    urlNotFound: () => (req: ExpressRequest, _res: unknown, next: Next) => {
      next(urlNotFound(req))
    },

    token (params: Record<string, unknown> = {}): Handler {
      const accessToken = host.token(params)
      return (req, _res, next) => {
        const exchange = req[exchangeOf]
        if (exchange === undefined) {
          next()
          return
        }
        Promise.resolve(accessToken(exchange.request)).then(token => {
          if (token !== undefined && token !== null) Object.assign(req, { accessToken: token })
          next()
        }, next)
      }
    },

    /** An EJS file as a function of what it shows. */
    template: (file: string) => ejsTemplate(file, registry.core.baseDir),

    /** The error handler of the framework, as an Express middleware. */
    strongErrorHandler:
      (options: Record<string, unknown> = {}) =>
        (error: unknown, req: ExpressRequest, _res: unknown, next: Next) => {
          const exchange = req[exchangeOf]
          if (exchange === undefined) next(error)
          else host.answerError(error, exchange.request, exchange.reply, options)
        },

    createModel: (...args: Parameters<LoopbackRegistry['createModel']>) => registry.createModel(...args),
    configureModel: (...args: Parameters<LoopbackRegistry['configureModel']>) => {
      registry.configureModel(...args)
    },
    findModel: (name: string | ModelClass) => registry.findModel(name),
    getModel: (name: string | ModelClass) => registry.getModel(name),
    getModelByType: (type: string | ModelClass) => registry.getModelByType(type),
    createDataSource: (...args: Parameters<LoopbackRegistry['createDataSource']>): DataSource =>
      registry.createDataSource(...args),
    memory: (name?: string): DataSource => registry.memory(name),
    get modelBuilder () { return registry.modelBuilder },
    GeoPoint,
    ValidationError
  }

  return Object.defineProperties(loopback, {
    ...getters(modelNames, name => registry.getModel(name)),
    ...getters(Object.keys(connectorNames), name => registry.core.connectors.find(connectorNames[name] as string)),
    ...getters(Object.keys(removedProperties), name => {
      throw new RemovedPropertyError(name, removedProperties[name])
    }),
    ...getters(['context', 'getCurrentContext', 'runInContext'], name => {
      throw new RemovedFunctionError(`loopback.${name}`, insteadOfContext)
    })
  })
}

/** Properties whose values are found when they are read. */
function getters (names: readonly string[], get: (name: string) => unknown): PropertyDescriptorMap {
  return Object.fromEntries(names.map(name => [name, { get: () => get(name) }]))
}

/** Lets Fastify's routes have the request; what they do not answer goes on after this handler. */
function handOver (req: ExpressRequest, _res: unknown, next: Next): void {
  const exchange: Exchange | undefined = req[exchangeOf]
  if (exchange === undefined) next()
  else exchange.handOver(next)
}
