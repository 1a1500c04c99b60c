/** What differs where a function is called over REST. */
import { Readable } from 'node:stream'
import type { CallSignal, HttpMethod } from '@fastback/service-client'
import type { RestResponse } from './response.js'
import type { Operation } from './operation.js'

/** What of the context of a call is used here. */
interface CallContext {
  readonly methodString: string
  readonly reply: {
    readonly raw: { readonly writableFinished: boolean, once (event: 'close', listener: () => void): unknown }
    header (name: string, value: unknown): unknown
  }
}

export interface RemoteCall {
  readonly context: CallContext
  /** Of GET: a caller who goes away ends the call of the service (service-connectors.md, LI-4). */
  readonly signal: CallSignal | undefined
}

/**
 * The call over REST that an argument tells of; undefined for calls in JavaScript.
 *
 * ```js
 * const remote = remoteCallOf(args[2], 'GET')
 * await call(args, remote?.signal)
 * ```
 */
export function remoteCallOf (given: unknown, method: HttpMethod): RemoteCall | undefined {
  if (!isContext(given)) return undefined
  if (method !== 'GET') return { context: given, signal: undefined }
  return { context: given, signal: new Departure(given.reply.raw) }
}

/** A caller who goes away. There is one for each call, which an `AbortSignal` is too dear for. */
class Departure implements CallSignal {
  #listener: (() => void) | undefined
  aborted = false
  reason: unknown

  constructor (raw: CallContext['reply']['raw']) {
    raw.once('close', () => {
      if (raw.writableFinished) return
      this.aborted = true
      this.reason = new Error('the caller has gone away')
      this.#listener?.()
    })
  }

  addEventListener (event: 'abort', listener: () => void): void { this.#listener = listener }
  removeEventListener (): void { this.#listener = undefined }
}

const isContext = (given: unknown): given is CallContext =>
  typeof given === 'object' && given !== null && 'methodString' in given && 'reply' in given

/**
 * What goes over REST: no headers that were sent (SC-T9), text that is JSON as JSON where it was not parsed (SC-T12),
 * the type of a stream (SC-T14).
 */
export function toRemote (
  { isJson, operation }: Operation, result: unknown, response: RestResponse | undefined, { context }: RemoteCall
): unknown {
  if (result instanceof Readable) {
    const type = response?.headers['content-type']
    if (type !== undefined) context.reply.header('content-type', type)
    return result
  }
  if (operation.template.fullResponse === true && response !== undefined) {
    const { statusCode, headers, body } = response
    return { statusCode, headers, body }
  }
  return !isJson && typeof result === 'string' ? parsed(result) : result
}

function parsed (text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}
