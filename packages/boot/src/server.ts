/** A server for one application folder. */
import type { AddressInfo } from 'node:net'
import { createErrorHandler, logMasking, type RemotingSettings } from '@fastback/rest'
import { messageClasses } from '@fastback/rest/express'
import type { Server as HttpServer } from 'node:http'
import Fastify, { LogController, type FastifyBaseLogger, type FastifyHttpOptions, type FastifyInstance } from 'fastify'
import type { Application } from './app/application.js'
import { bootFolder } from './boot-folder.js'
import { clientErrorHandler, expectationHandler, refuseUnknownLength } from './client-error.js'
import { closeConnections } from './connections.js'
import { readConfiguration, type Configuration, type ConfigurationOptions } from './configuration.js'
import { InvalidConfigError } from './errors.js'
import type { BootExtension } from '@fastback/core'
import { isRecord } from './load/is-record.js'
import { oneAtATime } from './pipelining.js'
import { ProxyTrust } from './proxy-trust.js'
import { RequestLog } from './request-log.js'
import { refuseUnderPressure } from './under-pressure.js'

type Options = FastifyHttpOptions<HttpServer>

export interface ServerOptions extends ConfigurationOptions {
  /**
   * A logger of Fastify's form, or its level, or false for none. Default: what config.json says under `log`, else
   * warnings and errors.
   */
  readonly log?: Options['loggerInstance'] | string | false
  /** Packages that contribute built-in models, connectors, access control. Default: those installed with boot. */
  readonly extensions?: readonly BootExtension[]
}

/** A booted application. */
export interface Server {
  readonly fastify: FastifyInstance
  /** The object that boot scripts get. */
  readonly app: Application
  /** Listens; the address (`http://127.0.0.1:3000`). A second call gives the same address. */
  start (): Promise<string>
  /** Answers what was begun (within `requestTimeout`), closes all connections and data sources. */
  stop (): Promise<void>
}

/** Limits of the HTTP server: config.json, `server`. Milliseconds; security.md, S-59. */
export const limits = {
  /** For the whole request to arrive. */
  requestTimeout: 60_000,
  /** For its headers to arrive. */
  headersTimeout: 10_000,
  /** Between two requests of a connection. */
  keepAliveTimeout: 72_000,
  /** For the answer: then it is 503, whatever a store or a method still does. 0: no limit, and no timer per request. */
  handlerTimeout: 0,
  /** Open connections; more are closed at once. 0: no limit. */
  maxConnections: 0
}

/** Ids may be long texts. The router's own limit (100) would hide their rows. */
export const maxParamLength = 2048

/**
 * Boots an application folder: `const server = await createServer('my-app'); await server.start()`. Requests can also
 * be injected (`server.fastify.inject`) without listening.
 * @param dir the application folder, or its folder `server`
 * @throws coded errors (`FBK_BOOT_…`, `FBK_CORE_…`) that name file and key of what is wrong in the folder
 */
export async function createServer (dir: string, options: ServerOptions = {}): Promise<Server> {
  const configuration = await readConfiguration(dir, options)
  const trust = new ProxyTrust()
  const fastify = Fastify(fastifyOptions(configuration, options, trust))
  const trustProxy = (value: unknown): void => {
    trust.use(value, configuration.folder.name(configuration.folder.path('config.json')))
  }
  const { maxConnections, requestTimeout } = serverLimits(configuration)
  if (maxConnections > 0) fastify.server.maxConnections = maxConnections
  const { errorHandler } = (configuration.settings.remoting ?? {}) as RemotingSettings
  fastify.server.on('checkExpectation', expectationHandler(errorHandler))
  fastify.addHook('onRequest', oneAtATime)
  fastify.addHook('onRequest', refuseUnknownLength)
  closeConnections(fastify, requestTimeout)
  let address: Promise<string> | undefined
  const start = (): Promise<string> => (address ??= listen(fastify, app))
  let app: Application
  try {
    trustProxy(configuration.settings['trust proxy'])
    await refuseUnderPressure(fastify, configuration)
    app = await bootFolder(fastify, configuration, { start, notFound: true, extensions: options.extensions })
    trustProxy(app.settings['trust proxy'])
    await fastify.ready()
  } catch (error) {
    await fastify.close().catch(() => {})
    throw error
  }
  return { fastify, app, start, stop: () => fastify.close() }
}

async function listen (fastify: FastifyInstance, app: Application): Promise<string> {
  const port = app.get('port') as number | string
  const host = app.get('host') as string | undefined
  const place = typeof port === 'string' ? { path: port } : { port, ...(host === undefined ? {} : { host }) }
  const address = await fastify.listen(place)
  const bound = fastify.server.address() as AddressInfo | string | null
  if (bound !== null && typeof bound === 'object') {
    app.set('port', bound.port)
    if (host === undefined) app.set('host', bound.address)
  }
  if (app.get('url') === undefined) app.set('url', `${address}/`)
  app.emit('started')
  return address
}

function serverLimits ({ settings, folder }: Configuration): typeof limits {
  const given = (settings.server ?? {}) as Partial<Record<keyof typeof limits, unknown>>
  for (const key of Object.keys(limits) as Array<keyof typeof limits>) {
    const value = given[key]
    if (value === undefined || (Number.isInteger(value) && (value as number) >= 0)) continue
    throw new InvalidConfigError(folder.name(folder.path('config.json')), `"server.${key}" must be a whole number`)
  }
  return { ...limits, ...given } as typeof limits
}

function fastifyOptions (configuration: Configuration, { log }: ServerOptions, trust: ProxyTrust): Options {
  const { requestTimeout, headersTimeout, keepAliveTimeout, handlerTimeout } = serverLimits(configuration)
  const { errorHandler } = (configuration.settings.remoting ?? {}) as RemotingSettings
  return {
    ...loggerOptions(configuration, log),
    requestTimeout,
    keepAliveTimeout,
    ...(handlerTimeout === 0 ? {} : { handlerTimeout }),
    // Node looks for late requests at intervals, by itself only every 30 s.
    http: {
      ...messageClasses(),
      headersTimeout,
      connectionsCheckingInterval: Math.min(5_000, ...[headersTimeout, requestTimeout].filter(time => time > 0))
    },
    trustProxy: trust.trusts,
    routerOptions: {
      caseSensitive: configuration.settings['case sensitive routing'] === true,
      ignoreTrailingSlash: configuration.settings['strict routing'] !== true,
      maxParamLength
    },
    // An address that is no address reaches no route and no hook.
    frameworkErrors: createErrorHandler(errorHandler),
    // What Node's parser refuses reaches nothing at all.
    clientErrorHandler: clientErrorHandler(errorHandler),
    // Boot scripts may take as long as they need.
    pluginTimeout: 0
  }
}

/** Nothing is written about requests as such; their logs are made when something happens. */
const quietRequests = {
  logController: new LogController({ disableRequestLogging: true }),
  childLoggerFactory: (parent: FastifyBaseLogger, bindings: Record<string, unknown>) => new RequestLog(parent, bindings)
}

/** config.json, `log`: `{ "level": "info", "requests": true }`, a level, or false. */
function loggerOptions ({ settings, env }: Configuration, given: ServerOptions['log']): Options {
  if (given !== undefined && typeof given === 'object') return { loggerInstance: given }
  const configured: { level?: unknown; requests?: unknown } = isRecord(settings.log)
    ? settings.log
    : { level: settings.log }
  const level = given ?? process.env.LOG_LEVEL ?? configured.level ?? (env === 'test' ? false : 'warn')
  if (level === false) return { logger: false }
  return {
    logger: { level: String(level), ...logMasking },
    ...(configured.requests === true ? {} : quietRequests)
  }
}
