/**
 * Tokens that somebody gave to another program, for packages that know nothing of accounts: such a program acts for its
 * user, and is not the user (security.md, S-72).
 */

/** Known by its mark: a second copy of a package knows it, too. */
export const kDelegated = Symbol.for('fastback.delegatedToken')

/** As much of such a token as says whose it is, and what it may do. */
export interface TokenOfProgram {
  readonly [kDelegated]: true
  /** Whether the method that is called names a scope that the token has: then it may do all that the method does. */
  readonly isNamed: boolean
  /** The program's id. */
  readonly appId?: unknown
  /** None: the token is the program's own. */
  readonly userId?: unknown
}

/**
 * Whether somebody gave this token to another program.
 *
 * ```js
 * if (isTokenOfProgram(options.accessToken)) throw new RequestError(403, 'Only users themselves do this.')
 * ```
 */
export const isTokenOfProgram = (token: unknown): token is TokenOfProgram =>
  token !== null && typeof token === 'object' && (token as { [kDelegated]?: unknown })[kDelegated] === true
