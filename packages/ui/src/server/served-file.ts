import { createHash } from 'node:crypto'
import { promisify } from 'node:util'
import { gzip } from 'node:zlib'
import type { FastifyReply, FastifyRequest } from 'fastify'
import Negotiator from 'negotiator'

/** Bytes to answer with, and what goes with them. */
export interface ServedFile {
  readonly bytes: Buffer
  readonly type: string
  /** Weak: the same for the compressed bytes. */
  readonly etag: string
  /** The bytes compressed, once. */
  readonly gzipped: () => Promise<Buffer>
}

/** As small as it gets: it is done once. */
const compress = async (bytes: Buffer): Promise<Buffer> => await promisify(gzip)(bytes, { level: 9 })

/**
 * A file of this text, or these bytes, with its tag.
 *
 * ```js
 * textFile('{}', 'application/json').etag // 'W/"RBNvo1WzZ4oRRq0W9-hknpT7T8I"'
 * ```
 */
export function textFile (text: string | Buffer, type: string): ServedFile {
  const bytes = Buffer.from(text)
  let gzipped: Promise<Buffer> | undefined
  return {
    bytes,
    type,
    etag: `W/"${createHash('sha256').update(bytes).digest('base64url').slice(0, 27)}"`,
    gzipped: () => (gzipped ??= compress(bytes))
  }
}

/**
 * Sends a file, compressed where the client takes that; a browser that has it already gets 304. It asks every time, so
 * that a new version is seen at once.
 *
 * ```js
 * app.get('/models.json', (request, reply) => sendFile(request, reply, textFile('[]', 'application/json')))
 * ```
 */
export async function sendFile (request: FastifyRequest, reply: FastifyReply, file: ServedFile): Promise<FastifyReply> {
  const { bytes, type, etag } = file
  reply.headers({ 'content-type': type, etag, 'cache-control': 'no-cache', vary: 'accept-encoding' })
  const known = request.headers['if-none-match']?.split(',').map(each => opaque(each.trim()))
  if (known?.includes(opaque(etag)) === true) return reply.code(304).send()
  if (new Negotiator(request.raw).encoding(['gzip', 'identity']) !== 'gzip') return reply.send(bytes)
  return reply.header('content-encoding', 'gzip').send(await file.gzipped())
}

/** Without the mark of weak tags: `If-None-Match` compares without it (RFC 9110, 13.1.2). */
const opaque = (etag: string): string => etag.replace(/^W\//, '')
