import { tracingChannel } from 'node:diagnostics_channel'

/** What subscribers of `fastback:service.call` are told of a call. Never values of it. */
export interface ServiceTrace {
  readonly dataSource: string
  readonly operation: string
  readonly method: string
  /** Of the first address, with its port. */
  readonly host: string
  /**
   * Headers that a subscriber of `start` adds to the call, as `traceparent` of W3C Trace Context; those of the call
   * itself come first. Not sent to hosts that a caller chose, nor after a redirect to another origin.
   */
  readonly propagated: Record<string, string>
  /** Of the response; undefined where there is none. */
  status?: number
  /** From the call to its response; undefined before. */
  milliseconds?: number
}

const channel = tracingChannel<unknown, ServiceTrace>('fastback:service.call')
const parts = [channel.start, channel.end, channel.asyncStart, channel.asyncEnd, channel.error]

/**
 * Tells of a call where anybody listens.
 *
 * ```js
 * tracingChannel('fastback:service.call').subscribe({ asyncEnd ({ operation, status, milliseconds }) { … } })
 * ```
 */
export function traced<T> (trace: ServiceTrace, run: () => Promise<T>): Promise<T> {
  return parts.some(part => part.hasSubscribers) ? channel.tracePromise(run, trace) : run()
}
