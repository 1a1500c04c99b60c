/** Messages of clients over WebSockets (packages/docs/live-protocol.md). */
import { defaultJsonDepth, parseJson } from '../parse/json.js'

/** The name that the client has for a query. */
type QueryName = string

export type ClientMessage =
  | {
    readonly type: 'subscribe'
    readonly query: QueryName
    /** Of the model, below the prefix of the API: `/Orders`. */
    readonly path: string
    readonly filter?: object | undefined
    /** The id of the event that the client had last. */
    readonly after?: string | undefined
  }
  | { readonly type: 'unsubscribe', readonly query: QueryName }
  /** The client has taken the event with this id, and is ready for the next one. */
  | { readonly type: 'ack', readonly query: QueryName, readonly event: string }

/**
 * Reads a message; undefined: it is none.
 *
 * ```js
 * readMessage('{"type":"unsubscribe","query":"open"}') // { type: 'unsubscribe', query: 'open' }
 * ```
 */
export function readMessage (text: string): ClientMessage | undefined {
  const given = parsed(text)
  if (given === null || typeof given !== 'object') return undefined
  const { type, query, path, filter, after, event } = given as Record<string, unknown>
  if (!isName(query)) return undefined
  switch (type) {
    case 'subscribe':
      if (typeof path !== 'string' || !isFilter(filter) || !(after === undefined || isName(after))) return undefined
      return { type, query, path, filter, after }
    case 'unsubscribe': return { type, query }
    case 'ack': return isName(event) ? { type, query, event } : undefined
    default: return undefined
  }
}

function parsed (text: string): unknown {
  try {
    return parseJson(text, defaultJsonDepth)
  } catch {
    return undefined
  }
}

const isName = (value: unknown): value is string =>
  typeof value === 'string' && value.length > 0 && value.length <= 100 && !/[\r\n\0]/.test(value)

const isFilter = (value: unknown): value is object | undefined =>
  value === undefined || (value !== null && typeof value === 'object' && !Array.isArray(value))
