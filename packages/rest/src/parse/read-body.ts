/** Reads and decompresses a request body; the limit counts what comes out (security.md, S-33). */
import type { IncomingMessage } from 'node:http'
import type { Readable, Transform } from 'node:stream'
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib'
import { badRequest, tooLarge, unsupportedEncoding } from '../errors/request-errors.js'

export type BodyCallback = (error: Error | null, body?: Buffer) => void

/**
 * @param limit bytes after decompression
 * @param given gets the body, or a RequestError: 413, 415 for an unknown content encoding, 400 for data that do not
 * unpack or stop too early
 */
export function readBody (message: IncomingMessage, payload: Readable, limit: number, given: BodyCallback): void {
  const done: BodyCallback = (error, body) => {
    if (error === null) given(null, body)
    else afterTheRest(payload, () => { given(error) })
  }
  const encoding = (message.headers['content-encoding'] ?? 'identity').trim().toLowerCase()
  const length = Number(message.headers['content-length'])
  if (length > limit && encoding === 'identity') {
    done(tooLarge())
    return
  }
  if (encoding === 'identity') {
    collect(payload, limit, Number.isNaN(length) ? undefined : length, done)
    return
  }
  const unpack = decompressor(encoding)
  if (unpack === undefined) {
    done(unsupportedEncoding(`unsupported content encoding "${encoding}"`))
    return
  }
  payload.on('error', error => { unpack.destroy(error) })
  collect(payload.pipe(unpack), limit, undefined, (error, body) => {
    payload.unpipe(unpack)
    unpack.destroy()
    done(error, body)
  })
}

/** Milliseconds that the rest of a refused body may take. */
const patience = 1_000

/**
 * Lets the rest of a refused body go by, unread. Where the connection ends with the response, closing it while the
 * client still sends would take the response with it: the client would see a broken connection, and never why.
 *
 * ```js
 * afterTheRest(request.raw, () => { reply.code(413).send() })
 * ```
 */
export function afterTheRest (payload: Readable, then: () => void): void {
  if (payload.readableEnded || payload.destroyed) {
    then()
    return
  }
  const finish = (): void => {
    clearTimeout(timer)
    payload.off('end', finish).off('close', finish)
    then()
  }
  const timer = setTimeout(finish, patience)
  payload.once('end', finish).once('close', finish).resume()
}

function decompressor (encoding: string): Transform | undefined {
  switch (encoding) {
    case 'gzip': return createGunzip()
    case 'deflate': return createInflate()
    case 'br': return createBrotliDecompress()
  }
}

function collect (source: Readable, limit: number, expected: number | undefined, done: BodyCallback): void {
  const chunks: Buffer[] = []
  let received = 0
  // The listeners stay, and do nothing any more: taking them off would cost every request, and a decompressor may still
  // report errors.
  let finished = false
  const finish = (failure?: () => Error): void => {
    if (finished) return
    finished = true
    if (failure === undefined) done(null, chunks.length === 1 ? chunks[0] : Buffer.concat(chunks, received))
    else done(failure())
  }
  source.on('data', (chunk: Buffer | string) => {
    if (finished) return
    const bytes = typeof chunk === 'string' ? Buffer.from(chunk) : chunk
    received += bytes.length
    if (received > limit) finish(tooLarge)
    else chunks.push(bytes)
  })
  source.on('end', () => {
    finish(
      expected !== undefined && expected !== received
        ? () => badRequest('request size did not match content length')
        : undefined
    )
  })
  source.on('error', () => { finish(() => badRequest('the request body could not be read')) })
  source.on('close', () => { finish(() => badRequest('the request was cut off')) })
}
