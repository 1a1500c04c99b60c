/** The one error handler: for the plugin's routes, and for `@fastback/boot` as `strong-error-handler`. */
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { MaybePromise } from '@fastback/core'
import { chain } from '@fastback/core/connector'
import Negotiator from 'negotiator'
import { commonHeaders } from '../handlers/send.js'
import { formatOfQuery } from '../handlers/format.js'
import { joinHeader } from '../handlers/join-header.js'
import { errorBody, type ErrorBody, type ErrorBodyOptions } from './error-body.js'
import { renderError, type ErrorType } from './render.js'

export interface ErrorHandlerOptions extends ErrorBodyOptions {
  /** Writes a line per error: server faults with their stack, client faults without. Default: true. */
  readonly log?: boolean | undefined
  /** Name of the property that holds the error; false: the error itself is the response. Default: `error`. */
  readonly rootProperty?: string | false | undefined
  /** Whether `Accept` and `_format` choose between JSON, HTML and XML. Default: true. */
  readonly negotiateContentType?: boolean | undefined
  /** The type of responses to who does not choose. Default: `json`. */
  readonly defaultType?: string | undefined
}

export type ErrorHandler = (error: unknown, request: FastifyRequest, reply: FastifyReply) => MaybePromise<void>

/**
 * Makes an error handler of LoopBack's one shape, `{ error: { statusCode, name, message, code, details } }`.
 * Every response has `X-Content-Type-Options: nosniff`; server faults carry the request's id in `X-Request-Id`, and a
 * 503 or 409 the seconds of `error.retryAfter` in `Retry-After`; a 401 `error.challenge` in `WWW-Authenticate`.
 *
 * ```js
 * app.setErrorHandler(createErrorHandler({ safeFields: ['errorCode'] }))
 * ```
 */
export function createErrorHandler (options: ErrorHandlerOptions = {}): ErrorHandler {
  const isProblem = options.errors === 'problem'
  const preferred = typeOf(options.defaultType) ?? (isProblem ? 'problem' : 'json')
  const root = options.rootProperty ?? 'error'
  return (error, request, reply) => {
    const body = errorBody(error, options)
    if (options.log !== false) logError(error, body, request)
    if (reply.sent) return
    if (reply.raw.headersSent) {
      reply.raw.destroy()
      return
    }
    // Here as well as in the hook of `@fastback/core`: what fails may have failed before any hook.
    commonHeaders(reply).header('x-content-type-options', 'nosniff').code(body.statusCode)
    if (body.statusCode >= 500) reply.header('x-request-id', request.id)
    const { retryAfter } = (error ?? {}) as { readonly retryAfter?: unknown }
    if ((body.statusCode === 503 || body.statusCode === 409) && Number.isSafeInteger(retryAfter)) reply.header('retry-after', Number(retryAfter))
    const { challenge } = (error ?? {}) as { readonly challenge?: unknown }
    if (body.statusCode === 401 && typeof challenge === 'string') reply.header('www-authenticate', challenge)
    if (request.method === 'HEAD') {
      reply.removeHeader('content-type').send()
      return
    }
    const negotiates = options.negotiateContentType !== false
    if (negotiates) joinHeader(reply, 'vary', ['Accept'])
    const type = negotiates ? chosenType(request, preferred) : preferred
    return chain(renderError(isProblem && type === 'json' ? 'problem' : type, body, root), rendered => {
      reply.header('content-type', rendered.type).send(rendered.text)
    })
  }
}

const mediaTypes: Readonly<Record<string, ErrorType>> = {
  'application/problem+json': 'problem',
  'application/json': 'json',
  'text/html': 'html',
  'application/xml': 'xml',
  'text/xml': 'xml',
  json: 'json',
  html: 'html',
  xml: 'xml'
}

/** The media types that an error can have, that of clients who do not choose first. */
export function errorTypes ({ defaultType, negotiateContentType, errors }: ErrorHandlerOptions): string[] {
  const isProblem = errors === 'problem'
  const preferred = typeNames[typeOf(defaultType) ?? (isProblem ? 'problem' : 'json')]
  const others = Object.values(typeNames).filter(type => !isProblem || type !== typeNames.json)
  return negotiateContentType === false ? [preferred] : [...new Set([preferred, ...others])]
}

const typeNames: Readonly<Record<ErrorType, string>> = {
  json: 'application/json',
  html: 'text/html',
  xml: 'application/xml',
  problem: 'application/problem+json'
}

const typeOf = (name: string | undefined): ErrorType | undefined =>
  name === undefined || !Object.hasOwn(mediaTypes, name) ? undefined : mediaTypes[name]

function chosenType (request: FastifyRequest, preferred: ErrorType): ErrorType {
  const asked = typeOf(formatAsked(request))
  if (asked !== undefined) return asked
  const { accept } = request.headers
  if (accept === undefined || accept === '*/*' || accept === 'application/json') {
    return accept === 'application/json' ? 'json' : preferred
  }
  // Who takes problems at all gets them, whatever else the client takes for results.
  if (accept.includes('application/problem+json')) return 'problem'
  const offered = ['application/json', 'text/html', 'application/xml', 'text/xml'].sort(
    (a, b) => Number(mediaTypes[b] === preferred) - Number(mediaTypes[a] === preferred)
  )
  if (accept.startsWith('application/json')) return 'json'
  const [best] = new Negotiator({ headers: { accept } }).mediaTypes(offered)
  return typeOf(best) ?? preferred
}

/** The query itself may be what is wrong. */
function formatAsked (request: FastifyRequest): string | undefined {
  try {
    return formatOfQuery(request.raw.url as string)
  } catch {
    return undefined
  }
}

/**
 * Messages of validation errors repeat what was sent: client faults are logged by code, in full only at debug level.
 */
function logError (error: unknown, body: ErrorBody, request: FastifyRequest): void {
  if (body.statusCode >= 500) {
    request.log.error(
      { err: error instanceof Error ? error : { message: String((error as { message?: unknown })?.message ?? error) } },
      'request failed'
    )
  } else request.log.info({ statusCode: body.statusCode, code: body.code ?? body.name }, 'request refused')
}
