/** Reads and decompresses a request body; the limit counts what comes out (security.md, S-33). */
import type { IncomingMessage } from 'node:http'
import type { Readable, Transform } from 'node:stream'
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib'
import { badRequest, tooLarge, unsupportedEncoding } from '../errors/request-errors.js'

export type BodyCallback = (error: Error | null, body?: Buffer) => void

/**
 * @param limit bytes after decompression
 * @param done gets the body, or a RequestError: 413, 415 for an unknown content encoding, 400 for data that do not unpack or stop too early
 */
export function readBody (message: IncomingMessage, payload: Readable, limit: number, done: BodyCallback): void {
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
  const finish = (error: Error | null): void => {
    source.removeListener('data', onData)
    source.removeListener('end', onEnd)
    source.removeListener('error', onError)
    source.removeListener('close', onClose)
    // A decompressor may still report errors of what is no longer wanted.
    source.on('error', () => {})
    if (error === null) done(null, chunks.length === 1 ? chunks[0] : Buffer.concat(chunks, received))
    else done(error)
  }
  const onData = (chunk: Buffer | string): void => {
    const bytes = typeof chunk === 'string' ? Buffer.from(chunk) : chunk
    received += bytes.length
    if (received > limit) finish(tooLarge())
    else chunks.push(bytes)
  }
  const onEnd = (): void => { finish(expected !== undefined && expected !== received ? badRequest('request size did not match content length') : null) }
  const onError = (): void => { finish(badRequest('the request body could not be read')) }
  const onClose = (): void => { finish(badRequest('the request was cut off')) }
  source.on('data', onData)
  source.on('end', onEnd)
  source.on('error', onError)
  source.on('close', onClose)
}
