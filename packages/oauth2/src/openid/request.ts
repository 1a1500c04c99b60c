/** What an authorization request with the scope `openid` says besides (OI-51 to OI-54, OI-81). */
import { InvalidRequest, RegistrationNotSupported, RequestNotSupported, RequestUriNotSupported } from '../errors.js'
import type { Parameters } from '../http/parameters.js'
import type { Claims } from './claims.js'
import { parseClaims, type ClaimsRequest } from './claims-request.js'

/** Plain data: it waits in the data source with the rest of the request. */
export interface OpenIdRequest {
  readonly nonce?: string | undefined
  readonly claims: ClaimsRequest
  /** Claims that are asked for by name and that no requested scope gives: the dialog names them (OI-81). */
  readonly named: readonly string[]
}

const longestNonce = 512

/**
 * Whether a request is an openid request (OI-03).
 *
 * ```js
 * isOpenIdRequest(parameters, defaultScopes)
 * ```
 * @param defaultScopes those of a request that names none
 */
export function isOpenIdRequest (parameters: Parameters, defaultScopes: readonly string[]): boolean {
  const scope = parameters.get('scope')
  return scope === undefined ? defaultScopes.includes('openid') : scope.split(' ').includes('openid')
}

/**
 * An openid request is answered where it says, also by a client with one redirect URI only (OI-51).
 * @throws InvalidRequest to be shown, not to be redirected
 */
export function requireRedirectUri (parameters: Parameters): void {
  if (parameters.get('redirect_uri') === undefined) {
    throw new InvalidRequest('The parameter redirect_uri is missing.')
  }
}

/**
 * Reads the parameters.
 *
 * ```js
 * readOpenIdRequest(parameters, claims, ['openid', 'email']).nonce
 * ```
 * @param claims those that users can have here
 * @param scopes the requested ones
 * @throws RequestNotSupported, RequestUriNotSupported, RegistrationNotSupported, InvalidRequest
 */
export function readOpenIdRequest (parameters: Parameters, claims: Pick<Claims, 'has' | 'ofScopes'>,
  scopes: readonly string[]): OpenIdRequest {
  if (parameters.has('request')) throw new RequestNotSupported('The parameter request is not supported.')
  if (parameters.has('request_uri')) throw new RequestUriNotSupported('The parameter request_uri is not supported.')
  if (parameters.has('registration')) throw new RegistrationNotSupported('The parameter registration is not supported.')
  const nonce = parameters.get('nonce')
  if (nonce !== undefined && nonce.length > longestNonce) throw new InvalidRequest('The nonce is too long.')
  const asked = parseClaims(parameters.get('claims'), claim => claims.has(claim))
  const covered = claims.ofScopes(scopes)
  return {
    ...(nonce === undefined ? {} : { nonce }),
    claims: asked,
    named: [...new Set([...asked.idToken, ...asked.userinfo])].filter(claim => !covered.includes(claim))
  }
}

/** What the built-in login page writes into its field: what is longer is left out (OI-54). */
export const loginHint = (text: string | undefined): string | undefined =>
  text === undefined || text.length > 256 ? undefined : text

/** Scopes without the one that lets a grant outlive its login (OI-63, OI-127). */
export const withoutOfflineAccess = (scopes: readonly string[]): readonly string[] =>
  scopes.filter(scope => scope !== 'offline_access')
