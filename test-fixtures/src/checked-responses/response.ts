/** Holds a response against what a description says of it. */
import type { IncomingHttpHeaders } from 'node:http'
import { brotliDecompressSync, gunzipSync, inflateSync } from 'node:zlib'
import type { Description, Media, Response } from './description.js'

export interface Answer {
  readonly method: string
  /** As it was asked for. */
  readonly url: string
  readonly status: number
  readonly headers: IncomingHttpHeaders
  /** Of a stream: whole events or lines of it. */
  readonly body: Buffer
}

export interface Verdict {
  /** Its id; undefined where none is described. */
  readonly operation?: string
  /**
   * `described`: the operation names the status; `default`: only its `default` covers it; `unrouted`: there is no such
   * operation, so the response had to be an error; `elsewhere`: not of the API.
   */
  readonly by: 'described' | 'default' | 'unrouted' | 'elsewhere'
  readonly faults: readonly string[]
}

/** Headers that say something about the operation, and which a client must therefore find in the description. */
const toBeDescribed = ['x-total-count', 'content-range', 'retry-after', 'allow']

/** Statuses that the framework answers with by itself: `default` does not do for them. */
const ownStatuses = new Set([400, 401, 403, 404, 405, 406, 409, 413, 415, 422, 429, 431, 503])

export function checkAnswer (description: Description, answer: Answer): Verdict {
  const place = description.place(answer.method.toLowerCase(), answer.url.split(/[?#]/, 1)[0] as string)
  if (place.kind === 'elsewhere') return { by: 'elsewhere', faults: [] }
  if (place.kind !== 'operation') return unrouted(description, answer)
  const { operation } = place
  const found = description.response(operation, answer.status)
  if (found === undefined) {
    return {
      operation: operation.operationId,
      by: 'described',
      faults: [`the status ${answer.status} is not described`]
    }
  }
  const { response, named } = found
  const unnamed =
    !named && ownStatuses.has(answer.status) ? [`the status ${answer.status} is described by "default" alone`] : []
  return {
    operation: operation.operationId,
    by: named ? 'described' : 'default',
    faults: [...unnamed, ...headerFaults(description, response, answer), ...bodyFaults(description, response, answer)]
  }
}

/**
 * No operation: what the API itself says then is an error, in the shape of all errors. Routes that applications add
 * beside it are their own business.
 */
function unrouted (description: Description, answer: Answer): Verdict {
  const { components } = description.document
  const notAllowed = answer.status === 405 ? description.shared('MethodNotAllowed') : undefined
  if (notAllowed !== undefined) {
    return {
      by: 'unrouted',
      faults: [...headerFaults(description, notAllowed, answer), ...bodyFaults(description, notAllowed, answer)]
    }
  }
  if (answer.status < 400 || answer.method === 'HEAD' || components?.schemas?.Error === undefined) {
    return { by: 'elsewhere', faults: [] }
  }
  const isJson = mediaType(answer) === 'application/json'
  return { by: 'unrouted', faults: isJson ? jsonFaults(description, components.schemas.Error, answer) : [] }
}

function headerFaults (description: Description, { headers = {} }: Response, answer: Answer): string[] {
  const described = Object.entries(headers).flatMap(([name, { schema, required }]) => {
    const value = answer.headers[name.toLowerCase()]
    if (value === undefined) return required === true ? [`the header ${name} is missing`] : []
    return description.faults(schema, typed(schema, String(value))).map(fault => `the header ${name}: ${fault}`)
  })
  const known = new Set(Object.keys(headers).map(name => name.toLowerCase()))
  const secret = toBeDescribed
    .filter(name => answer.headers[name] !== undefined && !known.has(name))
    .map(name => `the header ${name} is not described`)
  return [...described, ...secret]
}

/** A header is text; its schema says what that means. */
const typed = (schema: object, text: string): unknown =>
  ['integer', 'number'].includes((schema as { type?: string }).type as string) && text.trim() !== ''
    ? Number(text)
    : text

function bodyFaults (description: Description, { content }: Response, answer: Answer): string[] {
  if (answer.method === 'HEAD' || answer.status === 304) {
    return answer.body.length === 0 ? [] : ['a body where there must be none']
  }
  if (content === undefined) {
    return answer.body.length === 0 ? [] : [`a body of ${answer.body.length} bytes, and none is described`]
  }
  const given = answer.headers['content-type']
  if (given === undefined) return ['no content type, and a body is described']
  const media = mediaOf(content, given)
  if (media === undefined) return [`the media type ${given} is not described`]
  if (isStream(answer.headers)) return streamFaults(description, media, answer)
  // The bytes of a file are not looked into, whatever their type.
  const { schema = {} } = media as { readonly schema?: { readonly format?: string } }
  if (media.schema === undefined || schema.format === 'binary' || mediaType(answer) !== 'application/json') return []
  return jsonFaults(description, media.schema, answer)
}

/** Under its whole name, or without parameters. */
const mediaOf = (content: Readonly<Record<string, Media>>, given: string): Media | undefined =>
  content[given.toLowerCase()] ?? content[given] ?? content[bare(given)] ?? content['*/*']

const bare = (type: string): string => (type.split(';', 1)[0] as string).trim().toLowerCase()

const mediaType = ({ headers }: Answer): string => bare(headers['content-type'] ?? '')

function jsonFaults (description: Description, schema: object, answer: Answer): string[] {
  let value: unknown
  try {
    value = JSON.parse(decoded(answer))
  } catch (error) {
    return [`the body is no JSON: ${(error as Error).message}`]
  }
  return description.faults(schema, value)
}

const unpacked: Readonly<Record<string, (bytes: Buffer) => Buffer>> = {
  gzip: gunzipSync,
  deflate: inflateSync,
  br: brotliDecompressSync
}

function decoded ({ headers, body }: Answer): string {
  const unpack = unpacked[headers['content-encoding'] ?? '']
  return (unpack === undefined ? body : unpack(body)).toString('utf8')
}

/** Whether a response goes on until somebody closes it: it is checked piece by piece. */
export const isStream = (headers: IncomingHttpHeaders): boolean =>
  bare(headers['content-type'] ?? '') === 'text/event-stream' || (headers['content-type'] ?? '').includes('boundary=NL')

/** How many bytes of a stream are whole pieces: events end with an empty line, lines with their end. */
export function wholePieces (headers: IncomingHttpHeaders, bytes: Buffer): number {
  const end = bare(headers['content-type'] ?? '') === 'text/event-stream' ? '\n\n' : '\n'
  const last = bytes.lastIndexOf(end)
  return last === -1 ? 0 : last + end.length
}

function streamFaults (description: Description, media: Media, answer: Answer): string[] {
  const { 'x-itemSchema': item } = media
  if (item === undefined) return ['the pieces of the stream are not described']
  const text = answer.body.toString('utf8')
  const pieces =
    mediaType(answer) === 'text/event-stream'
      ? text
        .split('\n\n')
        .filter(event => /^event: data$/m.test(event))
        .map(event => /^data: (.*)$/m.exec(event)?.[1] ?? '')
      : text.split('\n').filter(line => line !== '')
  return pieces.flatMap(piece => description.faults(item, JSON.parse(piece)))
}
