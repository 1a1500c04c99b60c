/** One request on its way through the chain. */
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { MaybePromise } from '@fastback/core'
import { isPromise } from '@fastback/core/connector'
import { failure, type Chain, type NativeStep, type Outcome } from './chain.js'
import { pathnameOf } from './paths.js'
import type { LoopbackHost } from '../app/loopback-host.js'

/** Express' way to say what comes next: nothing, or an error. */
export type Next = (error?: unknown) => void

/** Where a request keeps its exchange. On Node's request, because Express code knows no other. */
export const exchangeOf = Symbol('fastback.exchange')

/** Where a request keeps what goes on with it when this application does not answer. */
export const outerNext = Symbol('fastback.outerNext')

/** A request as Express code has it: Node's own, with Express' methods. */
export interface ExpressRequest extends IncomingMessage {
  baseUrl?: string
  originalUrl?: string
  body?: unknown
  [failure]?: unknown
  [exchangeOf]?: Exchange | undefined
  [outerNext]?: Next | undefined
}

/** What exchanges need of their application. */
export interface ExchangeHost extends LoopbackHost {
  readonly chain: Chain
  /** Gives Node's request and response the methods that Express code expects. */
  prepare (request: FastifyRequest, reply: FastifyReply): void
  /** Answers a request that no step answered: with the error, or as not found. */
  conclude (error: unknown, request: FastifyRequest, reply: FastifyReply): void
  /** Sends a request through Fastify's router again, because Express code changed its address or method. */
  reroute (req: IncomingMessage, res: ServerResponse): void
}

export class Exchange {
  /** The step that comes next. */
  #index: number
  #handedOver: boolean
  #prepared = false
  #resume: Next | undefined
  readonly #url: string
  readonly #method: string

  /**
   * @param options.from index of the first step
   * @param options.express whether Express layers may act on this request; where none does, only those that handle
   * errors are asked,
   *   when there is one
   * @param options.toFastify lets Fastify go on with the request; undefined when it already had its turn
   */
  constructor (
    readonly host: ExchangeHost,
    public request: FastifyRequest,
    public reply: FastifyReply,
    readonly options: { readonly from: number, readonly express: boolean, readonly toFastify?: () => void }
  ) {
    this.#index = options.from
    this.#handedOver = options.toFastify === undefined
    this.#url = request.raw.url as string
    this.#method = request.raw.method as string
    this.#req[exchangeOf] = this
  }

  /** The exchange of a request, if it has one. */
  static of (request: FastifyRequest): Exchange | undefined {
    return (request.raw as ExpressRequest)[exchangeOf]
  }

  /** Whether Express code has answered, and goes on all the same. */
  get #isReplySent (): boolean {
    return this.reply.raw.writableEnded
  }

  get #req (): ExpressRequest {
    return this.request.raw as ExpressRequest
  }

  /** Goes on after the place where the request was given to Fastify, with an error or without. */
  resume (error?: unknown): void {
    const resume = this.#resume
    this.#resume = undefined
    if (resume === undefined) this.advance(error)
    else resume(error)
  }

  /**
   * Gives the request to Fastify's routes; `next` goes on when they have nothing for it, or fail. Fastify has its turn
   * once.
   */
  handOver (next: Next): void {
    if (this.#isReplySent) return
    const { toFastify } = this.options
    if (this.#handedOver || toFastify === undefined) { next(); return }
    this.#handedOver = true
    this.#showToken()
    const req = this.#req
    const { url, baseUrl } = req
    // Within a router that is mounted on a path, Express has cut the path off; Fastify and the REST methods see all of
    // it.
    if (baseUrl !== undefined && baseUrl !== '') req.url = uncut(baseUrl, url as string, this.#url)
    this.#resume = error => {
      req.url = url as string
      next(error)
    }
    if (req.url === this.#url && req.method === this.#method) { toFastify(); return }
    this.reply.hijack()
    this.host.reroute(req, this.reply.raw)
  }

  /** The same request comes from Fastify's router again, after `reroute`. */
  adopt (request: FastifyRequest, reply: FastifyReply): void {
    this.request = request
    this.reply = reply
    this.#showToken()
  }

  /** Who the caller is by the application's own middleware (`req.accessToken = …`) counts on Fastify's side as well. */
  #showToken (): void {
    if (!this.#prepared) return
    const token: unknown = Object.getOwnPropertyDescriptor(this.#req, 'accessToken')?.value
    if (token !== null && typeof token === 'object') Object.assign(this.request, { accessToken: token })
  }

  /** Runs steps until one answers, Fastify has its turn, or none is left. */
  advance (error?: unknown): void {
    if (this.#isReplySent) return
    const { steps } = this.host.chain
    let failed = error
    for (;;) {
      const step = steps[this.#index++]
      if (step === undefined) { this.host.conclude(failed, this.request, this.reply); return }
      if ('router' in step) {
        if (!this.options.express && (failed === undefined || !this.host.chain.hasErrorLayers)) continue
        this.#runRouter(step.router, failed)
        return
      }
      if (!this.#concerns(step.native)) continue
      if (failed !== undefined) {
        if (step.native.fail === undefined) continue
        step.native.fail(failed, this.request, this.reply)
        return
      }
      if (step.native.handle === undefined) continue
      let outcome: MaybePromise<Outcome>
      try {
        outcome = step.native.handle(this.request, this.reply)
      } catch (thrown) {
        failed = thrown ?? new UnsaidError()
        continue
      }
      if (isPromise(outcome)) {
        outcome.then(
          value => {
            if (!this.#ends(value)) this.advance()
          },
          thrown => {
            this.advance(thrown ?? new UnsaidError())
          }
        )
        return
      }
      if (this.#ends(outcome)) return
    }
  }

  #ends (outcome: Outcome): boolean {
    if (outcome === 'next' || (outcome === 'fastify' && this.#handedOver)) return false
    if (outcome === 'fastify') this.handOver(error => { this.advance(error) })
    return true
  }

  #concerns (step: NativeStep): boolean {
    if (step.withExpress === true && !this.options.express) return false
    if (step.methods !== undefined && step.methods.length > 0 && !step.methods.includes(this.request.method)) {
      return false
    }
    return step.matches === undefined || step.matches(pathnameOf(this.request.raw.url as string))
  }

  #runRouter (router: (req: IncomingMessage, res: ServerResponse, next: Next) => void, error: unknown): void {
    if (!this.#prepared) {
      this.#prepared = true
      this.host.prepare(this.request, this.reply)
    }
    this.#req[failure] = error
    router(this.#req, this.reply.raw, after => {
      // `next('router')` leaves the application's own router, too: there is nothing more in it.
      this.advance(after === 'router' ? undefined : after ?? undefined)
    })
  }
}

/** Stands for an error that is undefined or null: something failed all the same. */
class UnsaidError extends Error {
  constructor () {
    super('A middleware failed without saying why.')
  }
}

/** The address that Express cut `base` off. It puts a slash where nothing is left, which was not in the original. */
function uncut (base: string, rest: string, original: string): string {
  const slashAdded = rest.startsWith('/') && !original.startsWith(`${base}/`)
  return base + (slashAdded ? rest.slice(1) : rest)
}

/**
 * Fastify's request and reply of a request that Express code has in hand; undefined outside an application.
 *
 * ```js
 * app.use((req, res, next) => { sidesOf(req)?.request.log.info('here'); next() })
 * ```
 */
export function sidesOf (req: IncomingMessage): Pick<Exchange, 'request' | 'reply'> | undefined {
  return (req as ExpressRequest)[exchangeOf]
}
