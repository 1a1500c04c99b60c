/** `ctx` of remote hooks and of methods that ask for it. Costly members are made when they are read. */
import type { ModelClass, ModelInstance, OperationOptions, SharedMethod } from '@fastback/core'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { expressify, type ExpressPair } from '../express/bridge.js'
import type { CallParts } from '../parse/input.js'
import { ownOptions } from './options.js'

/** A shared method with the names that LoopBack code reads. */
export type RemoteMethod = SharedMethod & {
  /** `Note.prototype.patchAttributes` */
  readonly stringName: string
  readonly sharedClass: unknown
  readonly ctor: ModelClass
}

export function remoteMethod (method: SharedMethod): RemoteMethod {
  return {
    ...method,
    stringName: `${method.modelName}.${method.fullName}`,
    ctor: method.model,
    get sharedClass () {
      return method.model.sharedClass
    }
  }
}

/**
 * What remote hooks and methods that ask for it get as `ctx`, one for each call.
 *
 * ```js
 * Note.beforeRemote('create', async ctx => { ctx.args.data.createdBy = ctx.options.accessToken?.userId })
 * Note.afterRemote('find', async ctx => { ctx.result = ctx.result.slice(0, 10) })
 * ```
 */
export class RemoteContext implements CallParts {
  /** Arguments by name, after conversion. Hooks may change them. */
  args: Record<string, unknown> = {}
  /** What the method gave: the root value, or an object of named values. Hooks may change it. */
  result: unknown
  /** In error hooks: what went wrong. */
  error: unknown
  /** The instance of an instance method. One that `rest.before` sets is not looked up. */
  instance: ModelInstance | undefined
  /** Values that anyone who handles the call wants to keep with it. */
  [key: string]: unknown
  #pair: ExpressPair | undefined
  #options: OperationOptions | undefined

  constructor (
    readonly method: RemoteMethod,
    readonly request: FastifyRequest,
    readonly reply: FastifyReply,
    readonly application: object | undefined
  ) {}

  /** `Note.create`, `Note.prototype.patchAttributes`. */
  get methodString (): string {
    return this.method.stringName
  }

  /** The request, as Express has it. */
  get req (): ExpressPair['req'] {
    return this.#express().req
  }

  /**
   * The response, as Express has it. Headers and status set on it are kept; who ends it answers instead of the method.
   */
  get res (): ExpressPair['res'] {
    return this.#express().res
  }

  /** Options of the operation: the caller's token and the limits for requests from outside. */
  get options (): OperationOptions {
    return (this.#options ??= ownOptions(this.method.model, this.request, this))
  }

  /** The object that the method is called on. */
  getScope (): ModelClass | ModelInstance {
    return this.instance ?? this.method.model
  }

  #express (): ExpressPair {
    if (this.#pair === undefined) {
      this.#pair = expressify(this.application, this.request, this.reply)
      // As `body-parser` leaves it: no body is an empty one.
      this.#pair.req.body ??= this.request.body ?? {}
      ;(this.#pair.req as { remotingContext?: RemoteContext }).remotingContext = this
    }
    return this.#pair
  }

  /* CallParts, for the readers of arguments. Not enumerable members of `ctx` that hooks see. */
  callContext (): unknown { return this }
  callRequest (): unknown { return this.req }
  callResponse (): unknown { return this.res }
  callOptions (): unknown { return this.options }
}
