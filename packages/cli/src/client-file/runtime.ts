/** The part of a client that is the same for every API. */
import { text } from '../source-text.js'
import { retryOption } from './keys.js'
import { currentMember, keepCurrent, keepTag, patchType, rowStateHeaders, rowStateOptions } from './row-states.js'

/** What an API has, where a client has code for it. */
export interface ClientParts {
  /** Live queries. */
  readonly isLive: boolean
  /** Uploads that go on after a cut. */
  readonly isResumable: boolean
  /** Rows with properties that are files. */
  readonly hasFiles: boolean
  /** Lists with pages by cursors. */
  readonly hasPages: boolean
  /** Rows with tags. */
  readonly hasTags: boolean
  /** Operations that take a key by which repeats have their effect once. */
  readonly hasKeys: boolean
}

/** @param root the property around errors; undefined where there is none */
export const clientTypes = (
  root: string | undefined, { hasTags, hasKeys }: Pick<ClientParts, 'hasTags' | 'hasKeys'>
): string => `/** An answer that is an error: what the server says of it. */
export class ApiError extends Error {
  readonly statusCode: number
  /** For programs: MODEL_NOT_FOUND, VALIDATION_FAILED … */
  readonly code: string | undefined
  /** Of validation errors: every violation. */
  readonly details: ApiErrorDetails | undefined${hasTags ? currentMember : ''}
  /** The body as it came: parsed, or text where it is no JSON. */
  readonly body: unknown

  constructor (statusCode: number, body: unknown) {
    const error = (${root === undefined ? 'body' : `typeof body === 'object' && body !== null && ${text(root)} in body ? body[${text(root)}] : body`}) as { name?: string, message?: string, detail?: string, code?: string, details?: ApiErrorDetails${hasTags ? ', current?: unknown' : ''} } | null
    super((typeof error === 'object' ? error?.message ?? error?.detail : undefined) ?? \`HTTP \${statusCode}\`)
    this.name = 'ApiError'
    this.statusCode = statusCode
    this.code = typeof error === 'object' ? error?.code : undefined
    this.details = typeof error === 'object' ? error?.details : undefined${hasTags ? keepCurrent : ''}
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
  readonly fetch?: typeof globalThis.fetch${hasKeys ? retryOption : ''}
}

/** Options of one call. */
export interface CallOptions {
  readonly headers?: Record<string, string>
  readonly signal?: AbortSignal${hasTags ? rowStateOptions : ''}${hasKeys ? retryOption : ''}
  /** Is called with the response, for its headers (X-Total-Count …). */
  readonly onResponse?: (response: Response) => void
  /** Is called while the body is sent, where the platform tells: browsers do, Node and an own \`fetch\` do not. */
  readonly onProgress?: (progress: UploadProgress) => void
}

/**
 * Options of a call that gives a file: the response comes as soon as its headers are there, with the bytes as \`body\`.
 */
export interface StreamOptions extends CallOptions {
  readonly stream: true
}

export interface UploadProgress {
  /** Bytes of the body that are sent. */
  readonly loaded: number
  /** Bytes of the whole body, where that is known. */
  readonly total: number | undefined
}`

export const clientFunctions = (
  { isLive, isResumable, hasFiles, hasPages, hasTags, hasKeys }: ClientParts
): string => `type Place = 'path' | 'query' | 'header'
type Entry = readonly [verb: string, path: string, places: Readonly<Record<string, Place>>, sends: 'none' | 'json' | 'form'${hasFiles ? " | 'row'" : ''}${isResumable ? " | 'resumable'" : ''}, gives?: 'file'${hasPages ? " | 'page'" : ''}${isLive ? " | 'live'" : ''}]

/** Makes a client: const api = createClient({ baseUrl: 'http://localhost:3000/api' }) */
export function createClient (options: ClientOptions): Client {
  const client: Record<string, Record<string, unknown>> = {}
  for (const [model, entries] of Object.entries<Readonly<Record<string, Entry>>>(operations)) {
    const api: Record<string, unknown> = client[model] = {}
    for (const [name, entry] of Object.entries(entries)) api[name] = (...given: unknown[]) => ${isLive ? "entry[4] === 'live' ? followLive(options, entry, given as []) : " : ''}${isResumable ? "(entry[3] === 'resumable' ? uploadResumable : call)" : 'call'}(options, entry, given)
  }
  return client as unknown as Client
}

async function call (client: ClientOptions, [verb, path, places, sends, gives]: Entry, given: unknown[]): Promise<unknown> {
  const parameters = Object.keys(places).length === 0 ? {} : (given.shift() ?? {}) as Record<string, unknown>${hasPages ? "\n  const sent = gives === 'page' ? { ...parameters, filter: pageFilter(parameters.filter) } : parameters" : ''}
  const body = sends === 'none' ? undefined : given.shift()
  ${hasKeys ? 'const options = (given.shift() ?? {}) as CallOptions & { readonly stream?: boolean }\n  ' : ''}const { headers: own, signal, onResponse${hasKeys ? '' : ', onProgress'}, stream = false${hasTags ? ', ifMatch, patch' : ''} } = ${hasKeys ? 'options' : '(given.shift() ?? {}) as CallOptions & { readonly stream?: boolean }'}
  const headers = await headersOf(client, gives === 'file' ? '*/*' : 'application/json', own)
${hasTags ? rowStateHeaders : ''}  const address = addressOf(client, path, places, ${hasPages ? 'sent' : 'parameters'}, headers)
  const init: Upload = { method: verb, headers }
  if (signal !== undefined) init.signal = signal
  const form = ${hasFiles ? "sends === 'row' ? rowForm(body) : " : ''}sends === 'form' ? body as Readonly<Record<string, unknown>> | undefined : undefined
  if (form !== undefined) {
    // Its boundary is not known yet.
    headers.delete('content-type')
    init.body = formOf(form)
  } else if (body !== undefined) {
    headers.set('content-type', ${hasTags ? patchType : "'application/json'"})
    init.body = JSON.stringify(body)
  }
  const response = await ${hasKeys ? "sendRepeatedly(client, verb + ' ' + path, address, init, options)" : 'send(client, address, init, onProgress)'}
  onResponse?.(response)
  if (response.ok && gives === 'file') return stream ? response : await response.blob()
  const answer = parsed(await response.text())
  if (!response.ok) throw new ApiError(response.status, answer)
${hasTags ? keepTag : ''}  return ${hasPages ? "gives === 'page' ? pageOf(answer, response.headers) : " : ''}answer
}

async function headersOf (client: ClientOptions, accept: string, own: Record<string, string> | undefined): Promise<Headers> {
  const headers = new Headers({ accept, ...client.headers, ...own })
  const token = typeof client.token === 'function' ? await client.token() : client.token
  if (token !== undefined && !headers.has('authorization')) {
    headers.set('authorization', token.includes(' ') ? token : 'Bearer ' + token)
  }
  return headers
}

function addressOf (client: ClientOptions, path: string, places: Readonly<Record<string, Place>>, parameters: Record<string, unknown>, headers: Headers): string {
  const query = new URLSearchParams()
  let url = path
  for (const [name, place] of Object.entries(places)) {
    const value = parameters[name]
    if (place === 'path') url = url.replace(\`{\${name}}\`, segment(name, value))
    else if (value === undefined) continue
    else if (place === 'query') query.set(name, textOf(value))
    else headers.set(name, textOf(value))
  }
  return client.baseUrl.replace(/\\/+$/, '') + url + (query.size === 0 ? '' : \`?\${query}\`)
}

async function send (client: ClientOptions, address: string, init: Upload, onProgress: CallOptions['onProgress']): Promise<Response> {
  const Tells = onProgress === undefined || client.fetch !== undefined || init.body === undefined ? undefined : Reflect.get(globalThis, 'XMLHttpRequest') as (new () => UploadRequest) | undefined
  return onProgress === undefined || Tells === undefined ? await (client.fetch ?? globalThis.fetch)(address, init) : await upload(new Tells(), address, init, onProgress)
}

type Upload = RequestInit & { headers: Headers, method: string, body?: string | FormData${isResumable ? ' | Blob' : ''} }

/** Fields stand before files: who reads the form knows them by then. */
function formOf (body: Readonly<Record<string, unknown>>): FormData {
  const form = new FormData()
  const parts = Object.entries(body).flatMap(([name, value]) => (Array.isArray(value) ? value as unknown[] : [value]).map(each => [name, each] as const))
  for (const [name, value] of parts) if (!(value instanceof Blob) && value !== undefined) form.append(name, textOf(value))
  for (const [name, value] of parts) if (value instanceof Blob) form.append(name, value)
  return form
}

/** What is used of an XMLHttpRequest: fetch does not tell what it has sent. */
interface UploadRequest {
  responseType: string
  readonly response: unknown
  readonly status: number
  readonly statusText: string
  readonly upload: { onprogress: ((event: { loaded: number, total: number, lengthComputable: boolean }) => void) | null }
  onload: (() => void) | null
  onerror: (() => void) | null
  onabort: (() => void) | null
  open (method: string, url: string): void
  setRequestHeader (name: string, value: string): void
  getAllResponseHeaders (): string
  send (body: unknown): void
  abort (): void
}

async function upload (request: UploadRequest, url: string, { method, headers, body, signal }: Upload, onProgress: (progress: UploadProgress) => void): Promise<Response> {
  signal?.throwIfAborted()
  const abort = (): void => { request.abort() }
  try {
    return await new Promise<Response>((resolve, reject) => {
      request.open(method, url)
      request.responseType = 'blob'
      headers.forEach((value, name) => { request.setRequestHeader(name, value) })
      request.upload.onprogress = ({ loaded, total, lengthComputable }) => { onProgress({ loaded, total: lengthComputable ? total : undefined }) }
      request.onload = () => { resolve(responseOf(request)) }
      request.onerror = () => { reject(new TypeError(\`No answer of \${url}\`)) }
      request.onabort = () => { reject(signal?.reason) }
      signal?.addEventListener('abort', abort)
      request.send(body)
    })
  } finally {
    signal?.removeEventListener('abort', abort)
  }
}

function responseOf (request: UploadRequest): Response {
  const { status, statusText, response } = request
  const headers = new Headers()
  for (const line of request.getAllResponseHeaders().split('\\r\\n')) {
    const colon = line.indexOf(':')
    if (colon > 0) headers.append(line.slice(0, colon), line.slice(colon + 1).trim())
  }
  return new Response([204, 205, 304].includes(status) ? null : response as Blob, { status, statusText, headers })
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
