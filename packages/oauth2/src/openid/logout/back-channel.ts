/**
 * Sends logout tokens to clients (OI-133, OI-134): beside the response to the browser and not before it, three times at
 * most. Nothing of this keeps a process from ending.
 */
import { request as http, type RequestOptions } from 'node:http'
import { request as https } from 'node:https'
import { Outgoing } from '@fastback/core/outgoing'

/** One message to one client. */
export interface LogoutMessage {
  readonly clientId: string
  readonly uri: string
  /** Makes the form's `logout_token`; called once, and not while somebody waits for a response. */
  readonly token: () => Promise<string>
}

export interface BackChannelOptions {
  /** Networks that may be called though they are not public. */
  readonly allow: readonly string[]
  /** Whether http to this machine is refused, too. */
  readonly production: boolean
  readonly failed: (clientId: string, error: Error) => void
  /** Milliseconds before the second and the third try. Default: 1 and 10 s. */
  readonly pauses?: readonly number[]
}

const timeout = 5000
/** Bytes of a response that are read. */
const limit = 4096
/** Messages that are under way at once, and those that wait. */
const parallel = 20
const mostWaiting = 10_000

const isLoopback = (hostname: string): boolean =>
  hostname === 'localhost' || hostname === '[::1]' || /^127(?:\.\d{1,3}){3}$/.test(hostname)

/**
 * Why an address cannot get logout tokens; undefined if it can.
 *
 * ```js
 * backChannelFault('http://shop.example/logout', true) // 'it must be https'
 * ```
 */
export function backChannelFault (uri: string, production: boolean): string | undefined {
  if (!URL.canParse(uri)) return 'it is no absolute URI'
  const { protocol, hostname, username, password } = new URL(uri)
  if (username !== '' || password !== '') return 'it has a user name'
  if (protocol === 'https:') return undefined
  return protocol === 'http:' && !production && isLoopback(hostname) ? undefined : 'it must be https'
}

export class BackChannel {
  readonly #outgoing: Outgoing
  /** For http to this machine outside production, and nothing else. */
  readonly #loopback = new Outgoing({ allow: ['127.0.0.0/8', '::1'] })
  readonly #waiting: LogoutMessage[] = []
  readonly #timers = new Set<() => void>()
  readonly #closing = new AbortController()
  #running = 0

  constructor (readonly options: BackChannelOptions) {
    this.#outgoing = new Outgoing({ allow: options.allow })
  }

  /** Returns at once. What fails in the end is reported to `failed`. */
  send (messages: readonly LogoutMessage[]): void {
    for (const message of messages) {
      if (this.#closing.signal.aborted || this.#waiting.length >= mostWaiting) {
        this.options.failed(message.clientId, new Error('Too much is waiting to be sent.'))
      } else this.#waiting.push(message)
    }
    // Not in this tick: the response goes first.
    setImmediate(() => { this.#next() })
  }

  /** Ends what is under way; what waits is not sent. */
  close (): void {
    this.#closing.abort(new Error('The server is closing.'))
    for (const wake of this.#timers) wake()
  }

  #next (): void {
    while (this.#running < parallel) {
      const message = this.#waiting.shift()
      if (message === undefined) return
      this.#running++
      const next = (): void => {
        this.#running--
        this.#next()
      }
      // It reports its failures itself.
      this.#deliver(message).then(next, next)
    }
  }

  async #deliver ({ clientId, uri, token }: LogoutMessage): Promise<void> {
    const pauses = this.options.pauses ?? [1000, 10_000]
    let last: unknown
    try {
      const fault = backChannelFault(uri, this.options.production)
      if (fault !== undefined) throw new Error(`The address of the client cannot be called: ${fault}.`)
      const body = new URLSearchParams({ logout_token: await token() }).toString()
      for (const pause of [undefined, ...pauses]) {
        // Jitter: clients of one session are not called again at the same time.
        if (pause !== undefined) await this.#sleep(pause * (0.75 + Math.random() / 2))
        this.#closing.signal.throwIfAborted()
        try {
          await this.#post(new URL(uri), body)
          return
        } catch (error) {
          last = error
        }
      }
    } catch (error) {
      last = error
    }
    this.options.failed(clientId, last as Error)
  }

  #sleep (time: number): Promise<void> {
    return new Promise(resolve => {
      const wake = (): void => {
        clearTimeout(timer)
        this.#timers.delete(wake)
        resolve()
      }
      const timer = setTimeout(wake, time).unref()
      this.#timers.add(wake)
    })
  }

  /** Redirects are not followed: any status but 2xx is a failure. */
  #post (url: URL, body: string): Promise<void> {
    const isPlain = url.protocol === 'http:'
    const options: RequestOptions = {
      method: 'POST',
      agent: isPlain ? this.#loopback.http : this.#outgoing.https,
      signal: AbortSignal.any([this.#closing.signal, AbortSignal.timeout(timeout)]),
      headers: {
        'content-type': 'application/x-www-form-urlencoded',
        'content-length': Buffer.byteLength(body),
        accept: 'application/json'
      }
    }
    return new Promise((resolve, reject) => {
      const request = (isPlain ? http : https)(url, options, response => {
        const { statusCode = 0 } = response
        if (statusCode < 200 || statusCode > 299) {
          response.destroy()
          reject(new Error(`The client responded with ${String(statusCode)}.`))
          return
        }
        let size = 0
        response.on('data', (part: Buffer) => {
          size += part.length
          if (size > limit) response.destroy()
        })
        response.on('close', () => { resolve() })
        response.on('error', () => { resolve() })
      })
      request.on('socket', socket => { socket.unref() })
      request.on('error', reject)
      request.end(body)
    })
  }
}
