/**
 * Tokens that clients make, where rules let them: none of them may do more than the one that makes it (security.md,
 * S-159).
 */
import type { ModelRegistry, OperationOptions, Row } from '@fastback/core'
import { keepsLogins } from '../assurance/keeps-logins.js'
import { tokenScopesNotAllowed } from '../errors.js'
import { defaultScopes } from './full-login.js'

/** Where the options of an operation say that code decides about the scopes: a client's request led to it. */
export const BY_CODE = Symbol('fastback.tokenByCode')

const isByCode = (options: OperationOptions): boolean => (options as { [BY_CODE]?: true })[BY_CODE] === true

/**
 * What was proven, and when, is for a login to say (security.md, S-122), and of which program a token is for code.
 * @param isNew whether the token is being made
 */
export function withoutClaims (registry: ModelRegistry, token: Row, isNew: boolean, options: OperationOptions): void {
  delete token.authTime
  delete token.amr
  if (!isByCode(options)) delete token.appId
  // Nothing was proven for it. Where nobody asks, there is no place for that.
  if (isNew && keepsLogins(registry)) token.amr = []
}

/**
 * A new token has scopes of the one that makes it: all of them where nothing is said.
 * @throws RequestError 403 TOKEN_SCOPES_NOT_ALLOWED
 */
export function narrowScopes (token: Row, options: OperationOptions): void {
  if (isByCode(options)) return
  const { scopes: own } = (options.accessToken ?? {}) as { readonly scopes?: unknown }
  const isNarrow = Array.isArray(own) && own.length > 0
  const { scopes } = token
  if (scopes === undefined || scopes === null || (Array.isArray(scopes) && scopes.length === 0)) {
    if (isNarrow) token.scopes = [...own]
    return
  }
  const allowed: readonly unknown[] = isNarrow ? own : defaultScopes
  if (!Array.isArray(scopes) || !scopes.every(scope => allowed.includes(scope))) throw tokenScopesNotAllowed()
}
