/** Requests to the server of the page itself: what it says of the application, beyond the API. */
import type { Token } from './token.js'

/** A request that the server refused, in its words. */
export class ServerError extends Error {
  /** @param status 0 where no response came */
  constructor (readonly status: number, message: string, readonly code: string | undefined) {
    super(message)
  }

  /** Whether it is a matter of who is logged in. */
  get isForbidden (): boolean {
    return this.status === 401 || this.status === 403
  }
}

type Query = Readonly<Record<string, string | number | boolean | undefined>>

export class Server {
  constructor (private readonly token: Token) {}

  /** @throws ServerError */
  async get<T> (path: string, query: Query = {}): Promise<T> {
    const given = Object.entries(query).filter(([, value]) => value !== undefined && value !== '')
    const search = new URLSearchParams(given.map(([name, value]) => [name, String(value)])).toString()
    return await this.#send<T>(search === '' ? path : `${path}?${search}`, { headers: this.#headers })
  }

  /** @throws ServerError */
  async post<T> (path: string, body: object = {}): Promise<T> {
    return await this.#send<T>(path, {
      method: 'POST', headers: { ...this.#headers, 'content-type': 'application/json' }, body: JSON.stringify(body)
    })
  }

  get #headers (): Record<string, string> {
    return { accept: 'application/json', ...this.token.headers }
  }

  async #send<T> (path: string, request: RequestInit): Promise<T> {
    const response = await fetch(path, { cache: 'no-store', ...request }).catch(() => undefined)
    if (response === undefined) throw new ServerError(0, 'The server does not respond. Is it running?', undefined)
    const body = await response.json().catch(() => undefined) as
      { readonly error?: { readonly message?: unknown, readonly code?: unknown } } | undefined
    if (response.ok) return body as T
    const { message, code } = body?.error ?? {}
    throw new ServerError(
      response.status, typeof message === 'string' ? message : `The server responded with ${response.status}`,
      typeof code === 'string' ? code : undefined)
  }
}
