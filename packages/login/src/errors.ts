/** Errors of the start (`FBK_LOGIN_…`), and the failures of a login with the codes that pages may read (LG-75). */
import { RequestError } from '@fastback/core'
import { startUpErrors } from '@fastback/core/remote'

const startup = startUpErrors('LOGIN')

/** An invalid option; the message names it. */
export const InvalidOptionsError = startup('INVALID_OPTIONS', '@fastback/login: %s')
/** An invalid entry of a provider; the message names entry and key. */
export const InvalidProviderError = startup('INVALID_PROVIDER', 'Login provider "%s": %s')
/** A package that the entry needs is not installed; the message has the command to install it. */
export const PackageMissingError = startup(
  'PACKAGE_MISSING',
  'Login provider "%s" needs the package "%s", which is not installed. Run "npm install %s".'
)
export const UnknownModelError = startup('UNKNOWN_MODEL', '@fastback/login: there is no model "%s".')
/** No token of the provider can be used (409): the user has to log in there again. The message says why. */
export class ProviderTokenError extends RequestError {
  constructor (reason: string) {
    super(409, `The provider's token cannot be used: ${reason}`, { code: 'PROVIDER_TOKEN_UNAVAILABLE' })
  }
}
/** Why nobody was logged in or linked. Pages, logs and listeners get this, and never the words of a provider. */
export type FailureCode =
  | 'ACCESS_DENIED'
  | 'STATE_INVALID'
  | 'PROVIDER_ERROR'
  | 'PROFILE_INVALID'
  | 'EMAIL_MISSING'
  | 'ACCOUNT_EXISTS'
  | 'IDENTITY_IN_USE'
  | 'NOT_LOGGED_IN'
  | 'LOCKED'
  | 'LOGIN_FAILED'
  | 'SECOND_FACTOR_REQUIRED'

/** An expected end of a login: it leads to `failureRedirect` (or the 401 of `json`), and never to a 5xx. */
export class LoginFailure extends Error {
  /** What clients of in-process calls see. */
  readonly statusCode = 401

  /** @param reason for the log alone: no token, no code, nothing of a profile */
  constructor (readonly code: FailureCode, readonly reason: string) {
    super(`login failed: ${code}`)
    this.name = 'LoginFailure'
  }
}

/**
 * What a library or a program beside us threw, as a failure. Only the kind of the error is told: messages may hold
 * tokens.
 */
export function failureOf (thrown: unknown, code: FailureCode = 'PROVIDER_ERROR'): LoginFailure {
  if (thrown instanceof LoginFailure) return thrown
  const { name, code: kind, statusCode } = (thrown ?? {}) as { name?: unknown, code?: unknown, statusCode?: unknown }
  return new LoginFailure(code, [name, kind, statusCode].filter(part => part !== undefined).join(' '))
}
