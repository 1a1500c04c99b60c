/** Bodies of OAuth endpoints, and answers to what fails there. */
import type { EventEmitter } from 'node:events'
import { errors } from '@fastback/auth'
import type { FastifyError, FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { InvalidClient, InvalidRequest, OAuthError, ServerError, TemporarilyUnavailable } from '../errors.js'
import type { IssuerOf } from '../issuer.js'
import type { Pages } from '../pages/pages.js'
import { Parameters } from './parameters.js'

const bodyLimit = 65_536

/** Reads forms, up to 64 KiB; nothing else. */
export function readForms (scope: FastifyInstance): void {
  scope.removeAllContentTypeParsers()
  scope.addContentTypeParser(
    'application/x-www-form-urlencoded',
    { parseAs: 'string', bodyLimit },
    (_request, text, done) => {
      done(null, Parameters.parse(text as string))
    }
  )
}

/** The same as JSON, for login pages that send it. */
export function readJson (scope: FastifyInstance): void {
  scope.addContentTypeParser('application/json', { parseAs: 'string', bodyLimit }, (_request, text, done) => {
    try {
      const value = JSON.parse(text as string) as unknown
      const entries = value !== null && typeof value === 'object'
        ? Object.entries(value).filter((entry): entry is [string, string] => typeof entry[1] === 'string')
        : []
      done(null, new Parameters(entries))
    } catch {
      done(new InvalidRequest('The body is not JSON.'))
    }
  })
}

/** @throws InvalidRequest when the body is not a form */
export function formOf ({ body }: FastifyRequest): Parameters {
  if (body instanceof Parameters) return body
  throw new InvalidRequest('The body must be application/x-www-form-urlencoded.')
}

/** What tells the application about failures. */
type Listener = Pick<EventEmitter, 'emit'>

/**
 * Any error as one that the client may see. It is logged; one that is the server's own fault is told to listeners, too.
 */
export function failureOf (provider: Listener, request: FastifyRequest, thrown: unknown): OAuthError {
  const error = asOAuthError(thrown)
  if (error instanceof ServerError) {
    const cause = error.detail ?? error
    request.log.error({ err: cause }, 'OAuth: the request failed')
    provider.emit('server_error', { path: request.routeOptions.url, error: cause })
  } else {
    request.log.info(
      { error: error.error, description: error.message, detail: error.detail },
      'OAuth: the request was refused'
    )
  }
  return error
}

function asOAuthError (error: unknown): OAuthError {
  if (error instanceof OAuthError) return error
  if (error instanceof errors.TooManyAttempts) return new TemporarilyUnavailable(429, error.retryAfter)
  const { statusCode, code } = error as FastifyError
  if (code === 'FST_ERR_CTP_BODY_TOO_LARGE') return new TooLarge()
  if (code?.startsWith('FST_ERR_CTP_')) return new InvalidRequest('The body must be application/x-www-form-urlencoded.')
  if (statusCode === 503) return new TemporarilyUnavailable(503, 1)
  return new ServerError('Something went wrong.', error)
}

class TooLarge extends OAuthError {
  readonly error = 'invalid_request'
  override readonly statusCode = 413
  constructor () {
    super('The body is too large.')
  }
}

/** Responses of endpoints that programs talk to. */
export function jsonErrors (provider: Listener & { readonly issuerOf: IssuerOf }) {
  return (thrown: unknown, request: FastifyRequest, reply: FastifyReply): void => {
    const error = failureOf(provider, request, thrown)
    reply.headers({ 'cache-control': 'no-store', pragma: 'no-cache' })
    if (error instanceof InvalidClient) {
      reply.header('www-authenticate', `Basic realm="${provider.issuerOf(request)}", charset="UTF-8"`)
    }
    if (error instanceof TemporarilyUnavailable) reply.header('retry-after', error.retryAfter)
    reply.code(error.statusCode).send(error.toJSON())
  }
}

/**
 * Responses of endpoints that people see: a page when the browser asks for one. A client that is unknown is no 401
 * here.
 */
export function pageErrors (provider: Listener & { readonly pages: Pages }) {
  return async (thrown: unknown, request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply> => {
    const error = failureOf(provider, request, thrown)
    if (error instanceof TemporarilyUnavailable) reply.header('retry-after', error.retryAfter)
    const status = error instanceof InvalidClient ? 400 : error.statusCode
    if (!prefersHtml(request)) return reply.code(status).headers(closed).send(error.toJSON())
    const shown = { error: error.error, description: error.message }
    try {
      return await provider.pages.send(request, reply, 'error', shown, { status })
    } catch (err) {
      request.log.error({ err }, 'OAuth: the page for errors failed')
      return provider.pages.sendError(request, reply, shown, status)
    }
  }
}

/** Headers of a response that no browser may keep, guess the type of or show within another page. */
const closed = {
  'cache-control': 'no-store',
  'x-content-type-options': 'nosniff',
  'x-frame-options': 'DENY',
  'content-security-policy': "default-src 'none'; frame-ancestors 'none'"
}

const prefersHtml = ({ headers: { accept = '' } }: FastifyRequest): boolean => accept.includes('text/html')
