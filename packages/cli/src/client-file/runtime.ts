/** The part of a client that is the same for every API. */
import { text } from '../models-file/text.js'

/** @param root the property around errors; undefined where there is none */
export const clientTypes = (
  root: string | undefined
): string => `/** An answer that is an error: what the server says of it. */
export class ApiError extends Error {
  readonly statusCode: number
  /** For programs: MODEL_NOT_FOUND, VALIDATION_FAILED … */
  readonly code: string | undefined
  /** Of validation errors: every violation. */
  readonly details: ApiErrorDetails | undefined
  /** The body as it came: parsed, or text where it is no JSON. */
  readonly body: unknown

  constructor (statusCode: number, body: unknown) {
    const error = (${root === undefined ? 'body' : `typeof body === 'object' && body !== null && ${text(root)} in body ? body[${text(root)}] : body`}) as { name?: string, message?: string, detail?: string, code?: string, details?: ApiErrorDetails } | null
    super((typeof error === 'object' ? error?.message ?? error?.detail : undefined) ?? \`HTTP \${statusCode}\`)
    this.name = 'ApiError'
    this.statusCode = statusCode
    this.code = typeof error === 'object' ? error?.code : undefined
    this.details = typeof error === 'object' ? error?.details : undefined
    this.body = body
  }
}

export interface ClientOptions {
  /** Where the API is: https://example.com/api */
  readonly baseUrl: string
  /** The access token, or what gives it for each request. */
  readonly token?: string | (() => string | undefined | Promise<string | undefined>)
  /** Headers of every request. */
  readonly headers?: Record<string, string>
  /** Default: the global fetch. */
  readonly fetch?: typeof globalThis.fetch
}

/** Options of one call. */
export interface CallOptions {
  readonly headers?: Record<string, string>
  readonly signal?: AbortSignal
  /** Is called with the answer, for its headers (X-Total-Count …). */
  readonly onResponse?: (response: Response) => void
}`

export const clientFunctions = `type Place = 'path' | 'query' | 'header'
type Entry = readonly [verb: string, path: string, places: Readonly<Record<string, Place>>, takesBody: boolean, givesFile?: boolean]

/** Makes a client: const api = createClient({ baseUrl: 'http://localhost:3000/api' }) */
export function createClient (options: ClientOptions): Client {
  const client: Record<string, Record<string, unknown>> = {}
  for (const [model, entries] of Object.entries<Readonly<Record<string, Entry>>>(operations)) {
    const api: Record<string, unknown> = client[model] = {}
    for (const [name, entry] of Object.entries(entries)) api[name] = (...given: unknown[]) => call(options, entry, given)
  }
  return client as unknown as Client
}

async function call (client: ClientOptions, [verb, path, places, takesBody, givesFile = false]: Entry, given: unknown[]): Promise<unknown> {
  const parameters = Object.keys(places).length === 0 ? {} : (given.shift() ?? {}) as Record<string, unknown>
  const body = takesBody ? given.shift() : undefined
  const { headers: own, signal, onResponse } = (given.shift() ?? {}) as CallOptions
  const headers = new Headers({ accept: givesFile ? '*/*' : 'application/json', ...client.headers, ...own })
  const token = typeof client.token === 'function' ? await client.token() : client.token
  if (token !== undefined && !headers.has('authorization')) headers.set('authorization', token)
  const query = new URLSearchParams()
  let url = path
  for (const [name, place] of Object.entries(places)) {
    const value = parameters[name]
    if (place === 'path') url = url.replace(\`{\${name}}\`, segment(name, value))
    else if (value === undefined) continue
    else if (place === 'query') query.set(name, textOf(value))
    else headers.set(name, textOf(value))
  }
  const init: RequestInit = { method: verb, headers }
  if (signal !== undefined) init.signal = signal
  if (body !== undefined) {
    headers.set('content-type', 'application/json')
    init.body = JSON.stringify(body)
  }
  const search = query.size === 0 ? '' : \`?\${query}\`
  const response = await (client.fetch ?? globalThis.fetch)(client.baseUrl.replace(/\\/+$/, '') + url + search, init)
  onResponse?.(response)
  if (response.ok && givesFile) return await response.blob()
  const answer = parsed(await response.text())
  if (!response.ok) throw new ApiError(response.status, answer)
  return answer
}

/** An empty segment, or one of dots, would be another address. */
function segment (name: string, value: unknown): string {
  const text = value === undefined || value === null ? '' : textOf(value)
  if (text === '' || text === '.' || text === '..') throw new TypeError(\`"\${text}" cannot be the \${name} of a path\`)
  return encodeURIComponent(text)
}

function textOf (value: unknown): string {
  if (value instanceof Date) return value.toISOString()
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}

function parsed (text: string): unknown {
  if (text === '') return undefined
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}`
