/** A request of a template or a resource, as observers see it, and how it goes out. */
import { stringify as plainQuery } from 'node:querystring'
import { Readable } from 'node:stream'
import { stringify, type IStringifyOptions } from 'qs'
import type { HttpMethod, ServiceCall } from '@fastback/service-client'
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
  /** Whether bodies are JSON, both ways. */
  json?: boolean | undefined
  timeout?: number | undefined
  auth?: { user?: string, username?: string, pass?: string, password?: string, bearer?: string } | undefined
  /** Null: the answer is bytes. */
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
  const { followRedirect, followAllRedirects, maxRedirects, timeout } = request
  const headers = headersOf(request)
  const body = bodyOf(request, headers)
  return {
    ...facts,
    method: request.method.toUpperCase() as HttpMethod,
    url: addressOf(request),
    headers,
    body,
    timeout,
    followRedirect,
    followAllRedirects,
    maxRedirects
  }
}

/** The address with its query, as qs writes it (SC-T10). Values that are nothing leave it, at the top only (SC-T7). */
function addressOf ({ uri, qs, useQuerystring, qsStringifyOptions }: RestRequest): string {
  const given = Object.entries(qs ?? {}).filter(([, value]) => value !== undefined && value !== null)
  if (given.length === 0) return uri
  const query = Object.fromEntries(given)
  const text = useQuerystring === true
    ? plainQuery(query as Parameters<typeof plainQuery>[0])
    : stringify(query, qsStringifyOptions)
  if (text === '') return uri
  const hash = uri.indexOf('#')
  const address = hash < 0 ? uri : uri.slice(0, hash)
  return `${address}${address.includes('?') ? '&' : '?'}${text}`
}

function headersOf ({ headers = {}, json, auth }: RestRequest): Record<string, string | string[]> {
  const result: Record<string, string | string[]> = {}
  const names = new Set<string>()
  for (const [name, value] of Object.entries(headers)) {
    if (value === undefined || value === null) continue
    result[name] = Array.isArray(value) ? value.map(asText) : asText(value)
    names.add(name.toLowerCase())
  }
  if (json === true && !names.has('accept')) result.accept = 'application/json'
  if (auth !== undefined && auth !== null && !names.has('authorization')) {
    const user = auth.user ?? auth.username
    if (auth.bearer !== undefined) result.authorization = `Bearer ${auth.bearer}`
    else if (user !== undefined) result.authorization = basic(user, auth.pass ?? auth.password ?? '')
  }
  return result
}

const basic = (user: string, password: string): string =>
  `Basic ${Buffer.from(`${user}:${password}`, 'utf8').toString('base64')}`

/** The body; its type is put among the headers where they have none (SC-T11). */
function bodyOf (
  { body, form, json }: RestRequest, headers: Record<string, string | string[]>
): ServiceCall['body'] {
  const typed = (type: string): void => {
    if (!Object.keys(headers).some(name => name.toLowerCase() === 'content-type')) headers['content-type'] = type
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
