/** In whose name a connection subscribes. */
import type { FastifyRequest } from 'fastify'

/**
 * The request that opened the connection; with the token of `connection_init` in place of its own, where there is one.
 * Browsers cannot set headers of a connection.
 */
export function requestOf (request: FastifyRequest, params: unknown): FastifyRequest {
  const token = tokenIn(params)
  if (token === undefined) return request
  const { cookie: _, ...headers } = request.headers
  return Object.create(request, {
    headers: { value: { ...headers, authorization: token }, enumerable: true },
    // It is read with each call, as that of a request is.
    accessToken: { value: undefined, writable: true }
  }) as FastifyRequest
}

const longest = 10_000

function tokenIn (params: unknown): string | undefined {
  if (params === null || typeof params !== 'object') return undefined
  const entries = Object.entries(params).filter(([name]) => name.toLowerCase() === 'authorization')
  const [, value] = entries[0] ?? []
  return typeof value === 'string' && value.length <= longest && /^[\x20-\x7e]+$/.test(value) ? value : undefined
}
