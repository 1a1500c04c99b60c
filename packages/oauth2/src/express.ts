/** What `loopback-component-oauth2` gave to code of Express: handlers, and middleware that asks for a token. */
import { isPromise } from '@fastback/core/connector'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { NoHandlerError } from './errors.js'
import type { AuthenticateOptions } from './authenticate-options.js'
import type { Provider } from './provider.js'

/** Fastify's side of a request that Express code has in hand. */
export interface Sides { readonly request: FastifyRequest, readonly reply: FastifyReply }

/** Middleware of Express. */
export type Middleware<R extends object> = (req: R, res: unknown, next: (error?: unknown) => void) => void

/**
 * Middleware that lets requests with a good token go on, with `req.accessToken`, `req.user` and `req.authInfo`; others
 * are answered with 401 or 403, as where a path is guarded.
 *
 * ```js
 * app.get('/me', expressGuard(() => app.oauth2, sidesOf, { scope: 'email' }), (req, res) => { res.json(req.user) })
 * ```
 * @param providerOf the provider of a request's application; it may throw
 * @param sidesOf Fastify's side of a request; undefined: the request goes on to an error
 * @param options those of `authenticate`
 */
export function expressGuard<R extends object> (
  providerOf: (req: R) => Provider, sidesOf: (req: R) => Sides | undefined, options?: AuthenticateOptions
): Middleware<R> {
  const checks = new WeakMap<Provider, ReturnType<Provider['guard']['check']>>()
  return (req, _res, next) => {
    let passed
    try {
      const provider = providerOf(req)
      const check = checks.get(provider) ?? provider.guard.check(options ?? {})
      checks.set(provider, check)
      const { request, reply } = sidesOf(req) as Sides
      passed = check(request, reply)
    } catch (error) {
      next(error)
      return
    }
    if (!isPromise(passed)) {
      if (passed) next()
      return
    }
    passed.then(goesOn => { if (goesOn) next() }, next)
  }
}

/** What `oAuth2Provider(app, options)` returns. */
export interface OAuth2Handlers<R extends object> {
  /** The provider, as `app.oauth2`. */
  readonly provider: Provider
  /** A list of middleware, for `app.use(paths, handlers.authenticate({ scope: 'email' }))`. */
  authenticate (options?: AuthenticateOptions): Array<Middleware<R>>
}

const endpoints = { authorization: 'authorizePath', decision: 'decisionPath', token: 'tokenPath', revoke: 'revokePath' }

/**
 * Handlers of a provider. Endpoints are routes here: code that asks for the handler of one is told so.
 *
 * ```js
 * const handlers = oauth2Handlers(app.oauth2, sidesOf)
 * app.use('/api/orders', handlers.authenticate({ scope: 'orders' }))
 * ```
 * @throws FBK_OAUTH2_NO_HANDLER by `handlers.authorization`, `decision`, `token` and `revoke`
 */
export function oauth2Handlers<R extends object> (
  provider: Provider, sidesOf: (req: R) => Sides | undefined
): OAuth2Handlers<R> {
  const handlers = {
    provider,
    authenticate: (options?: AuthenticateOptions) => [expressGuard(() => provider, sidesOf, options)]
  }
  for (const [name, option] of Object.entries(endpoints)) {
    Object.defineProperty(handlers, name, { get () { throw new NoHandlerError(name, option) } })
  }
  return handlers
}
