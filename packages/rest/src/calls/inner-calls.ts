/**
 * Requests without a socket that are made on behalf of one that came in: each takes the way that every request takes,
 * with routing, authentication, access rules, limits, hooks and error handling.
 */
import type { Readable } from 'node:stream'
import type { OperationOptions, SharedMethod } from '@fastback/core'
import { addOuterRequests, sharedMethodOf } from '@fastback/core/remote'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { InnerIncoming, StreamResponse, TextResponse } from './inner-exchange.js'
import { shareWork, type SharedWork } from './shared-work.js'

/** What came back. */
export interface InnerResponse {
  readonly status: number
  readonly headers: Readonly<Record<string, unknown>>
  readonly text: string
}

/** A response that goes on. */
export interface InnerStream {
  readonly status: number
  readonly body: Readable
  close (): void
}

/** One request. */
export interface InnerRequest {
  readonly method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'
  /** Below the prefix of the scope. */
  readonly path: string
  /** In addition to those of the outer request. */
  readonly headers: Readonly<Record<string, string>>
  /** JSON text. */
  readonly body: string | undefined
  /** The budget that it takes part in. Default: one of its own. */
  readonly work?: SharedWork
}

/** What is thrown where a request does not get to the method that it was made for. */
export interface InnerRefusals {
  /** It leads elsewhere. */
  otherRoute (request: InnerRequest, why: string): Error
  /** It has another token than the outer request. */
  ownToken (): Error
}

/** A request under way. */
interface Call {
  readonly outer: FastifyRequest
  readonly request: InnerRequest
  readonly method: SharedMethod
  /** Whether it has come to the routes of models, or to others, which have not run. */
  arrived: boolean | 'strayed'
}

type Sending = FastifyRequest & { accessToken?: OperationOptions['accessToken'] | null }

/**
 * Headers of the outer request that say something of its own body, connection or repeats, or of the form of its
 * response. All others, those with tokens among them, are those of each inner request.
 */
const ofRequestAlone: ReadonlySet<string> = new Set([
  'accept', 'accept-encoding', 'connection', 'content-encoding', 'content-length', 'content-type', 'expect',
  'idempotency-key', 'if-match', 'if-modified-since', 'if-none-match', 'if-range', 'if-unmodified-since', 'keep-alive',
  'prefer', 'proxy-connection', 'range', 'te', 'trailer', 'transfer-encoding', 'upgrade', 'x-http-method-override'
])

/** Sends requests through the routes of one scope. */
export class InnerCalls {
  /** By their raw requests. */
  readonly #calls = new WeakMap<object, Call>()
  readonly #scope: FastifyInstance
  readonly #refusals: InnerRefusals

  /** @param scope that of the routes of models, before they are made */
  constructor (scope: FastifyInstance, refusals: InnerRefusals) {
    this.#scope = scope
    this.#refusals = refusals
    const forget = addOuterRequests(scope.registry, ({ raw }) => this.#calls.get(raw)?.outer)
    scope.addHook('onClose', async () => { forget() })
    // Of the whole server: no route of anybody else's runs for such a request (security.md, S-164).
    rootOf(scope).addHook('onRequest', (request, _reply, done) => {
      const call = this.#calls.get(request.raw)
      if (call === undefined) done()
      else done(this.#arrive(call, request))
    })
  }

  /**
   * Sends a request in the name of another one's caller.
   * @param method what it is to lead to; the application's router decides whether it does
   */
  async send (outer: FastifyRequest, method: SharedMethod, request: InnerRequest): Promise<InnerResponse> {
    const call: Call = { outer, request, method, arrived: false }
    const response = await new Promise<InnerResponse>((resolve, reject) => {
      const incoming = this.#incoming(call)
      this.#scope.routing(incoming, new TextResponse(incoming, resolve, reject))
    })
    this.#mustHaveArrived(call, response.status)
    return response
  }

  /** The same for a method whose response goes on. Whoever opens it closes it. */
  async open (outer: FastifyRequest, method: SharedMethod, request: InnerRequest): Promise<InnerStream> {
    const call: Call = { outer, request, method, arrived: false }
    const response = await new Promise<StreamResponse>((resolve, reject) => {
      const incoming = this.#incoming(call)
      this.#scope.routing(incoming, new StreamResponse(incoming, resolve, reject))
    })
    this.#mustHaveArrived(call, response.statusCode)
    return {
      status: response.statusCode,
      body: response.body,
      close: () => {
        // The handler hears of it as of a connection that is lost.
        response.destroy()
        response.body.destroy()
      }
    }
  }

  #incoming (call: Call): InnerIncoming {
    const { outer, request: { method, path, headers, body } } = call
    const own: Record<string, string> = body === undefined ? {} : { 'content-type': 'application/json' }
    const incoming = new InnerIncoming({
      method,
      url: this.#scope.prefix + path,
      headers: { ...shared(outer), ...own, ...headers, accept: 'application/json' },
      body,
      remoteAddress: outer.raw.socket.remoteAddress ?? '127.0.0.1'
    })
    this.#calls.set(incoming, call)
    return incoming
  }

  /** An error may come from what stands before the routes: limits, tokens. So may a response of middleware. */
  #mustHaveArrived ({ arrived, request }: Call, status: number): void {
    if (arrived === 'strayed' || (!arrived && status < 400)) throw this.#refusals.otherRoute(request, notOfAModel)
  }

  /** Before the handler: the route is the one that was meant, and the caller is that of the outer request. */
  #arrive (call: Call, inner: Sending): Error | undefined {
    const { request, outer, method } = call
    if (!isWithin(inner.server, this.#scope)) {
      call.arrived = 'strayed'
      return this.#refusals.otherRoute(request, notOfAModel)
    }
    call.arrived = true
    if (sharedMethodOf(inner.routeOptions) !== method && !inner.is404) {
      return this.#refusals.otherRoute(request, 'it leads to another route than it says')
    }
    if (request.work !== undefined) shareWork(inner, request.work)
    const token = (outer as Sending).accessToken as { readonly id?: unknown } | null | undefined
    if (token === undefined) return undefined
    const own = inner.accessToken as { readonly id?: unknown } | null | undefined
    if (own !== undefined && own !== null && own.id !== token?.id) return this.#refusals.ownToken()
    inner.accessToken = token
  }
}

const notOfAModel = 'it is no route of a model'

/** Each scope of Fastify's inherits from the one around it. */
function rootOf (scope: FastifyInstance): FastifyInstance {
  const above = Object.getPrototypeOf(scope) as FastifyInstance
  return 'routing' in above ? rootOf(above) : scope
}

const isWithin = (scope: FastifyInstance, outer: FastifyInstance): boolean =>
  scope === outer || Object.prototype.isPrototypeOf.call(outer, scope)

function shared ({ headers }: FastifyRequest): Record<string, string> {
  const own: Record<string, string> = {}
  for (const name in headers) {
    const value = headers[name]
    if (value !== undefined && !ofRequestAlone.has(name)) own[name] = Array.isArray(value) ? value.join(', ') : value
  }
  return own
}
