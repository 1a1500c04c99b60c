/** The route `POST /batch` of an API. */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { BatchPathTakenError } from '../errors/startup-errors.js'
import { errorBody } from '../errors/error-body.js'
import type { ErrorHandlerOptions } from '../errors/error-handler.js'
import { renderError } from '../errors/render.js'
import { unsupportedHeader, unsupportedMediaType } from '../errors/request-errors.js'
import { asJson, commonHeaders } from '../handlers/send.js'
import { keyStoreFor, type KeyStore } from '../idempotency/key-store.js'
import { keyRequired } from '../idempotency/errors.js'
import { once } from '../idempotency/once.js'
import { keyHeader } from '../idempotency/request-key.js'
import { idempotencyLimits, type IdempotencyLimits, type IdempotencySetting } from '../idempotency/settings.js'
import { bodyKind } from '../parse/body-kind.js'
import { addBodyParsers, type BodyOptions } from '../parse/body-parser.js'
import type { ModelPlan } from '../routes/plan.js'
import { invalidBatch } from './errors.js'
import { BatchRoutes, dataSourceOf } from './methods.js'
import { readBatch } from './operations.js'
import type { OperationCalls, OperationResponse } from './operation-call.js'
import { FailedOperation, runBatch, type BatchRunner, type PlannedBatch } from './run-batch.js'
import type { BatchLimits } from './settings.js'

export interface BatchRouteSettings {
  readonly limits: BatchLimits
  readonly idempotency: IdempotencySetting
  readonly body: BodyOptions
  readonly errorHandler: ErrorHandlerOptions
}

const path = '/batch'
/** Levels of nesting around the body of an operation. */
const levelsAround = 3

/**
 * Adds the route, in a scope of its own: its body may be larger than that of others.
 * @throws FBK_REST_BATCH_PATH_TAKEN where a model has the path
 */
export async function addBatchRoute (
  scope: FastifyInstance, plans: readonly ModelPlan[], calls: OperationCalls, settings: BatchRouteSettings
): Promise<void> {
  const taken = plans.find(plan => plan.routes.some(({ url }) => url.toLowerCase() === path))
  if (taken !== undefined) throw new BatchPathTakenError(taken.Model.modelName)
  const handler = new BatchHandler(scope, plans, calls, settings)
  const { limits: { bodyLimit }, body } = settings
  await scope.register(async inner => {
    addBodyParsers(inner, { ...body, jsonLimit: bodyLimit, jsonDepth: body.jsonDepth + levelsAround })
    inner.post(path, { bodyLimit }, handler.handle)
  })
}

class BatchHandler {
  readonly #routes: BatchRoutes
  readonly #runner: BatchRunner
  readonly #keys: IdempotencyLimits | undefined
  readonly #scope: FastifyInstance

  constructor (
    scope: FastifyInstance, plans: readonly ModelPlan[], calls: OperationCalls, settings: BatchRouteSettings
  ) {
    this.#scope = scope
    this.#routes = new BatchRoutes(plans)
    this.#keys = idempotencyLimits(settings.idempotency)
    this.#runner = {
      calls,
      limits: settings.limits,
      errorOf: (error, request) => errorResponse(error, request, settings.errorHandler)
    }
    // Made with the other tables, before the server starts.
    if (this.#keys !== undefined) {
      for (const { Model } of plans) keyStoreFor(scope.registry, Model.dataSource, this.#keys)
    }
  }

  readonly handle = async (request: FastifyRequest, reply: FastifyReply): Promise<unknown> => {
    const planned = this.#plan(request)
    try {
      return await this.#run(planned, request, reply)
    } catch (error) {
      if (!(error instanceof FailedOperation)) throw error
      const { status, headers } = error.response
      for (const name of ['retry-after', 'www-authenticate', 'x-request-id']) {
        if (headers[name] !== undefined) reply.header(name, headers[name])
      }
      const type = String(headers['content-type'])
      return commonHeaders(reply).code(status).type(/json/.test(type) ? type : 'application/json; charset=utf-8')
        .send(error.text)
    }
  }

  /** Looks at all operations before the first one runs. */
  #plan (request: FastifyRequest): PlannedBatch {
    if (bodyKind(request) !== 'json') {
      throw unsupportedMediaType(String(request.headers['content-type']), ['application/json'])
    }
    if (request.body === undefined) {
      throw invalidBatch([{ path: '', code: 'required', message: 'is missing', info: {} }])
    }
    const batch = readBatch(request.body, this.#runner.limits)
    const methods = batch.operations.map(operation => this.#routes.methodOf(operation))
    const dataSource = batch.isAtomic ? dataSourceOf(batch, methods) : null
    // Nothing but the isolation of the transaction keeps two rows apart that no unique index does (security.md, S-42).
    const isLoose = methods.some(({ model }) => model.compiled.looseUniqueness.length > 0)
    return { batch, methods, dataSource, beginning: isLoose ? { isolationLevel: 'SERIALIZABLE' } : {} }
  }

  async #run (planned: PlannedBatch, request: FastifyRequest, reply: FastifyReply): Promise<unknown> {
    const run = async (): Promise<string> => {
      const text = await runBatch(this.#runner, planned, request)
      asJson(reply)
      return text
    }
    if (request.headers[keyHeader] === undefined) {
      if (this.#keys?.required === true) throw keyRequired()
      return await run()
    }
    const { dataSource, beginning, methods } = planned
    const store = this.#storeFor(dataSource ?? methods[0]?.model.dataSource ?? null)
    if (this.#keys === undefined || store === undefined) throw unsupportedHeader('Idempotency-Key')
    return await once(this.#keys, { store, dataSource, beginning, handle: run }, request, reply)
  }

  #storeFor (dataSource: PlannedBatch['dataSource']): KeyStore | undefined {
    return this.#keys === undefined ? undefined : keyStoreFor(this.#scope.registry, dataSource, this.#keys)
  }
}

/** The response that an error would have had, had the operation been a request of its own. */
async function errorResponse (
  error: unknown, request: FastifyRequest, options: ErrorHandlerOptions
): Promise<OperationResponse> {
  const body = errorBody(error, options)
  if (body.statusCode >= 500) request.log.error({ err: error }, 'an operation of a batch failed')
  const { type, text } = await renderError(
    options.errors === 'problem' ? 'problem' : 'json', body, options.rootProperty ?? 'error'
  )
  return { status: body.statusCode, headers: { 'content-type': type }, text: String(text) }
}
