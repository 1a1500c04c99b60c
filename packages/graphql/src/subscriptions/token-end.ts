/** The end of the token that a connection was opened with (security.md, S-43). */
import type { FastifyRequest } from 'fastify'

/** As far as `@fastback/auth` decorates it. */
interface Authenticated {
  readonly accessToken?: object | null
  readonly server: {
    readonly authentication?: {
      readonly watch: { watch (token: object): { readonly signal: AbortSignal, readonly stop: () => void } }
    }
  }
}

/**
 * Calls `end` when the token of a request has ended: a logout, a changed password, its time. A connection goes on for
 * as long as its client likes, and was judged by its token when it began.
 * @returns a function for when nobody is interested any more
 */
export function onTokenEnd (request: FastifyRequest, end: () => void): () => void {
  const { accessToken, server: { authentication } } = request as unknown as Authenticated
  if (accessToken === undefined || accessToken === null || authentication === undefined) return () => {}
  const { signal, stop } = authentication.watch.watch(accessToken)
  signal.addEventListener('abort', end, { once: true })
  return stop
}
