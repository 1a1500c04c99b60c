/** What config.json says of the HTTP server and its log, as Fastify's options. */
import { createErrorHandler, logMasking } from '@fastback/rest'
import { messageClasses } from '@fastback/rest/express'
import type { Server as HttpServer } from 'node:http'
import Fastify, { type FastifyHttpOptions, type FastifyInstance } from 'fastify'
import pino, { type Logger } from 'pino'
import { meetRequests } from './arrival.js'
import { clientErrorHandler } from './client-error.js'
import { errorOptions } from './error-options.js'
import { InvalidConfigError } from './errors.js'
import { isRecord } from './load/is-record.js'
import type { ProxyTrust } from './proxy-trust.js'
import { requestIdHeaderOf, requestIds } from './request-ids.js'
import { lendLog, withoutRequestLog, type LogLender } from './request-log.js'

type Options = FastifyHttpOptions<HttpServer>

/** A logger of Fastify's form, or its level, or false for none. */
export type LogOption = Options['loggerInstance'] | string | false

/** Limits of the HTTP server: config.json, `server`. Milliseconds; security.md, S-59. */
export const limits = {
  /** For the whole request to arrive. */
  requestTimeout: 60_000,
  /** For its headers to arrive. */
  headersTimeout: 10_000,
  /** Between two requests of a connection. */
  keepAliveTimeout: 72_000,
  /**
   * For the response: then it is 503, whatever a store or a method still does. 0: no limit, and no timer per request.
   */
  handlerTimeout: 0,
  /** For open connections to send one more request, and be told that its response is the last, before the end. */
  drainTime: 500,
  /** Open connections; more are closed at once. 0: no limit. */
  maxConnections: 0
}

/** Ids may be long texts. The router's own limit (100) would hide their rows. */
export const maxParamLength = 2048

type Settings = Readonly<Record<string, unknown>>

/** @throws FBK_BOOT_INVALID_CONFIG for a limit that is no whole number */
export function serverLimits (settings: Settings, place: string): typeof limits {
  const given = (settings.server ?? {}) as Partial<Record<keyof typeof limits, unknown>>
  for (const key of Object.keys(limits) as Array<keyof typeof limits>) {
    const value = given[key]
    if (value === undefined || (Number.isInteger(value) && (value as number) >= 0)) continue
    throw new InvalidConfigError(place, `"server.${key}" must be a whole number`)
  }
  return { ...limits, ...given } as typeof limits
}

/** @throws as `serverLimits` */
export function createFastify (
  settings: Settings, env: string | undefined, place: string, given: LogOption | undefined, trust: ProxyTrust
): FastifyInstance {
  const { log, options } = loggerOptions(settings, env, given)
  const idHeader = requestIdHeaderOf(settings.requestIdHeader, place)
  let lender: LogLender | undefined
  const answerError = createErrorHandler(errorOptions(settings))
  const fastify = Fastify({
    ...fastifyOptions(settings, place, trust),
    // An address that is no address reaches no route and no hook.
    frameworkErrors (error, request, reply) {
      lender?.(request, reply)
      if (idHeader !== undefined) reply.header(idHeader, request.id)
      answerError.call(request.server, error, request, reply)
    },
    genReqId: requestIds(idHeader),
    ...options
  })
  if (log !== undefined) lender = lendLog(fastify, log)
  meetRequests(fastify, { idHeader, lendLog: lender })
  return fastify
}

function fastifyOptions (settings: Settings, place: string, trust: ProxyTrust): Options {
  const { requestTimeout, headersTimeout, keepAliveTimeout, handlerTimeout } = serverLimits(settings, place)
  const errorHandler = errorOptions(settings)
  return {
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
      caseSensitive: settings['case sensitive routing'] === true,
      ignoreTrailingSlash: settings['strict routing'] !== true,
      maxParamLength
    },
    // What Node's parser refuses reaches nothing at all.
    clientErrorHandler: clientErrorHandler(errorHandler),
    // Boot scripts may take as long as they need.
    pluginTimeout: 0
  }
}

/** config.json, `log`: `{ "level": "info", "requests": true }`, a level, or false. */
function loggerOptions (
  settings: Settings, env: string | undefined, given: LogOption | undefined
): { options: Options, log?: Logger } {
  if (given !== undefined && typeof given === 'object') return { options: { loggerInstance: given } }
  const configured: { level?: unknown; requests?: unknown } = isRecord(settings.log)
    ? settings.log
    : { level: settings.log }
  const level = given ?? process.env.LOG_LEVEL ?? configured.level ?? (env === 'test' ? false : 'warn')
  if (level === false) return { options: { logger: false } }
  const logger = { level: String(level), ...logMasking }
  if (configured.requests === true) return { options: { logger } }
  const log = pino({ ...logger, serializers: { ...answers, ...logger.serializers } })
  return { log, options: withoutRequestLog() }
}

/** Answers in log lines, as Fastify writes them. */
const answers = { res: ({ statusCode }: { statusCode?: unknown }) => ({ statusCode }) }
