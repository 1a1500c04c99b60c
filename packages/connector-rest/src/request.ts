/** A request of a template or a resource, as observers see it, and how it goes out. */
import { stringify as plainQuery } from 'node:querystring'
import { Readable } from 'node:stream'
import { stringify, type IStringifyOptions } from 'qs'
import { authorizationOf, hasHeader, type HttpMethod, type ServiceCall } from '@fastback/service-client'
import type { Attachment } from './attachment.js'
import { asText } from './template/convert.js'

/** Observers of `before execute` may change all of it (service-connectors.md, SC-H1). */
export interface RestRequest {
  method: string
  uri: string
  qs?: Record<string, unknown> | undefined
  headers?: Record<string, unknown> | undefined
  body?: unknown
  /** An object that is sent as a form, in place of `body`. */
  form?: unknown
  /** Files that are sent in a form, with the fields of `form`. */
  attachments?: readonly Attachment[] | undefined
  /** Whether bodies are JSON, both ways. */
  json?: boolean | undefined
  timeout?: number | undefined
  auth?: { user?: string, username?: string, pass?: string, password?: string, bearer?: string } | undefined
  /** Null: the response is bytes. */
  encoding?: string | null | undefined
  useQuerystring?: boolean | undefined
  qsStringifyOptions?: IStringifyOptions | undefined
  followRedirect?: boolean | undefined
  followAllRedirects?: boolean | undefined
  maxRedirects?: number | undefined
  [key: string]: unknown
}

/** What of a call the request does not say itself. */
export type CallFacts = Pick<ServiceCall, 'name' | 'signal' | 'stream' | 'idempotent' | 'foreignHost'>

/** The call that a request is. */
export function callOf (request: RestRequest, facts: CallFacts): ServiceCall {
  const { name, signal, stream, idempotent, foreignHost } = facts
  const { method, followRedirect, followAllRedirects, maxRedirects, timeout } = request
  const headers = headersOf(request)
  return {
    name,
    signal,
    stream,
    idempotent,
    foreignHost,
    method: method.toUpperCase() as HttpMethod,
    url: addressOf(request),
    body: bodyOf(request, headers),
    headers,
    timeout,
    followRedirect,
    followAllRedirects,
    maxRedirects
  }
}

/** The address with its query, as qs writes it (SC-T10). Values that are nothing leave it, at the top only (SC-T7). */
function addressOf ({ uri, qs, useQuerystring, qsStringifyOptions }: RestRequest): string {
  if (qs === undefined) return uri
  const query = Object.fromEntries(Object.entries(qs).filter(([, value]) => value !== undefined && value !== null))
  const text = useQuerystring === true
    ? plainQuery(query as Parameters<typeof plainQuery>[0])
    : stringify(query, qsStringifyOptions)
  if (text === '') return uri
  const [address = ''] = uri.split('#', 1)
  return `${address}${address.includes('?') ? '&' : '?'}${text}`
}

type SentHeaders = Record<string, string | string[]>

function headersOf ({ headers, json, auth }: RestRequest): SentHeaders {
  const result: SentHeaders = {}
  for (const name in headers) {
    const value = headers[name]
    if (value === undefined || value === null) continue
    result[name] = Array.isArray(value) ? value.map(asText) : asText(value)
  }
  if (json === true && !hasHeader(result, 'accept')) result.accept = 'application/json'
  const authorization = authorizationOf(auth)
  if (authorization !== undefined && !hasHeader(result, 'authorization')) result.authorization = authorization
  return result
}

/** The body; its type is put among the headers where they have none (SC-T11). */
function bodyOf ({ body, form, json }: RestRequest, headers: SentHeaders): ServiceCall['body'] {
  const typed = (type: string): void => {
    if (!hasHeader(headers, 'content-type')) headers['content-type'] = type
  }
  if (form !== undefined && form !== null) {
    typed('application/x-www-form-urlencoded')
    return typeof form === 'string' ? form : stringify(form)
  }
  if (body === undefined || body === null) return undefined
  if (body instanceof Readable || Buffer.isBuffer(body)) return body
  if (json !== true) return asText(body)
  typed('application/json')
  return JSON.stringify(body)
}
