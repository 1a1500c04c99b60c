/** The token of a request (O-180 to O-188). */
import type { MaybePromise } from '@fastback/core'
import { chain } from '@fastback/core/connector'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { InvalidRequest, Unauthorized } from '../errors.js'
import { Parameters } from '../http/parameters.js'
import type { Settings } from '../settings.js'
import { hasForm, readForm } from './form-token.js'

const dpopForm = /^dpop +([A-Za-z0-9\-._~+/]+=*) *$/i

const scheme = /^bearer(?:\s|$)/i
const wellFormed = /^bearer +([A-Za-z0-9\-._~+/]+=*) *$/i

/**
 * @throws Unauthorized without credentials; InvalidRequest for a malformed header, or two tokens, even when the second
 * place is not looked at for a token
 */
export function bearerToken (
  request: FastifyRequest,
  reply: FastifyReply,
  methods: Settings['bearerMethods'],
  withDpop = false
): MaybePromise<string> {
  const header = headerToken(request.headers.authorization, withDpop)
  const query = request.url.includes('?') ? Parameters.ofQuery(request.url) : undefined
  const inQuery = query?.get('access_token')
  if (query?.repeated.has('access_token') === true) throw twice()
  const found = [header, inQuery].filter(token => token !== undefined)
  if (found.length > 1) throw twice()
  const body = hasForm(request) && (methods.has('body') || found.length > 0) ? readForm(request) : undefined
  return chain(body, form => {
    const inBody = form?.get('access_token')
    if (form?.repeated.has('access_token') === true || (inBody !== undefined && found.length > 0)) throw twice()
    if (header !== undefined) return header
    if (inQuery !== undefined && methods.has('query')) {
      reply.header('cache-control', 'private')
      return inQuery
    }
    if (inBody !== undefined && methods.has('body')) return inBody
    throw new Unauthorized('A bearer token is needed.')
  })
}

const twice = (): InvalidRequest => new InvalidRequest('The token was sent more than once.')

/**
 * The token of an `Authorization` header; undefined for none, and for another scheme.
 * @param withDpop whether the scheme `DPoP` is taken as well (RFC 9449)
 * @throws InvalidRequest for a malformed one
 */
export function headerToken (header: string | undefined, withDpop = false): string | undefined {
  if (withDpop && isDpop(header)) return tokenIn(header, dpopForm)
  if (header === undefined || !scheme.test(header)) return undefined
  return tokenIn(header, wellFormed)
}

/** Whether a header sends its token by DPoP. */
export const isDpop = (header: string | undefined): header is string =>
  header !== undefined && /^dpop(?:\s|$)/i.test(header)

function tokenIn (header: string, form: RegExp): string {
  const [, token] = form.exec(header) ?? []
  if (token === undefined) throw new InvalidRequest('The Authorization header is malformed.')
  return token
}
