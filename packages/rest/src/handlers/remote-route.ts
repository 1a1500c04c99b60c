/** One route of one shared method, and the handler that fits what the application has put around the method. */
import {
  isPromise, type CompiledModel, type ModelRegistry, type OperationOptions, type SharedMethod
} from '@fastback/core'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { hooksOf, type HookLists } from '../hooks/match.js'
import { externalOptions, hasOwnOptions } from '../hooks/options.js'
import { compileReader, type MethodReader, type ReaderContext } from '../parse/arguments.js'
import { RequestInput, type CallParts } from '../parse/input.js'
import { pathValue } from '../parse/text.js'
import type { OpenStreams } from '../stream/open-streams.js'
import { builtinTexts, isUntouched, type BuiltinText } from './builtin.js'
import { callMethod } from './call.js'
import { chooseFormat } from './format.js'
import { isObjectStream } from './result.js'
import { asJson, commonHeaders } from './send.js'

export interface RouteSettings {
  readonly registry: ModelRegistry
  readonly readers: ReaderContext
  /** Media types on offer. */
  readonly offered: readonly string[]
  /** What `ctx.req.app` is. */
  readonly application: () => object | undefined
  readonly streams: OpenStreams
}

/** What of a route's options in `http` counts at run time. */
export interface RouteHttp {
  readonly verb: string
  readonly path: string
  readonly status?: number | undefined
  readonly errorStatus?: number | undefined
}

export class RemoteRoute {
  readonly reader: MethodReader
  readonly streams: boolean
  hooks: HookLists
  readonly #call: CallParts
  readonly #text: BuiltinText | undefined
  #model: CompiledModel | undefined
  #applicationHooks = -1
  #direct = false

  constructor (readonly method: SharedMethod, readonly http: RouteHttp, readonly settings: RouteSettings) {
    this.reader = compileReader(method, http.path, settings.readers)
    this.streams = isObjectStream(method)
    this.hooks = hooksOf(method, settings.registry)
    this.#call = directCall(method)
    this.#text = method.builtin === undefined ? undefined : builtinTexts[method.builtin]
  }

  /** The route's handler. Fastify gets text or a promise of it, or what a reply's `send` returns. */
  readonly handle = (request: FastifyRequest, reply: FastifyReply): unknown => {
    const model = this.#current()
    const format = chooseFormat(request, this.settings.offered, this.streams)
    return this.#isDirect() && format === 'json' ? this.#answer(model, request, reply) : callMethod(this, format, request, reply)
  }

  /** The compiled model; the handler is chosen again when it has changed. */
  #current (): CompiledModel {
    const { method, settings: { registry } } = this
    const model = method.model.compiled
    if (model !== this.#model || registry.remoteHooks.length !== this.#applicationHooks) {
      this.#model = model
      this.#applicationHooks = registry.remoteHooks.length
      this.hooks = hooksOf(method, registry)
      this.#direct = this.#text !== undefined && !this.hasHooks && method.rest.before.length === 0 && method.rest.after.length === 0 && this.http.status === undefined && this.http.errorStatus === undefined
    }
    return model
  }

  /** Functions are replaced by plain assignment, which nobody announces. */
  #isDirect (): boolean {
    const { method } = this
    return this.#direct && method.builtin !== undefined && isUntouched(method.model, method.builtin) && !hasOwnOptions(method.model)
  }

  get hasHooks (): boolean {
    const { before, after, afterError } = this.hooks
    return before.length > 0 || after.length > 0 || afterError.length > 0
  }

  /** Straight to the operation; synchronous when the store is. */
  #answer (model: CompiledModel, request: FastifyRequest, reply: FastifyReply): unknown {
    const { method } = this
    const values = this.reader.read(new RequestInput(request, this.#call))
    const options = values.pop() as OperationOptions
    if (!method.isStatic) values.unshift(pathValue((request.params as { id: string }).id))
    const text = (this.#text as BuiltinText)(model, values, options)
    if (request.method === 'HEAD' && method.builtin === 'exists') return answerExists(text, reply)
    asJson(reply)
    return text
  }
}

/** The last argument of every built-in operation is its options. */
function directCall (method: SharedMethod): CallParts {
  const none = (): never => { throw new TypeError(`${method.fullName} has no such argument.`) }
  return { callContext: none, callRequest: none, callResponse: none, callOptions: request => externalOptions(method.model, request) }
}

/** `HEAD /:id`: 200 or 404, nothing else. */
export function answerExists (answer: unknown, reply: FastifyReply): unknown {
  if (isPromise(answer)) return answer.then(value => answerExists(value, reply))
  return commonHeaders(reply).code(answer === '{"exists":true}' || answer === true ? 200 : 404).send()
}
