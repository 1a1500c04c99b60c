/**
 * Errors of OAuth: one class per code of the RFCs, with what the client may read (`message`) and what only the log gets
 * (`detail`). Start-up errors are `FBK_OAUTH2_…`.
 */
import { challengeOf, levels, type Assurance, type Level } from '@fastback/auth/service'
import { startUpErrors } from '@fastback/core/remote'

const startup = startUpErrors('OAUTH2')

/** An invalid option; the message names it. */
export const InvalidOptionsError = startup('INVALID_OPTIONS', '@fastback/oauth2: %s')
/** An option names a model that is not defined. */
export const UnknownModelError = startup('UNKNOWN_MODEL', '@fastback/oauth2: the option "%s" names the model "%s", which is not defined.')
export const NotResourceServerError = startup(
  'NOT_A_RESOURCE_SERVER',
  '@fastback/oauth2: authenticate() needs the option "resourceServer", which is false.'
)
export const NoProviderError = startup(
  'NO_PROVIDER',
  '"%s" is used, but no OAuth provider is set up. Add "@fastback/oauth2" to component-config.json, or call oAuth2Provider(app, options).'
)
/** Code asks for the handler of an endpoint, which is a route. */
export const NoHandlerError = startup(
  'NO_HANDLER',
  '@fastback/oauth2: there is no handler "%s": the endpoint is served at the path of the option "%s".'
)
export const AlreadySetUpError = startup('ALREADY_SET_UP', 'An OAuth provider is already set up for this application.')
export const WeakTokenError = startup(
  'WEAK_TOKEN',
  '@fastback/oauth2: tokens of the option "generateToken" need at least 22 characters.'
)
/** A stored key for signing that no secret opens. Keys are never replaced without somebody saying so. */
export const UnreadableKeyError = startup(
  'UNREADABLE_KEY',
  '@fastback/oauth2: no secret opens the signing key "%s". Add the secret that it was stored with to "openid.keys.secret".'
)
/** Code or the command line names a key that is not stored. */
export const UnknownKeyError = startup('UNKNOWN_KEY', '@fastback/oauth2: there is no signing key "%s".')
/** Code uses what only the option `openid` has. */
export const NoOpenIdError = startup('NO_OPENID', '@fastback/oauth2: "%s" needs the option "openid".')

/**
 * A response of an OAuth endpoint. The message is printable ASCII without `"` and `\`, and repeats nothing that was
 * sent (O-096).
 */
export abstract class OAuthError extends Error {
  /** The code that clients read. */
  abstract readonly error: string
  readonly statusCode: number = 400

  constructor (message: string, readonly detail?: unknown) {
    super(message)
  }

  toJSON (): { error: string, error_description: string } {
    return { error: this.error, error_description: this.message }
  }
}

export class InvalidRequest extends OAuthError { readonly error = 'invalid_request' }
export class InvalidGrant extends OAuthError { readonly error = 'invalid_grant' }
export class InvalidScope extends OAuthError { readonly error = 'invalid_scope' }
export class UnauthorizedClient extends OAuthError { readonly error = 'unauthorized_client' }
export class UnsupportedGrantType extends OAuthError { readonly error = 'unsupported_grant_type' }
export class UnsupportedResponseType extends OAuthError { readonly error = 'unsupported_response_type' }

/** Core, section 6 and 7.2.1: ways to send a request that are not built (OI-53). */
export class RequestNotSupported extends OAuthError { readonly error = 'request_not_supported' }
export class RequestUriNotSupported extends OAuthError { readonly error = 'request_uri_not_supported' }
export class RegistrationNotSupported extends OAuthError { readonly error = 'registration_not_supported' }

/** 401 at endpoints where clients authenticate; the authorization endpoint answers 400 without a challenge. */
export class InvalidClient extends OAuthError {
  readonly error = 'invalid_client'
  override readonly statusCode = 401
}

export class AccessDenied extends OAuthError {
  readonly error = 'access_denied'
  override readonly statusCode = 403
}

export class ServerError extends OAuthError {
  readonly error = 'server_error'
  override readonly statusCode = 500
}

/** Too many failed attempts (429), or too much to do at the moment (503). */
export class TemporarilyUnavailable extends OAuthError {
  readonly error = 'temporarily_unavailable'

  /** @param retryAfter seconds */
  constructor (override readonly statusCode: 429 | 503, readonly retryAfter: number) {
    super(statusCode === 429 ? 'Too many failed attempts; try again later.' : 'The server is busy; try again later.')
  }
}

/** 401 of a protected path without credentials: the challenge carries no error (O-181). */
export class Unauthorized extends OAuthError {
  readonly error = 'unauthorized'
  override readonly statusCode = 401
}

export class InvalidToken extends OAuthError {
  readonly error = 'invalid_token'
  override readonly statusCode = 401
}

/** 400 at endpoints for clients, 401 at resources (RFC 9449, sections 5 and 7.1). */
export class InvalidDpopProof extends OAuthError {
  readonly error = 'invalid_dpop_proof'

  constructor (message: string, detail?: unknown, override readonly statusCode: 400 | 401 = 400) {
    super(message, detail)
  }
}

/** The header `DPoP-Nonce` of the response has the nonce (RFC 9449, section 8). */
export class UseDpopNonce extends OAuthError {
  readonly error = 'use_dpop_nonce'

  constructor (override readonly statusCode: 400 | 401 = 400) {
    super('The DPoP proof needs the nonce of this response.')
  }
}

/** A resource that is not known, or was not authorized (RFC 8707, section 2). */
export class InvalidTarget extends OAuthError { readonly error = 'invalid_target' }

/** The login is weaker or older than is needed here (RFC 9470, section 3). */
export class InsufficientAuthentication extends OAuthError {
  readonly error = 'insufficient_user_authentication'
  override readonly statusCode = 401

  /** @param names of the three levels here. Default: their own */
  constructor (readonly asked: Assurance, readonly names: readonly string[] = levels) {
    super('A stronger or a more recent login is needed here.')
  }

  /** Parameters of the challenge. */
  get challenge (): string {
    const { acr, maxAge } = this.asked
    return challengeOf({ acr: (this.names[levels.indexOf(acr)] ?? acr) as Level, maxAge })
  }
}

export class InsufficientScope extends OAuthError {
  readonly error = 'insufficient_scope'
  override readonly statusCode = 403

  /** @param scopes what would have been enough */
  constructor (readonly scopes: readonly string[]) {
    super('The token does not have the scope that is needed here.')
  }
}
