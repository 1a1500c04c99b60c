/**
 * One operation of a batch as a request of its own, without a socket: it takes the way that every request takes, with
 * routing, authentication, access rules, limits, hooks and error handling.
 */
import type { SharedMethod } from '@fastback/core'
import { Inside, sharedMethodOf } from '@fastback/core/remote'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { notInBatch, ownToken } from './errors.js'
import type { BatchOperation } from './operations.js'
import { resolvedBody, resolvedPath, type Responses } from './references.js'

/** What became of an operation. */
export interface OperationResponse {
  readonly status: number
  readonly headers: Readonly<Record<string, unknown>>
  readonly text: string
}

/** An operation under way. */
interface Call {
  readonly outer: FastifyRequest
  readonly operation: BatchOperation
  readonly method: SharedMethod
  /** Whether it has come to the routes of models. */
  arrived: boolean
}

type Sending = FastifyRequest & { accessToken?: { readonly id?: unknown } | null }

/**
 * Headers of the request that say something of its own body, connection or repeats, or of the form of its response. All
 * others, those with tokens among them, are those of each operation.
 */
const ofRequestAlone: ReadonlySet<string> = new Set([
  'accept', 'accept-encoding', 'connection', 'content-encoding', 'content-length', 'content-type', 'expect',
  'idempotency-key', 'if-match', 'if-modified-since', 'if-none-match', 'if-range', 'if-unmodified-since', 'keep-alive',
  'prefer', 'proxy-connection', 'range', 'te', 'trailer', 'transfer-encoding', 'upgrade', 'x-http-method-override'
])

/** Sends operations through the routes of one scope. */
export class OperationCalls {
  readonly #inside = new Inside<Call>()
  readonly #scope: FastifyInstance

  /**
   * @param scope that of the routes of models, before they are made
   * @param bodyLimit characters of a body with the values of its references
   */
  constructor (scope: FastifyInstance, readonly bodyLimit: number) {
    this.#scope = scope
    scope.addHook('onRequest', (request, _reply, done) => {
      const call = this.#inside.current
      // What code of the application asks within an operation is no operation.
      if (call === undefined || call.arrived) done()
      else done(this.#arrive(call, request))
    })
  }

  /** Whether a request is an operation of a batch. */
  readonly isOne = (): boolean => this.#inside.current !== undefined

  /**
   * Sends an operation.
   * @throws RequestError 400 BATCH_UNKNOWN_REFERENCE, BATCH_OPERATION_NOT_SUPPORTED
   */
  async send (
    outer: FastifyRequest, operation: BatchOperation, method: SharedMethod, responses: Responses
  ): Promise<OperationResponse> {
    const path = resolvedPath(operation.path, responses)
    const body = operation.body === undefined
      ? undefined
      : JSON.stringify(resolvedBody(operation.body, responses, { characters: this.bodyLimit }))
    const call: Call = { outer, operation, method, arrived: false }
    const own = body === undefined ? {} : { 'content-type': 'application/json' }
    // What `inject` gives begins when it is awaited.
    const response = await this.#inside.run(call, async () => await this.#scope.inject({
      method: operation.method,
      url: this.#scope.prefix + path,
      remoteAddress: outer.raw.socket.remoteAddress ?? '127.0.0.1',
      headers: { ...shared(outer), ...own, ...operation.headers, accept: 'application/json' },
      ...(body === undefined ? {} : { payload: body })
    }))
    const { statusCode: status, headers, payload: text } = response
    // An error may come from what stands before the routes: limits, tokens.
    if (!call.arrived && status < 400) throw notInBatch(operation.method, operation.path, 'it is no route of a model')
    return { status, headers, text }
  }

  /** Before the handler: the route is the one that was looked at, and the caller is that of the batch. */
  #arrive (call: Call, request: Sending): Error | undefined {
    call.arrived = true
    const { operation: { method, path } } = call
    if (sharedMethodOf(request.routeOptions) !== call.method && !request.is404) {
      return notInBatch(method, path, 'it leads to another route than it says')
    }
    const token = (call.outer as Sending).accessToken
    if (token === undefined) return undefined
    const { accessToken: own } = request
    if (own !== undefined && own !== null && own.id !== token?.id) return ownToken()
    request.accessToken = token
  }
}

function shared ({ headers }: FastifyRequest): Record<string, string> {
  const entries = Object.entries(headers).flatMap(([name, value]) =>
    value === undefined || ofRequestAlone.has(name) ? [] : [[name, Array.isArray(value) ? value.join(', ') : value]])
  return Object.fromEntries(entries) as Record<string, string>
}
