/** Which format a response has, decided before the method runs (security.md, S-54). */
import type { FastifyRequest } from 'fastify'
import Negotiator from 'negotiator'
import { notAcceptable } from '../errors/request-errors.js'
import { parseFields, queryText } from '../parse/query.js'

export type Format = 'json' | 'api+json' | 'jsonp' | 'xml' | 'event-stream' | 'ndjson' | 'csv'

export interface FormatOptions {
  /** Whether XML is on offer. */
  readonly xml: boolean
  /** Media types on offer; undefined: JSON, and XML if switched on. JSONP only where it is named. */
  readonly supportedTypes?: readonly string[] | undefined
}

const byType: Readonly<Record<string, Format>> = {
  'application/json': 'json',
  json: 'json',
  'application/vnd.api+json': 'api+json',
  'application/javascript': 'jsonp',
  'text/javascript': 'jsonp',
  'application/xml': 'xml',
  'text/xml': 'xml',
  xml: 'xml',
  'text/event-stream': 'event-stream',
  'event-stream': 'event-stream',
  'application/x-ndjson': 'ndjson',
  ndjson: 'ndjson',
  'text/csv': 'csv',
  csv: 'csv'
}

/** Formats that only some methods have, whatever types are on offer. */
const ofSome: ReadonlySet<Format | undefined> = new Set([undefined, 'event-stream', 'ndjson', 'csv'])

/** The media types on offer, best first. */
export function offeredTypes ({ xml, supportedTypes }: FormatOptions): string[] {
  const written = supportedTypes ?? ['json', ...(xml ? ['xml'] : [])]
  const offered = written.flatMap(type =>
    type === 'json' || type === '*/*' ? ['application/json'] : type === 'xml' ? ['application/xml', 'text/xml'] : [type]
  )
  const usable = [...new Set(offered)].filter(type => !ofSome.has(byType[type]))
  return usable.length === 0 ? ['application/json'] : usable
}

/**
 * The format for a request. Most ask for JSON or say nothing.
 * @param streams whether the method gives a stream of objects: events then, unless JSON is asked for
 * @throws RequestError 406
 */
export function chooseFormat (request: FastifyRequest, offered: readonly string[], streams: boolean): Format {
  const { accept } = request.headers
  const url = request.raw.url as string
  if ((accept === undefined || accept === '*/*' || accept === 'application/json') && !url.includes('_format=')) {
    return streams && accept !== 'application/json' ? 'event-stream' : byType[offered[0] as string] ?? 'json'
  }
  const wanted = formatOfQuery(url)
  const types = streams ? ['text/event-stream', ...offered] : offered
  if (wanted === undefined && types.length === 1 && takesPlainly(accept, types[0] as string)) {
    return byType[types[0] as string] ?? 'json'
  }
  if (wanted !== undefined) {
    const format = byType[wanted]
    if (format === undefined || !types.some(type => byType[type] === format)) throw notAcceptable()
    return format
  }
  const [best] = new Negotiator({ headers: { accept: accept ?? '*/*' } }).mediaTypes([...types])
  if (best !== undefined) return byType[best] ?? 'json'
  // Who names the form of errors alone says nothing of results.
  if (accept?.includes('application/problem+json') === true) return byType[offered[0] as string] ?? 'json'
  throw notAcceptable()
}

/**
 * Whether a type, or any, is on a list without weights, which is what scripts in browsers send: nothing to weigh where
 * one type is all there is.
 */
function takesPlainly (accept: string | undefined, type: string): boolean {
  return accept !== undefined && !accept.includes(';') && (accept.includes(type) || accept.includes('*/*'))
}

export function formatOfQuery (url: string): string | undefined {
  const text = url.includes('_format=') ? queryText(url) : undefined
  const format = text === undefined ? undefined : parseFields(text)._format
  return typeof format === 'object' ? '' : format as string | undefined
}
