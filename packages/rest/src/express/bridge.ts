/**
 * Node's request and response with Express 4's methods, for remote methods, hooks and middleware that LoopBack applications bring along. Express is loaded
 * when the first of them asks, and never for a request that none of them sees.
 */
import { createRequire } from 'node:module'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Application, Request, Response } from 'express'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { parseFields, queryText } from '../parse/query.js'

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

interface Sides { request: FastifyRequest, reply: FastifyReply }
type Bridged<T> = T & { [kOf]: Sides }

const require = createRequire(import.meta.url)

/** Express itself, loaded now. */
export const loadExpress = (): typeof import('express') => require('express') as typeof import('express')

/**
 * Gives the request and response of a Fastify exchange Express' methods (`req.get`, `res.json` …), once; they stay Node's own objects.
 * @param application what `req.app` is: an Express application, or an object with its `get`. Undefined: a plain Express application
 */
export function expressify (application: object | undefined, request: FastifyRequest, reply: FastifyReply): ExpressPair {
  const req = request.raw as unknown as Bridged<ExpressPair['req']>
  const res = reply.raw as unknown as Bridged<Response>
  if (req[kOf] !== undefined) {
    // The router may have come by a second time, after middleware changed the address.
    req[kOf].request = request
    req[kOf].reply = reply
    return { req, res }
  }
  const bridge = bridgeOf(application ?? defaultHolder(request))
  const sides: Sides = { request, reply }
  become(req, bridge.request, requestMembers)
  become(res, bridge.response, responseMembers)
  hide(req, { [kOf]: sides, app: bridge.application, res })
  hide(res, { [kOf]: sides, app: bridge.application, req })
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
  const application = typeof (holder as { get?: unknown, enabled?: unknown }).enabled === 'function' ? holder as Application : loadExpress()()
  const bridge: Bridge = { application, request: new WeakMap(), response: new WeakMap() }
  Object.defineProperty(holder, kBridge, { value: bridge })
  return bridge
}

/** Puts Express' members between an object and its class; one such prototype serves all objects of the class. */
function become (target: object, known: WeakMap<object, object>, members: () => PropertyDescriptorMap): void {
  const own = Object.getPrototypeOf(target) as object
  let extended = known.get(own)
  if (extended === undefined) {
    extended = Object.create(own, members()) as object
    known.set(own, extended)
  }
  Object.setPrototypeOf(target, extended)
}

function hide (target: object, members: Record<PropertyKey, unknown>): void {
  for (const key of Reflect.ownKeys(members)) Object.defineProperty(target, key, { value: members[key as string], configurable: true, writable: true, enumerable: false })
}

/** What is read from Fastify until Express code assigns it. */
function fallback<T> (name: string, read: (sides: Sides, req: IncomingMessage) => T): PropertyDescriptor {
  return {
    configurable: true,
    get (this: Bridged<IncomingMessage>) { return read(this[kOf], this) },
    set (this: object, value: unknown) { Object.defineProperty(this, name, { value, configurable: true, enumerable: true, writable: true }) }
  }
}

function requestMembers (): PropertyDescriptorMap {
  return {
    ...Object.getOwnPropertyDescriptors(loadExpress().request),
    query: fallback('query', (_sides, req) => {
      const text = queryText(req.url as string)
      return text === undefined ? {} : parseFields(text)
    }),
    params: fallback('params', ({ request }) => request.params ?? {}),
    accessToken: fallback('accessToken', ({ request }) => (request as { accessToken?: unknown }).accessToken ?? undefined)
  }
}

function responseMembers (): PropertyDescriptorMap {
  return {
    ...Object.getOwnPropertyDescriptors(loadExpress().response),
    writeHead: {
      configurable: true,
      writable: true,
      value: function writeHead (this: Bridged<ServerResponse>, ...args: unknown[]): ServerResponse {
        keepHeaders(this, this[kOf].reply)
        const inherited = Object.getPrototypeOf(Object.getPrototypeOf(this)) as ServerResponse
        return (inherited.writeHead as (...args: unknown[]) => ServerResponse).apply(this, args)
      }
    }
  }
}

/** Headers set on Fastify's side (CORS, the request's id) belong to an answer that Express code writes by hand, too; `nosniff` to every answer. */
function keepHeaders (res: ServerResponse, reply: FastifyReply): void {
  if (!res.hasHeader('x-content-type-options')) res.setHeader('x-content-type-options', 'nosniff')
  for (const [name, value] of Object.entries(reply.getHeaders())) {
    if (value !== undefined && !res.hasHeader(name)) res.setHeader(name, value as string | number | string[])
  }
}
