/** What a service answered. */
import type { Readable } from 'node:stream'
import type { Headers, ServiceResponse } from '@fastback/service-client'
import type { RestRequest } from './request.js'

/** The third argument of callbacks, and the result of templates with `fullResponse`. */
export interface RestResponse {
  readonly statusCode: number
  /** Names in lower case. */
  readonly headers: Headers
  /** Parsed JSON, text, bytes or a stream; undefined where there was none. */
  body: unknown
  readonly request: RestRequest
}

/** How deep JSON may be nested (service-connectors.md, SC-S9). */
const mostLevels = 100

/** JSON that is nested deeper. */
export class DepthError extends Error {
  constructor () {
    super(`the response is nested more than ${String(mostLevels)} levels deep`)
  }
}

/**
 * Reads a response: JSON whatever its type says, text where it is none (SC-T12).
 * @throws DepthError
 */
export function responseOf (
  { statusCode, headers, body }: ServiceResponse<Buffer | Readable>, request: RestRequest
): RestResponse {
  return { statusCode, headers, request, body: Buffer.isBuffer(body) ? contentOf(body, request) : body }
}

function contentOf (body: Buffer, { encoding, json }: RestRequest): unknown {
  if (encoding === null) return body
  if (body.length === 0) return undefined
  const text = body.toString(encoding !== undefined && Buffer.isEncoding(encoding) ? encoding : 'utf8')
  if (json !== true) return text
  if (isDeep(text)) throw new DepthError()
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

/** Whether more brackets are open at once than may be; those in texts do not count. */
function isDeep (text: string): boolean {
  // Most responses have too few of them altogether.
  if (text.length <= mostLevels) return false
  let depth = 0
  for (let i = 0; i < text.length; i++) {
    switch (text.charCodeAt(i)) {
      case 0x22:
        i = endOfText(text, i)
        break
      case 0x5b: case 0x7b:
        if (++depth > mostLevels) return true
        break
      case 0x5d: case 0x7d:
        depth--
    }
  }
  return false
}

/** Where a JSON text that begins at a position ends. */
function endOfText (text: string, start: number): number {
  let end = text.indexOf('"', start + 1)
  while (end > 0 && isEscaped(text, end)) end = text.indexOf('"', end + 1)
  return end < 0 ? text.length : end
}

function isEscaped (text: string, position: number): boolean {
  let slashes = 0
  while (text.charCodeAt(position - 1 - slashes) === 0x5c) slashes++
  return slashes % 2 === 1
}
