/** Answers: their headers, and their bytes as the service meant them. */
import { pipeline, type Readable, type Transform } from 'node:stream'
import { createBrotliDecompress, createGunzip, createInflate } from 'node:zlib'
import type { Headers } from './headers.js'

/** A response has more bytes than `maxResponseSize`, or is packed in a way that nobody here knows. */
export class ResponseError extends Error {}

export const tooLarge = (limit: number): ResponseError =>
  new ResponseError(`the response has more than ${String(limit)} bytes ("maxResponseSize")`)

const unpackers: Readonly<Record<string, () => Transform>> = {
  gzip: createGunzip,
  'x-gzip': createGunzip,
  deflate: createInflate,
  br: createBrotliDecompress
}

/**
 * What unpacks a response of these headers; undefined where it is not packed. `content-encoding` and `content-length`
 * are taken away then.
 * @throws ResponseError for an encoding that is not known
 */
export function unpackerOf (headers: Headers): Transform | undefined {
  const encoding = headers['content-encoding']
  if (encoding === undefined) return undefined
  const name = String(encoding).trim().toLowerCase()
  if (name === 'identity' || name === '') return undefined
  const unpacker = unpackers[name]
  if (unpacker === undefined) throw new ResponseError('the response has a content encoding that is not known')
  delete headers['content-encoding']
  delete headers['content-length']
  return unpacker()
}

/** Whether a response can have a body at all. */
export const mayHaveBody = (method: string, statusCode: number): boolean =>
  method !== 'HEAD' && statusCode !== 204 && statusCode !== 304

/**
 * A body that is read as it comes, unpacked.
 * @throws ResponseError
 */
export function unpacked (body: Readable, headers: Headers): Readable {
  let unpacker: Transform | undefined
  try {
    unpacker = unpackerOf(headers)
  } catch (error) {
    body.on('error', () => { /* it is not read */ }).destroy()
    throw error
  }
  // Errors of either reach anyone who reads what is unpacked.
  return unpacker === undefined ? body : pipeline(body, unpacker, () => {})
}

/** Headers as they come: names and values alternately. */
export function headersOf (raw: readonly Buffer[]): Headers {
  const headers: Headers = {}
  for (let i = 0; i + 1 < raw.length; i += 2) {
    const name = (raw[i] as Buffer).toString('latin1').toLowerCase()
    const value = (raw[i + 1] as Buffer).toString('latin1')
    // Nobody means it, and it would be no header of the object.
    if (name === '__proto__') continue
    const before = Object.hasOwn(headers, name) ? headers[name] : undefined
    headers[name] = before === undefined ? value : Array.isArray(before) ? [...before, value] : [before, value]
  }
  return headers
}
