import type { Readable } from 'node:stream'
import type { ConnectorLog } from '@fastback/core'
import type { OutgoingOptions } from '@fastback/core/outgoing'
import type { Headers } from './headers.js'

export type HttpMethod = 'GET' | 'HEAD' | 'POST' | 'PUT' | 'DELETE' | 'OPTIONS' | 'PATCH'

/** What a client knows of where it is used. */
export interface ServiceClientContext {
  /** Name of the data source, for errors and logs. */
  readonly dataSource: string
  readonly log: Pick<ConnectorLog, 'debug'>
  /** Looks names up that `allowHosts` only names by a pattern. Default: as the system does. */
  readonly resolve?: OutgoingOptions['resolve']
}

/** Tells that nobody waits any more: an `AbortSignal`, or what costs less. */
export interface CallSignal {
  readonly aborted: boolean
  /** What the call ends with. */
  readonly reason: unknown
  addEventListener (event: 'abort', listener: () => void): unknown
  removeEventListener (event: 'abort', listener: () => void): unknown
}

/** One call to a service. */
export interface ServiceCall {
  /** The operation, for logs and traces. */
  readonly name: string
  readonly method: HttpMethod
  /** Absolute. Credentials in it are sent as a header. */
  readonly url: string | URL
  readonly headers?: Readonly<Headers>
  readonly body?: string | Buffer | Readable | undefined
  /** Milliseconds for the whole call; 0 for no end. Default: the setting. */
  readonly timeout?: number | undefined
  /** Ends the call when nobody waits for it any more. */
  readonly signal?: CallSignal | undefined
  /** Whether it may be tried again whatever its method is (LI-2). Default: by `retry.methods`. */
  readonly idempotent?: boolean | undefined
  /** Whether answers below 300 are given as they come, without a limit on their size. Default: false. */
  readonly stream?: boolean | undefined
  /** Default: the setting. */
  readonly followRedirect?: boolean | undefined
  /** Default: the setting. */
  readonly followAllRedirects?: boolean | undefined
  /** Default: the setting. */
  readonly maxRedirects?: number | undefined
  /**
   * Whether the caller's values made the host of `url`: then `allowHosts` must name it (SC-S4). Default: false, the
   * configuration names it.
   */
  readonly foreignHost?: boolean | undefined
}

/** The last response of a call. */
export interface ServiceResponse<Body extends Buffer | Readable = Buffer> {
  readonly statusCode: number
  /** Names in lower case. */
  readonly headers: Headers
  readonly body: Body
  /** Where it came from, after redirects; without credentials. */
  readonly url: string
}
