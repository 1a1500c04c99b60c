/** The part of a client that speaks HTTP: addresses, headers, forms, and uploads that tell how far they are. */
import type { ClientParts } from './client-parts.js'

export const transportFunctions = ({ isResumable }: ClientParts): string => `async function headersOf (client: ClientOptions, accept: string, own: Record<string, string> | undefined): Promise<Headers> {
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
