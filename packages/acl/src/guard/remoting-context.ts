import type { ModelClass, SharedMethod } from '@fastback/core'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { ContextParts } from '../roles/resolver.js'

/** What role resolvers read of a request. The parts that LoopBack's had stand beside Node's own. */
export function remotingContext (request: FastifyRequest, reply: FastifyReply, method: SharedMethod): object {
  const { params, query, body, accessToken } = request
  const req = Object.create(
    request.raw,
    Object.getOwnPropertyDescriptors({ params, query, body, accessToken: accessToken ?? undefined })
  ) as object
  return {
    req,
    res: reply.raw,
    request,
    reply,
    method,
    methodString: `${method.modelName}.${method.fullName}`,
    args: { ...(query as object), ...(params as object) }
  }
}

interface Asked {
  readonly Model: ModelClass
  readonly modelId: unknown
  readonly methodName?: string
  readonly accessType?: string | undefined
}

/**
 * What is asked about a request. A class: V8 keeps the getter of an object literal among old objects, and with it the
 * whole request until the next full collection.
 */
export class RequestParts implements ContextParts {
  readonly Model: ModelClass
  readonly modelId: unknown
  readonly methodName: string | undefined
  readonly accessType: string | undefined
  readonly #request: FastifyRequest
  readonly #reply: FastifyReply

  /**
   * @param method of the route
   * @param route undefined: resolvers see no context of remoting
   */
  constructor (
    { Model, modelId, methodName, accessType }: Asked, request: FastifyRequest, reply: FastifyReply,
    readonly method: SharedMethod | undefined, readonly route: SharedMethod | undefined = method
  ) {
    this.Model = Model
    this.modelId = modelId
    this.methodName = methodName
    this.accessType = accessType
    this.#request = request
    this.#reply = reply
  }

  get remotingContext (): object | undefined {
    return this.route === undefined ? undefined : remotingContext(this.#request, this.#reply, this.route)
  }
}
