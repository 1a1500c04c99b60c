/** Answers to clients that have the same text already, as Express gives them (RFC 9110, section 13). */
import { createHash } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'

/**
 * Marks what a read gives by its content; who shows that mark gets 304 and no text.
 *
 * ```js
 * scope.addHook('onSend', answerUnchanged)
 * ```
 */
export async function answerUnchanged (
  { method, headers }: FastifyRequest, reply: FastifyReply, payload: unknown
): Promise<unknown> {
  const isRead = method === 'GET' || method === 'HEAD'
  if (!isRead || reply.statusCode !== 200 || !(typeof payload === 'string' || Buffer.isBuffer(payload))) return payload
  const given = reply.getHeader('etag')
  const tag = typeof given === 'string' ? given : `W/"${createHash('sha1').update(payload).digest('base64url')}"`
  reply.header('etag', tag)
  if (!names(headers['if-none-match'], tag)) return payload
  reply.code(304).removeHeader('content-type')
  return null
}

/** Weakly compared: the mark says nothing of how the text is encoded. */
function names (header: string | undefined, tag: string): boolean {
  const bare = (each: string): string => each.trim().replace(/^W\//, '')
  return header !== undefined && header.split(',').some(each => each.trim() === '*' || bare(each) === bare(tag))
}
