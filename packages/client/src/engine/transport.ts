/** The wire: packages/docs/sync-protocol.md. */
import { ClientError } from '../errors.js'
import type { Id } from '../store.js'
import type { Row, SentChange } from './records.js'

/** Where the API is and who calls: the options of the client that "fastback client" writes, too. */
export interface ServerOptions {
  /** Where the API is: https://example.com/api */
  readonly baseUrl: string
  /** The access token, or what gives it for each request. */
  readonly token?: string | (() => string | undefined | Promise<string | undefined>)
  /** Headers of every request. */
  readonly headers?: Record<string, string>
  /** Default: the global fetch. */
  readonly fetch?: typeof globalThis.fetch
}

export interface PulledChange {
  readonly id: Id
  readonly rev?: string
  readonly data?: Row
  readonly deleted?: true
  readonly left?: true
}

export interface PulledPage {
  readonly changes: readonly PulledChange[]
  readonly cursor: string
  readonly more: boolean
}

/** What became of a pushed change. */
export interface PushResult {
  readonly id: Id
  readonly ok?: true
  readonly rev?: string | null
  readonly data?: Row
  readonly conflict?: { readonly rev: string | null, readonly data?: Row }
  readonly error?: { readonly statusCode?: number, readonly code?: string, readonly message?: string }
}

/** What a pull asks for. */
export interface PullRequest {
  readonly after?: string | undefined
  readonly limit?: number | undefined
  readonly filter?: object | undefined
  readonly version?: number | undefined
}

/** One of server-sent events. */
export interface ServerEvent {
  readonly event: string
  readonly id: string | undefined
  /** Empty where there is none. */
  readonly data: string
}

export class Transport {
  constructor (readonly options: ServerOptions, readonly timeout: number) {}

  async pull (path: string, asked: PullRequest, signal: AbortSignal): Promise<PulledPage> {
    return await this.#json(`${path}/sync/pull${queryOf(asked)}`, {}, signal) as PulledPage
  }

  async push (
    path: string, key: string, changes: readonly SentChange[], version: number | undefined, signal: AbortSignal
  ): Promise<readonly PushResult[]> {
    const body = JSON.stringify({ changes, version })
    const headers = { 'content-type': 'application/json', 'idempotency-key': key }
    const answer = await this.#json(`${path}/sync/push`, { method: 'POST', headers, body }, signal)
    return (answer as { results: PushResult[] }).results
  }

  /** Calls `ping` whenever there may be something to pull, until the stream ends. */
  async live (path: string, asked: PullRequest, signal: AbortSignal, ping: () => void): Promise<void> {
    for await (const { event } of this.events(`${path}/sync/live${queryOf(asked)}`, signal)) {
      if (event === 'changed' || event === 'gap') ping()
    }
  }

  /** The events of a stream, no faster than they are taken, until it ends. */
  async * events (
    path: string, signal: AbortSignal, headers: Readonly<Record<string, string>> = {}
  ): AsyncGenerator<ServerEvent, void> {
    const response = await this.#send(path, { headers: { accept: 'text/event-stream', ...headers } }, signal)
    const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader()
    try {
      let text = ''
      for (let part = await reader?.read(); part !== undefined && !part.done; part = await reader?.read()) {
        const events = (text + part.value).split(/\r?\n\r?\n/)
        text = events.pop() ?? ''
        for (const each of events) {
          const event = eventOf(each)
          if (event !== undefined) yield event
        }
      }
    } catch (error) {
      signal.throwIfAborted()
      throw error instanceof ClientError ? error : offline(error)
    } finally {
      await reader?.cancel().catch(() => {})
    }
  }

  async #json (path: string, init: RequestInit, signal: AbortSignal): Promise<unknown> {
    const bound = AbortSignal.any([signal, AbortSignal.timeout(this.timeout)])
    const response = await this.#send(path, init, bound, signal)
    try {
      return await response.json()
    } catch (error) {
      signal.throwIfAborted()
      throw offline(error)
    }
  }

  /** @param caller its abort is no fault of the line */
  async #send (path: string, init: RequestInit, signal: AbortSignal, caller = signal): Promise<Response> {
    const { baseUrl, headers, token, fetch = globalThis.fetch } = this.options
    const all = new Headers({ accept: 'application/json', ...headers, ...init.headers as Record<string, string> })
    const given = typeof token === 'function' ? await token() : token
    if (given !== undefined && !all.has('authorization')) all.set('authorization', given)
    let response: Response
    try {
      response = await fetch(baseUrl.replace(/(?<!\/)\/+$/, '') + path, { ...init, headers: all, signal })
    } catch (error) {
      caller.throwIfAborted()
      throw offline(error)
    }
    if (!response.ok) throw await refusal(response)
    return response
  }
}

/** Undefined for what is no event: comments, and how long to wait. */
function eventOf (text: string): ServerEvent | undefined {
  const fields = new Map(text.split(/\r?\n/).map(line => {
    const [, name = '', value = ''] = /^([^:]*): ?(.*)$/.exec(line) ?? []
    return [name, value]
  }))
  const event = fields.get('event')
  return event === undefined ? undefined : { event, id: fields.get('id'), data: fields.get('data') ?? '' }
}

const offline = (cause: unknown): ClientError =>
  new ClientError('OFFLINE', 'The server cannot be reached.', { cause })

async function refusal (response: Response): Promise<ClientError> {
  const { status } = response
  const body = await response.json().catch(() => undefined) as { error?: unknown } | undefined
  const details = body?.error ?? body
  const { code, message } = (details ?? {}) as { code?: unknown, message?: unknown }
  const kind = status === 401 ? 'UNAUTHORIZED' : code === 'CLIENT_OUTDATED' ? code : 'REQUEST_FAILED'
  return new ClientError(kind, typeof message === 'string' ? message : `HTTP ${status}`, {
    statusCode: status, details, retryAfter: retryAfter(response.headers.get('retry-after'))
  })
}

/** Seconds, or a date (RFC 9110, 10.2.3), as milliseconds from now. */
function retryAfter (text: string | null): number | undefined {
  if (text === null) return undefined
  const wait = /^\d+$/.test(text) ? Number(text) * 1000 : Date.parse(text) - Date.now()
  return Number.isNaN(wait) ? undefined : Math.max(0, wait)
}

function queryOf (asked: PullRequest): string {
  const query = new URLSearchParams()
  for (const [name, value] of Object.entries(asked)) {
    if (value !== undefined) query.set(name, typeof value === 'object' ? JSON.stringify(value) : String(value))
  }
  const text = query.toString()
  return text === '' ? '' : `?${text}`
}
