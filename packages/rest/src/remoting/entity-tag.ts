/** Responses to clients that have the same text already, as Express gives them (RFC 9110, section 13). */
import etag from 'etag'
import type { FastifyReply, FastifyRequest } from 'fastify'
import fresh from 'fresh'

/**
 * Marks what a read gives by its content; who shows that mark gets 304 and no text.
 *
 * ```js
 * scope.addHook('onSend', respondNotModified)
 * ```
 */
export async function respondNotModified (
  { method, headers }: FastifyRequest, reply: FastifyReply, payload: unknown
): Promise<unknown> {
  const isRead = method === 'GET' || method === 'HEAD'
  if (!isRead || reply.statusCode !== 200 || !(typeof payload === 'string' || Buffer.isBuffer(payload))) return payload
  if (!reply.hasHeader('etag')) reply.header('etag', etag(payload, { weak: true }))
  if (!fresh(headers, { etag: reply.getHeader('etag') })) return payload
  reply.code(304).removeHeader('content-type')
  return null
}
