/** Calls of shared methods by code that has another way in than REST, through the routes that REST has. */
import { RequestError, type ModelRegistry, type SharedMethod } from '@fastback/core'
import { Work } from '@fastback/core/remote'
import type { FastifyRequest, onSendHookHandler } from 'fastify'
import type { InnerCalls, InnerRefusals, InnerRequest, InnerResponse, InnerStream } from './inner-calls.js'
import type { SharedWork } from './shared-work.js'

/** Which route is called: one of `restRoutes`. */
export interface CalledRoute {
  readonly method: SharedMethod
  /** In capitals. */
  readonly verb: string
  readonly prefix: string
  /** Below the prefix, with `:name` for parameters. */
  readonly path: string
}

/** What a call sends. */
export interface RouteArguments {
  /** Values of the path, by their names. */
  readonly path?: Readonly<Record<string, unknown>>
  /** Values of the query; objects and lists are written as JSON. */
  readonly query?: Readonly<Record<string, unknown>>
  readonly headers?: Readonly<Record<string, string>>
  /** The body, written as JSON. */
  readonly body?: unknown
}

/** Calls in the name of one request's caller, on one budget. */
export interface CallsOfRequest {
  /**
   * Calls a method, and gives the response of its route, that of an error as well.
   * @throws RequestError 404 NO_SUCH_PATH_VALUE where a value of the path leads to another route
   */
  send (route: CalledRoute, values: RouteArguments): Promise<InnerResponse>
  /** Calls a method whose response is a stream, with a budget of its own. */
  open (route: CalledRoute, values: RouteArguments): Promise<InnerStream>
}

/** The routes of one prefix. */
export interface Mount {
  readonly calls: InnerCalls
  /** Holds their responses, to send those of a tick in one write; undefined: each is sent at once. */
  readonly hold: onSendHookHandler<unknown> | undefined
}

export class RouteCalls {
  readonly #registry: ModelRegistry
  readonly #mounts = new Map<string, Mount>()

  constructor (registry: ModelRegistry) {
    this.#registry = registry
  }

  /** Whether there are routes that take calls. */
  get isMounted (): boolean {
    return this.#mounts.size > 0
  }

  /** Called by `rest`, with the prefix of its routes. */
  mount (prefix: string, mount: Mount): void {
    this.#mounts.set(prefix, mount)
  }

  /** A hook for responses that are made of calls: sent as those of the first routes are (`responseBatching`). */
  readonly onSend: onSendHookHandler<unknown> = (request, reply, payload, done) => {
    const [first] = this.#mounts.values()
    if (first?.hold === undefined) done()
    else first.hold.call(request.server, request, reply, payload, done)
  }

  /** The calls of one request: all that they cost counts on one budget (`queryLimits`). */
  of (outer: FastifyRequest): CallsOfRequest {
    const work: SharedWork = { work: new Work(this.#registry.queryLimits, outer.raw), caller: outer.raw }
    return {
      send: async (route, values) =>
        await this.#mountOf(route).send(outer, route.method, { ...requestOf(route, values), work }),
      open: async (route, values) => await this.#mountOf(route).open(outer, route.method, requestOf(route, values))
    }
  }

  #mountOf ({ prefix }: CalledRoute): InnerCalls {
    const mount = this.#mounts.get(prefix)
    if (mount === undefined) throw new TypeError(`No routes below "${prefix}" take calls.`)
    return mount.calls
  }
}

const kCalls = Symbol('fastback.routeCalls')

interface Wanted { calls?: RouteCalls }

const wantedIn = (registry: ModelRegistry): Wanted => registry.slot<Wanted>(kCalls, () => ({}))

/**
 * What calls the published methods of a registry on behalf of requests. Ask for it before `rest` is registered: its
 * routes take such calls only where somebody wants them.
 *
 * ```js
 * const calls = routeCalls(app.registry)
 * await app.register(rest, { prefix: '/api' })
 * const find = restRoutes(app.registry).find(({ method }) => method.fullName === 'find')
 * const { status, text } = await calls.of(request).send(find, { query: { filter: { limit: 10 } } })
 * ```
 */
export function routeCalls (registry: ModelRegistry): RouteCalls {
  const wanted = wantedIn(registry)
  return (wanted.calls ??= new RouteCalls(registry))
}

/** Undefined where nobody asked for them. */
export const wantedCalls = (registry: ModelRegistry): RouteCalls | undefined => wantedIn(registry).calls

const noPathValue = (): RequestError =>
  new RequestError(404, 'A value leads to no row: no id is empty, or the name of a path.', {
    name: 'NotFoundError', code: 'NO_SUCH_PATH_VALUE'
  })

/** A path with a value that is a path of its own: `/Notes/count`. */
export const callRefusals: InnerRefusals = {
  otherRoute: noPathValue,
  ownToken: () => new RequestError(401, 'The request has two tokens: send one.', {
    name: 'UnauthorizedError', code: 'INVALID_TOKEN'
  })
}

function requestOf (route: CalledRoute, { path = {}, query = {}, headers = {}, body }: RouteArguments): InnerRequest {
  const filled = route.path.replaceAll(/:(\w+)/g, (_, name: string) => segmentOf(path[name]))
  const pairs = Object.entries(query)
    .filter(([, value]) => value !== undefined)
    .map(([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(textOf(value))}`)
  return {
    method: route.verb as InnerRequest['method'],
    path: pairs.length === 0 ? filled : `${filled}?${pairs.join('&')}`,
    headers,
    body: body === undefined ? undefined : JSON.stringify(body)
  }
}

/** @throws RequestError 404 NO_SUCH_PATH_VALUE for what a path cannot have as a segment */
function segmentOf (value: unknown): string {
  const text = textOf(value)
  if (text === '.' || text === '..') throw noPathValue()
  return encodeURIComponent(text)
}

const textOf = (value: unknown): string =>
  value === undefined ? '' : typeof value === 'string' ? value : JSON.stringify(value)
