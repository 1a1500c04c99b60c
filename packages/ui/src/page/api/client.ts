/** Requests to the public API, with the token of who logged in. */
import { signal } from '@preact/signals'
import { plainId, type Action, type ApiDescription } from './description.js'
import type { Token } from './token.js'
import { upload } from './upload.js'
import { readViolations, type Violation } from './violations.js'

/** What the API refused, in words to show. */
export class RefusedError extends Error {
  /** @param now of a 412: the row as it is, with its tag, where the API shows it */
  constructor (
    readonly status: number, message: string, readonly violations: readonly Violation[],
    readonly now?: { readonly row: object, readonly tag: string | null }
  ) {
    super(message)
  }

  /** Whether it is a matter of who asks. */
  get isForbidden (): boolean {
    return this.status === 401 || this.status === 403
  }
}

export interface Call {
  /** The value of the path's first parameter. */
  readonly id?: unknown
  /** The value of its second: of a related row. */
  readonly key?: unknown
  readonly query?: Readonly<Record<string, unknown>>
  readonly body?: unknown
  readonly headers?: Readonly<Record<string, string>>
}

export interface ApiResponse {
  readonly value: unknown
  readonly headers: Headers
}

export class Api {
  readonly #refused = signal<ReadonlySet<string>>(new Set())

  constructor (readonly description: ApiDescription, readonly token: Token) {
    token.onChange(() => { this.#refused.value = new Set() })
  }

  /**
   * Whether it is worth asking: the description has the operation, and it was not refused since the login. Reads a
   * signal: components that use it are drawn again when that changes.
   * @param id of the row, for operations on one
   */
  may (action: Action | undefined, id?: unknown): action is Action {
    return action !== undefined && !this.#refused.value.has(keyOf(action, id))
  }

  /**
   * @throws RefusedError for every status but 2xx, and where no response comes
   */
  async call (action: Action, call: Call = {}): Promise<ApiResponse> {
    const response = await this.#send(action, call)
    if (!response.ok) {
      const refused = await refusal(response, this.token.value !== '')
      if (refused.isForbidden) this.#refuse(action, call)
      throw refused
    }
    const text = await response.text()
    return { value: text === '' ? undefined : JSON.parse(text) as unknown, headers: response.headers }
  }

  /** The response as it comes: a stream, a file. @throws RefusedError */
  async open (action: Action, call: Call, accept: string, signal?: AbortSignal): Promise<Response> {
    const response = await this.#send(action, { ...call, headers: { accept, ...call.headers } }, signal)
    if (response.ok) return response
    const refused = await refusal(response, this.token.value !== '')
    if (refused.isForbidden) this.#refuse(action, call)
    throw refused
  }

  #refuse (action: Action, { id }: Call): void {
    this.#refused.value = new Set(this.#refused.peek()).add(keyOf(action, id))
  }

  async #send (
    action: Action, { id, key, query = {}, body, headers = {} }: Call, signal?: AbortSignal
  ): Promise<Response> {
    const isForm = body instanceof FormData
    const request = {
      method: action.verb,
      headers: {
        accept: 'application/json',
        ...body === undefined || isForm ? {} : { 'content-type': 'application/json' },
        ...headers,
        ...this.token.headers
      }
    }
    const url = this.#urlOf(action, [id, key], query)
    try {
      if (isForm) return await upload({ url, ...request, body }, new AbortController().signal, () => {})
      return await fetch(url, {
        ...request,
        cache: 'no-store',
        ...signal === undefined ? {} : { signal },
        ...body === undefined ? {} : { body: JSON.stringify(body) }
      })
    } catch (error) {
      if (signal?.aborted === true) throw error
      throw new RefusedError(0, 'The server does not respond. Is the network there?', [])
    }
  }

  /**
   * Values of the query go as JSON where they are no texts.
   * @throws RefusedError for an id that no address can have
   */
  #urlOf (action: Action, values: readonly unknown[], query: Readonly<Record<string, unknown>>): string {
    // Addresses lead elsewhere by these, whatever their spelling.
    if (values.some(value => value === '.' || value === '..')) throw new RefusedError(404, words[404] as string, [])
    const left = [...values]
    const path = action.path.replaceAll(/\{[^{}]*\}/g, () => encodeURIComponent(String(left.shift())))
    const search = new URLSearchParams(Object.entries(query)
      .filter(([, value]) => value !== undefined)
      .map(([name, value]) => [name, typeof value === 'string' ? value : JSON.stringify(value)])).toString()
    return this.description.base + path + (search === '' ? '' : `?${search}`)
  }
}

const keyOf = (action: Action, id: unknown): string => `${plainId(action)} ${id === undefined ? '' : String(id)}`

const words: Readonly<Record<number, string>> = {
  403: 'You may not do this: your rights do not suffice.',
  404: 'There is nothing here, or nothing that you may see.',
  412: 'Somebody else changed this row meanwhile. Read it again, and make your change once more.',
  413: 'This is more than the server takes.',
  429: 'Too many requests. Wait a moment.',
  503: 'The server is too busy. Wait a moment.'
}

/** @param isLoggedIn a token was sent: many APIs respond with 401 for one that does not suffice */
async function refusal (response: Response, isLoggedIn: boolean): Promise<RefusedError> {
  const { status } = response
  const { message, details, current } = errorOf(await response.json().catch(() => undefined))
  const unknown = isLoggedIn
    ? 'You may not do this: your rights do not suffice, or your login has ended.'
    : 'You may not do this without a login.'
  const said = status === 401 ? unknown : words[status] ?? (status < 500 ? message : undefined)
  return new RefusedError(status, said ?? `The server responded with ${status}. Its log says why.`, readViolations(details),
    status === 412 && current !== undefined ? { row: current, tag: response.headers.get('etag') } : undefined)
}

/** The error of a response, whichever form the API gives it (with a root, without, RFC 9457). */
function errorOf (body: unknown): { message: string | undefined, details: unknown, current?: object } {
  if (body === null || typeof body !== 'object') return { message: undefined, details: undefined }
  const { error = body } = body as { error?: unknown }
  const { message, detail, details, current } = (error ?? {}) as Readonly<Record<string, unknown>>
  const text = message ?? detail
  const shown = current !== null && typeof current === 'object' ? { current } : {}
  return { message: typeof text === 'string' ? text : undefined, details, ...shown }
}
