import { createHash } from 'node:crypto'
import type { FastifyReply, FastifyRequest } from 'fastify'

/** Bytes to answer with, and what goes with them. */
export interface ServedFile {
  readonly bytes: Buffer
  readonly type: string
  readonly etag: string
}

export function textFile (text: string | Buffer, type: string): ServedFile {
  const bytes = Buffer.from(text)
  return { bytes, type, etag: `"${createHash('sha256').update(bytes).digest('base64url').slice(0, 27)}"` }
}

/** Sends a file; a browser that has it already gets 304. It asks every time, so that a new version is seen at once. */
export function sendFile (
  request: FastifyRequest,
  reply: FastifyReply,
  { bytes, type, etag }: ServedFile
): FastifyReply {
  reply.headers({ 'content-type': type, etag, 'cache-control': 'no-cache' })
  const known = request.headers['if-none-match']?.split(',').map(each => each.trim().replace(/^W\//, ''))
  return known?.includes(etag) === true ? reply.code(304).send() : reply.send(bytes)
}
