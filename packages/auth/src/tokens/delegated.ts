/**
 * Tokens that somebody gave to another program (OAuth). Such a program acts for its user, but it is not the user: it
 * decides nothing about credentials, unless the method it calls names a scope (`accessScopes`) that the token has
 * (security.md, S-72).
 */
import type { MaybePromise } from '@fastback/core'
import { isTokenOfProgram, kDelegated, sharedMethodOf } from '@fastback/core/remote'
import type { FastifyInstance, FastifyReply, FastifyRequest, RouteOptions } from 'fastify'
import { insufficientScope } from '../errors.js'

/**
 * What packages that give tokens to other programs make their tokens of. One for each request.
 *
 * ```js
 * class ProgramToken extends DelegatedToken {
 *   stillHolds () { return programs.has(this.programId) }
 * }
 * ```
 */
export abstract class DelegatedToken {
  [property: string]: unknown
  #isNamed = false

  /** Whether the token is good still, looked up anew. Throwing means no. */
  abstract stillHolds (): MaybePromise<boolean>

  get [kDelegated] (): true {
    return true
  }

  /** Whether the method that is called names a scope that the token has: then it may do all that the method does. */
  get isNamed (): boolean {
    return this.#isNamed
  }

  /** @param scopes those that the method names */
  meet (scopes: readonly string[]): void {
    const { scopes: own } = this
    this.#isNamed = Array.isArray(own) && scopes.some(scope => own.includes(scope))
  }
}

/**
 * Whether somebody gave this token to another program.
 *
 * ```js
 * if (isDelegated(request.accessToken)) reply.code(403)
 * ```
 */
export const isDelegated = (token: unknown): token is DelegatedToken => isTokenOfProgram(token)

/**
 * Refuses what only users themselves decide. Code that means to decide it for them does not hand the caller's token on.
 *
 * ```js
 * Customer.beforeRemote('prototype.closeAccount', async ctx => { refuseDelegated(ctx.req.accessToken) })
 * ```
 * @throws RequestError 403 INSUFFICIENT_SCOPE
 */
export function refuseDelegated (token: unknown): void {
  if (isDelegated(token) && !token.isNamed) throw insufficientScope()
}

/**
 * Tells delegated tokens which scopes a method names, on the routes of methods that name some. To be called before the
 * routes are registered.
 */
export function exposeNamedScopes (app: FastifyInstance): void {
  app.addHook('onRoute', (route: RouteOptions) => {
    const scopes = sharedMethodOf(route)?.accessScopes
    if (scopes === undefined) return
    const tell = ({ accessToken }: FastifyRequest, _reply: FastifyReply, done: () => void): void => {
      if (isDelegated(accessToken)) accessToken.meet(scopes)
      done()
    }
    route.preHandler = [...[route.preHandler ?? []].flat(), tell]
  })
}
