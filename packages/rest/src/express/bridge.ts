/**
 * Node's request and response with Express 4's methods, for remote methods, hooks and middleware that LoopBack
 * applications bring along. Express is loaded when the first of them asks, and never for a request that none of them
 * sees.
 */
import { IncomingMessage, ServerResponse } from 'node:http'
import type { Application, Request, Response } from 'express'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { parseFields, queryText } from '../parse/query.js'
import { loadExpress } from './load.js'

export interface ExpressPair {
  readonly req: Request & { accessToken?: unknown }
  readonly res: Response
}

interface Bridge {
  readonly application: Application
  readonly request: WeakMap<object, object>
  readonly response: WeakMap<object, object>
}

const kBridge = Symbol('fastback.expressBridge')
const kOf = Symbol('fastback.fastify')
const kExtensible = Symbol('fastback.extensible')
const kExtended = Symbol('fastback.extended')

interface Sides { request: FastifyRequest, reply: FastifyReply, readonly application: Application }
type Bridged<T> = T & { [kOf]: Sides }

/**
 * Gives the request and response of a Fastify exchange Express' methods (`req.get`, `res.json` …), once; they stay
 * Node's own objects.
 *
 * ```js
 * app.get('/old', (request, reply) => {
 *   const { res } = expressify(undefined, request, reply)
 *   res.status(201).json({ ok: true })
 * })
 * ```
 * @param application what `req.app` is: an Express application, or an object with its `get`. Undefined: a plain Express
 * application
 * @throws FBK_REST_EXPRESS_MISSING
 */
export function expressify (
  application: object | undefined, request: FastifyRequest, reply: FastifyReply
): ExpressPair {
  const req = request.raw as unknown as Bridged<ExpressPair['req']>
  const res = reply.raw as unknown as Bridged<Response>
  if (req[kOf] !== undefined) {
    // The router may have come by a second time, after middleware changed the address.
    req[kOf].request = request
    req[kOf].reply = reply
    return { req, res }
  }
  const bridge = bridgeOf(application ?? defaultHolder(request))
  const sides: Sides = { request, reply, application: bridge.application }
  become(req, bridge.request, requestMembers)
  become(res, bridge.response, responseMembers)
  // One plain assignment each: properties that are defined one by one would cost every request shapes of its own, which
  // only a full collection frees.
  req[kOf] = sides
  res[kOf] = sides
  if (res.req === undefined) res.req = req
  const url = request.raw.url as string
  req.originalUrl ??= url
  req.baseUrl ??= ''
  if (res.locals === undefined) res.locals = Object.create(null) as Response['locals']
  return { req, res }
}

/** Without an application of its own, a Fastify server is what a plain Express application is kept with. */
const defaultHolder = (request: FastifyRequest): object => request.server

function bridgeOf (holder: object): Bridge {
  const kept = (holder as { [kBridge]?: Bridge })[kBridge]
  if (kept !== undefined) return kept
  const application =
    typeof (holder as { get?: unknown; enabled?: unknown }).enabled === 'function'
      ? (holder as Application)
      : loadExpress()()
  const bridge: Bridge = { application, request: new WeakMap(), response: new WeakMap() }
  Object.defineProperty(holder, kBridge, { value: bridge })
  return bridge
}

/**
 * Classes for a server whose requests and responses may come to have Express' members: `Fastify({ http:
 * messageClasses() })`. With them the members are put on the class, once. Objects of other classes get another
 * prototype one by one, which costs a request a few kilobytes that only a full collection frees.
 *
 * ```js
 * const app = Fastify({ http: messageClasses() })
 * ```
 */
export function messageClasses (): { IncomingMessage: typeof IncomingMessage, ServerResponse: typeof ServerResponse } {
  class BridgedRequest extends IncomingMessage {}
  class BridgedResponse extends ServerResponse {}
  Object.defineProperty(BridgedRequest.prototype, kExtensible, { value: true })
  Object.defineProperty(BridgedResponse.prototype, kExtensible, { value: true })
  return { IncomingMessage: BridgedRequest, ServerResponse: BridgedResponse as typeof ServerResponse }
}

/**
 * Gives an object Express' members: on its class where that is ours, else between the object and its class; one such
 * prototype serves all objects of the class.
 */
function become (target: object, known: WeakMap<object, object>, members: () => PropertyDescriptorMap): void {
  const own = Object.getPrototypeOf(target) as object
  let extended = known.get(own)
  if (extended === undefined) {
    if (Object.hasOwn(own, kExtensible)) {
      if (!Object.hasOwn(own, kExtended)) Object.defineProperties(own, { ...members(), [kExtended]: { value: true } })
      extended = own
    } else extended = Object.create(own, members()) as object
    known.set(own, extended)
  }
  if (extended !== own) Object.setPrototypeOf(target, extended)
}

/** What is read from Fastify until Express code assigns it. */
function fallback<T> (name: string, read: (sides: Sides, req: IncomingMessage) => T): PropertyDescriptor {
  return {
    configurable: true,
    // The members may be on the class: of requests that nobody has bridged they say nothing.
    get (this: Partial<Bridged<object>>) {
      return this[kOf] === undefined ? undefined : read(this[kOf], this as IncomingMessage)
    },
    set (this: object, value: unknown) {
      Object.defineProperty(this, name, { value, configurable: true, enumerable: true, writable: true })
    }
  }
}

function requestMembers (): PropertyDescriptorMap {
  return {
    ...Object.getOwnPropertyDescriptors(loadExpress().request),
    app: fallback('app', ({ application }) => application),
    res: fallback('res', ({ reply }) => reply.raw),
    query: fallback('query', (_sides, req) => {
      const text = queryText(req.url as string)
      return text === undefined ? {} : parseFields(text)
    }),
    params: fallback('params', ({ request }) => request.params ?? {}),
    accessToken: fallback(
      'accessToken',
      ({ request }) => (request as { accessToken?: unknown }).accessToken ?? undefined
    )
  }
}

function responseMembers (): PropertyDescriptorMap {
  return {
    ...Object.getOwnPropertyDescriptors(loadExpress().response),
    app: fallback('app', ({ application }) => application),
    writeHead: {
      configurable: true,
      writable: true,
      value: function writeHead (this: Bridged<ServerResponse>, ...args: unknown[]): ServerResponse {
        if (this[kOf] !== undefined) keepHeaders(this, this[kOf].reply)
        const inherited = Object.getPrototypeOf(Object.getPrototypeOf(this)) as ServerResponse
        return (inherited.writeHead as (...args: unknown[]) => ServerResponse).apply(this, args)
      }
    }
  }
}

/**
 * Headers set on Fastify's side (CORS, `nosniff`, the request's id) belong to a response that Express code writes by
 * hand, too.
 */
function keepHeaders (res: ServerResponse, reply: FastifyReply): void {
  for (const [name, value] of Object.entries(reply.getHeaders())) {
    if (value !== undefined && !res.hasHeader(name)) res.setHeader(name, value as string | number | string[])
  }
}
