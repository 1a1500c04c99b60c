/** One request of a browser, as flows see it: from Express code of a folder, or from a route of Fastify. */
import type { IncomingMessage, ServerResponse } from 'node:http'
import { parse, serialize, type SerializeOptions } from 'cookie'
import type { ModelInstance } from '@fastback/core'
import type { CodeRequest } from './code-request.js'
import type { FastifyReply, FastifyRequest } from 'fastify'

export type Next = (error?: unknown) => void
export type Fields = Readonly<Record<string, unknown>>

/** A request as Express and its middleware have it. */
export interface ExpressRequest extends IncomingMessage {
  originalUrl?: string
  body?: unknown
  query?: Fields
  ip?: string
  protocol?: string
  secret?: string
  session?: ForeignSession
  user?: unknown
  accessToken?: ModelInstance | null
  signedCookies?: Record<string, unknown>
  [key: string]: unknown
}

/** The session of `express-session` and its like. */
export interface ForeignSession {
  regenerate?: (done: (error?: unknown) => void) => void
  save?: (done: (error?: unknown) => void) => void
  [key: string]: unknown
}

/** Bytes of a form: a response of SAML is the longest. */
const bodyLimit = 262_144

export interface Sides {
  readonly req: ExpressRequest
  readonly ip: string | undefined
  /** `https://shop.example`, without a slash. */
  readonly origin: string
  /** Undefined: it is read from the request. */
  readonly body: unknown
  setHeader (name: string, value: string): void
  addCookie (text: string): void
  send (status: number, body: string): unknown
  /** Hands the request on; undefined where nobody comes after. */
  readonly next: Next | undefined
  readonly fastify?: { readonly request: FastifyRequest, readonly reply: FastifyReply }
  readonly res: ServerResponse
}

export class Visit {
  readonly cookies: Readonly<Record<string, string | undefined>>
  readonly query: URLSearchParams
  /** What the page asked for that began this login. */
  asked: CodeRequest | undefined
  #form: Promise<Fields> | undefined

  constructor (readonly sides: Sides) {
    const { cookie } = sides.req.headers
    this.cookies = cookie === undefined ? {} : parse(cookie)
    this.query = new URL(sides.req.originalUrl ?? sides.req.url ?? '/', 'http://localhost').searchParams
  }

  get req (): ExpressRequest { return this.sides.req }
  get method (): string { return this.req.method ?? 'GET' }
  get origin (): string { return this.sides.origin }
  get isSecure (): boolean { return this.origin.startsWith('https:') }
  get ip (): string | undefined { return this.sides.ip }

  header (name: string): string | undefined {
    const value = this.req.headers[name]
    return Array.isArray(value) ? value[0] : value
  }

  /**
   * A page of another origin made the browser send this: also one of a neighbouring subdomain, which cookies that are
   * `SameSite=Lax` do not keep out (LG-91). What is no browser says nothing, and has no cookies to be misused.
   * @param pages origins whose pages may
   */
  isForeign (pages: readonly string[] = []): boolean {
    const site = this.header('sec-fetch-site')
    if (site === 'same-origin' || site === 'none') return false
    const origin = this.header('origin')
    if (origin === undefined) return site !== undefined
    return origin !== this.origin && !pages.includes(origin)
  }

  /** Another site made the browser send this. A link on a neighbouring subdomain is none (LG-94). */
  get isCrossSite (): boolean {
    const site = this.header('sec-fetch-site')
    if (site !== undefined) return site === 'cross-site'
    const origin = this.header('origin')
    return origin !== undefined && origin !== this.origin
  }

  /** What stands in a form or a JSON body; empty for anything else. */
  form (): Promise<Fields> {
    return (this.#form ??= this.#read())
  }

  async #read (): Promise<Fields> {
    const given = this.sides.body
    if (given !== undefined && given !== null) {
      if (given instanceof URLSearchParams) return Object.fromEntries(given)
      return typeof given === 'object' ? given as Fields : {}
    }
    const type = this.header('content-type') ?? ''
    const isJson = /^application\/json\b/i.test(type)
    if (!isJson && !/^application\/x-www-form-urlencoded\b/i.test(type)) return {}
    const text = await textOf(this.req)
    if (text === undefined) return {}
    return isJson ? jsonFields(text) : Object.fromEntries(new URLSearchParams(text))
  }

  setCookie (name: string, value: string, options: SerializeOptions): void {
    this.sides.addCookie(serialize(name, value, { path: '/', ...options }))
  }

  noStore (): void {
    this.sides.setHeader('cache-control', 'no-store')
    this.sides.setHeader('referrer-policy', 'no-referrer')
  }

  redirect (address: string, status = 302): void {
    this.noStore()
    this.sides.setHeader('location', address)
    this.sides.send(status, '')
  }

  json (status: number, body: unknown): void {
    this.noStore()
    this.sides.setHeader('content-type', 'application/json; charset=utf-8')
    this.sides.send(status, JSON.stringify(body))
  }

  text (status: number, type: string, body: string): void {
    this.noStore()
    this.sides.setHeader('content-type', `${type}; charset=utf-8`)
    this.sides.setHeader('x-content-type-options', 'nosniff')
    this.sides.send(status, body)
  }
}

function jsonFields (text: string): Fields {
  try {
    const value = JSON.parse(text) as unknown
    return value !== null && typeof value === 'object' && !Array.isArray(value) ? value as Fields : {}
  } catch {
    return {}
  }
}

/** The body of a request; undefined for one that is too long, or was read by somebody else. */
function textOf (req: IncomingMessage): Promise<string | undefined> {
  if (req.readableEnded) return Promise.resolve(undefined)
  return new Promise((resolve, reject) => {
    const parts: Buffer[] = []
    let length = 0
    req.on('data', (part: Buffer) => {
      length += part.length
      if (length <= bodyLimit) parts.push(part)
    })
    req.on('end', () => { resolve(length > bodyLimit ? undefined : Buffer.concat(parts).toString()) })
    req.on('error', reject)
  })
}

const plainHost = (host: string | undefined): string => host?.replace(/[^\w.:[\]-]/g, '') || 'localhost'

/** @param origin the option of that name */
export function expressVisit (
  req: ExpressRequest, res: ServerResponse, next: Next | undefined, origin: string | undefined
): Visit {
  const protocol = req.protocol ?? ('encrypted' in req.socket ? 'https' : 'http')
  return new Visit({
    req,
    res,
    ip: req.ip ?? req.socket.remoteAddress,
    origin: origin ?? `${protocol}://${plainHost(forwardedHost(req))}`,
    body: req.body,
    next,
    setHeader: (name, value) => { res.setHeader(name, value) },
    addCookie: text => { addHeader(res, text) },
    send: (status, body) => {
      res.statusCode = status
      res.end(body)
    }
  })
}

/** Express has what a trusted proxy says as `hostname`, without its port. */
function forwardedHost (req: ExpressRequest): string | undefined {
  const { host } = req.headers
  const { hostname } = req as { hostname?: unknown }
  if (typeof hostname !== 'string' || host === undefined) return host
  return host.startsWith(hostname) ? host : hostname
}

function addHeader (res: ServerResponse, cookie: string): void {
  const before = [res.getHeader('set-cookie') ?? []].flat().map(String)
  res.setHeader('set-cookie', [...before, cookie])
}

export function fastifyVisit (request: FastifyRequest, reply: FastifyReply, origin: string | undefined): Visit {
  const req = facade(request)
  return new Visit({
    req,
    res: reply.raw,
    ip: request.ip,
    origin: origin ?? `${request.protocol}://${plainHost(request.host)}`,
    body: request.body ?? {},
    next: undefined,
    fastify: { request, reply },
    setHeader: (name, value) => { reply.header(name, value) },
    addCookie: text => { reply.header('set-cookie', text) },
    send: (status, body) => reply.code(status).send(body === '' ? undefined : body)
  })
}

const kFacade = Symbol('fastback.login.facade')

/** Node's request with the members that strategies of passport look at. */
function facade (request: FastifyRequest): ExpressRequest {
  const kept = (request as { [kFacade]?: ExpressRequest })[kFacade]
  if (kept !== undefined) {
    kept.body = request.body
    return kept
  }
  const { raw } = request
  const made = new Proxy(raw, {
    get: (target, key) => key in own ? own[key as string] : bound(target, key),
    set: (_target, key, value) => { own[key as string] = value; return true },
    has: (target, key) => key in own || key in target
  }) as ExpressRequest
  const own: Record<string, unknown> = {
    query: request.query, body: request.body, originalUrl: raw.url, protocol: request.protocol, ip: request.ip,
    connection: raw.socket, hostname: request.hostname, params: request.params,
    get: (name: string) => raw.headers[name.toLowerCase()]
  }
  Object.defineProperty(request, kFacade, { value: made })
  return made
}

const bound = (target: object, key: string | symbol): unknown => {
  const value: unknown = Reflect.get(target, key)
  return typeof value === 'function' ? (value as (...args: unknown[]) => unknown).bind(target) : value
}
