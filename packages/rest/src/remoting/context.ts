/** `ctx` of calls that belong to no model. */
import type { ModelClass, OperationOptions } from '@fastback/core'
import { EventEmitter } from 'node:events'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { RemoteContext, type RemoteMethod } from '../hooks/context.js'
import type { SharedMethod } from './shared-method.js'
import type { RemotingTypes } from './types.js'

/**
 * What every context has, also that of a call to another server.
 *
 * ```js
 * const context = new ContextBase(sharedMethod, new RemotingTypes())
 * sharedMethod.invoke(context.getScope(), { a: 1 }, {}, context, (error, result) => {})
 * ```
 */
export class ContextBase extends EventEmitter {
  /** The object that the method is called on. */
  instance: unknown

  constructor (readonly method: object, readonly typeRegistry: RemotingTypes) {
    super()
  }

  getScope (): unknown {
    const { ctor, sharedMethod } = this.method as { ctor?: unknown, sharedMethod?: SharedMethod }
    return this.instance ?? ctor ?? sharedMethod?.ctor
  }

  /** Takes a result that has a place of its own, such as a header; true where it did. */
  setReturnArgByName (_name: string, _value: unknown): boolean {
    return false
  }
}

/** The context of a call to a method of a `RemoteObjects`: as for models, with the method as it was declared. */
export class SharedContext extends RemoteContext {
  readonly typeRegistry: RemotingTypes

  constructor (shared: SharedMethod, types: RemotingTypes, request: FastifyRequest, reply: FastifyReply) {
    const { raw } = request as { raw: { app?: object, params?: unknown, remotingContext?: unknown } }
    // Express code before the handler has its own application, and names of its own paths.
    super(shared as unknown as RemoteMethod, request, reply, raw.app)
    raw.params = request.params
    raw.remotingContext = this
    this.typeRegistry = types
  }

  /** Nothing is known of the caller. */
  override get options (): OperationOptions {
    return {}
  }

  override getScope (): ModelClass {
    return (this.instance ?? this.method.ctor) as ModelClass
  }
}
