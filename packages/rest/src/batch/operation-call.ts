/** One operation of a batch as a request of its own, through the routes of its scope. */
import type { SharedMethod } from '@fastback/core'
import { Inside } from '@fastback/core/remote'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { InnerCalls, type InnerResponse } from '../calls/inner-calls.js'
import { notInBatch, ownToken } from './errors.js'
import type { BatchOperation } from './operations.js'
import { resolvedBody, resolvedPath, type Responses } from './references.js'

/** What became of an operation. */
export type OperationResponse = InnerResponse

/** Sends operations through the routes of one scope. */
export class OperationCalls {
  readonly #calls: InnerCalls
  readonly #inside = new Inside<true>()

  /**
   * @param scope that of the routes of models, before they are made
   * @param bodyLimit characters of a body with the values of its references
   */
  constructor (scope: FastifyInstance, readonly bodyLimit: number) {
    this.#calls = new InnerCalls(scope, {
      otherRoute: ({ method, path }, why) => notInBatch(method, path, why), ownToken
    })
  }

  /** Whether what runs belongs to a batch: an operation, or a request that code of the application makes within one. */
  readonly isOne = (): boolean => this.#inside.current !== undefined

  /**
   * Sends an operation.
   * @throws RequestError 400 BATCH_UNKNOWN_REFERENCE, BATCH_OPERATION_NOT_SUPPORTED
   */
  async send (
    outer: FastifyRequest, operation: BatchOperation, method: SharedMethod, responses: Responses
  ): Promise<OperationResponse> {
    return await this.#inside.run(true, async () => await this.#calls.send(outer, method, {
      method: operation.method,
      path: resolvedPath(operation.path, responses),
      headers: operation.headers,
      body: operation.body === undefined
        ? undefined
        : JSON.stringify(resolvedBody(operation.body, responses, { characters: this.bodyLimit }))
    }))
  }
}
