/** The bytes of an answer: unpacked, and never more than may be. */
import { pipeline, type Readable, type Transform } from 'node:stream'
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib'
import type { Headers } from './headers.js'

/** An answer has more bytes than `maxResponseSize`, or is packed in a way that nobody here knows. */
export class AnswerError extends Error {}

const unpackers: Readonly<Record<string, () => Transform>> = {
  gzip: createGunzip,
  'x-gzip': createGunzip,
  deflate: createInflate,
  br: createBrotliDecompress
}

/**
 * The body as the service meant it. `content-encoding` and `content-length` of what was unpacked are taken away.
 * @throws AnswerError for an encoding that is not known
 */
export function unpacked (body: Readable, headers: Headers, hasBody: boolean): Readable {
  const encoding = String(headers['content-encoding'] ?? 'identity').trim().toLowerCase()
  if (encoding === 'identity' || encoding === '' || !hasBody) return body
  const unpacker = unpackers[encoding]
  if (unpacker === undefined) {
    body.on('error', () => { /* it is not read */ }).destroy()
    throw new AnswerError('the answer has a content encoding that is not known')
  }
  delete headers['content-encoding']
  delete headers['content-length']
  // Errors of either reach whoever reads what is unpacked.
  return pipeline(body, unpacker(), () => {})
}

/**
 * All bytes of an answer.
 * @param limit bytes, after unpacking
 * @throws AnswerError when there are more; then no more of it is read
 */
export function collect (body: Readable, limit: number): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    const chunks: Buffer[] = []
    let size = 0
    body.on('data', (chunk: Buffer) => {
      size += chunk.length
      if (size <= limit) {
        chunks.push(chunk)
        return
      }
      chunks.length = 0
      reject(new AnswerError(`the answer has more than ${String(limit)} bytes ("maxResponseSize")`))
      body.destroy()
    })
    body.on('error', reject)
    body.on('close', () => { reject(new AnswerError('the answer breaks off')) })
    body.on('end', () => { resolve(chunks.length === 1 ? chunks[0] as Buffer : Buffer.concat(chunks, size)) })
  })
}
