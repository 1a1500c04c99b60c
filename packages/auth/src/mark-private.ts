import type { FastifyReply } from 'fastify'

/**
 * What is answered to one who carries a token is for the caller alone: no cache between gives it to others
 * (security.md, S-52). Who has said something of caches before is left alone.
 *
 * ```js
 * markPrivate(reply) // cache-control: private, no-cache
 * ```
 */
export function markPrivate (reply: FastifyReply): void {
  if (!reply.hasHeader('cache-control')) reply.header('cache-control', 'private, no-cache')
}
