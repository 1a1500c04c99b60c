/**
 * A request with an `Idempotency-Key` has its effect once, however often it is sent. The key is claimed first, by
 * itself, so that every process knows of it. Then the handler runs, in one transaction with the storing of its response
 * where the store has transactions: a crash leaves both or none of it, and a claim whose lease is over is taken over.
 * Without transactions nobody knows after a crash what was done, and the request is not run again.
 * A request that waits for nothing but the store needs no claim where the store has units (`onceAtOnce`).
 */
import type { CompiledModel, DataSource, MaybePromise, SharedMethod, TransactionBeginning } from '@fastback/core'
import { isPromise } from '@fastback/core/connector'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { statusOf } from '../errors/error-body.js'
import { unsupportedHeader } from '../errors/request-errors.js'
import { joinHeader } from '../handlers/join-header.js'
import { isBySocket } from '../hooks/options.js'
import { bodyKind } from '../parse/body-kind.js'
import { keyInUse, keyRequired, responseNotStored } from './errors.js'
import type { KeyStore } from './key-store.js'
import { fingerprintOf, keyHeader, keyOf, storedId } from './request-key.js'
import {
  resultAtOnce, resultOfHandler, sendAgain, storedResponse, type HandlerResult, type StoredResponse
} from './response.js'
import type { IdempotencyLimits } from './settings.js'

/** The work of a request, and where it has its effect. */
export interface OnceWork {
  readonly store: KeyStore
  /** Where the work writes, if it is one data source. */
  readonly dataSource: DataSource | null
  readonly beginning?: TransactionBeginning | undefined
  readonly handle: () => unknown
}

/**
 * Runs a request that has a key, or sends the response of the first one with it.
 * @throws RequestError 400, 409 and 422 of `errors.ts`; the errors of the handler
 */
export async function once (
  limits: IdempotencyLimits, { store, dataSource, beginning, handle }: OnceWork,
  request: FastifyRequest, reply: FastifyReply
): Promise<unknown> {
  const id = storedId(request, keyOf(request.headers[keyHeader] as string))
  const fingerprint = fingerprintOf(request)
  if (store.underWay.has(id)) throw keyInUse()
  store.underWay.add(id)
  try {
    const transactions = store.dataSource === dataSource ? store.dataSource.connector.transactions : undefined
    const claimed = await store.claim(id, fingerprint, limits, transactions !== undefined)
    if ('response' in claimed) return repeat(claimed.response, reply)
    const { claim } = claimed
    const work = async (): Promise<HandlerResult> => {
      const result = await resultOfHandler(reply, handle)
      await store.complete(id, claim, storedResponse(reply, result, limits.maxResponse))
      return result
    }
    let result: HandlerResult
    try {
      result = await (transactions === undefined ? work() : store.dataSource.ambient.run(transactions, work, beginning))
    } catch (error) {
      await afterFailure(store, id, claim, transactions !== undefined || statusOf(error) < 500, request)
      throw error
    }
    return result.isSent ? reply : reply.send(result.payload)
  } finally {
    store.underWay.delete(id)
  }
}

/**
 * The same for a request that waits for nothing: its work and its response are written as one with those of the other
 * requests of the tick. Other processes wait for the store meanwhile, so that no claim is to be seen before.
 */
function onceAtOnce (
  limits: IdempotencyLimits, store: KeyStore, model: CompiledModel, handle: () => unknown,
  request: FastifyRequest, reply: FastifyReply
): MaybePromise<unknown> {
  const id = storedId(request, keyOf(request.headers[keyHeader] as string))
  if (store.underWay.has(id)) throw keyInUse()
  const work = (): { readonly result: HandlerResult, readonly response: StoredResponse } => {
    const result = resultAtOnce(reply, handle)
    return { result, response: storedResponse(reply, result, limits.maxResponse) }
  }
  store.underWay.add(id)
  let done: ReturnType<typeof store.runAtOnce<HandlerResult>>
  try {
    done = store.runAtOnce(id, fingerprintOf(request), limits, model, isBySocket(request), work)
  } catch (error) {
    store.underWay.delete(id)
    throw error
  }
  const send = (outcome: Awaited<typeof done>): unknown => {
    store.underWay.delete(id)
    return 'response' in outcome ? repeat(outcome.response, reply) : outcome.result.payload ?? reply.send()
  }
  return isPromise(done)
    ? done.then(send, (error: unknown) => {
      store.underWay.delete(id)
      throw error
    })
    : send(done)
}

function repeat ({ body, ...response }: StoredResponse, reply: FastifyReply): FastifyReply {
  if (body === undefined) throw responseNotStored(response.status)
  joinHeader(reply, 'vary', ['Accept'])
  return sendAgain(reply, { ...response, body })
}

/** @param isUndone whether nothing of the request is left: then it may be sent again, and with another body */
async function afterFailure (
  store: KeyStore, id: string, claim: string, isUndone: boolean, request: FastifyRequest
): Promise<void> {
  try {
    await (isUndone ? store.release(id, claim) : store.abandon(id, claim))
  } catch (err) {
    // The claim ends with its lease.
    request.log.warn({ err }, 'the claim of an Idempotency-Key could not be taken back')
  }
}

type Handle = (request: FastifyRequest, reply: FastifyReply) => unknown

/** Which requests are dealt with in which way. */
export interface OnceRequests {
  /** Those that need no key where one is required: the operations of a batch. */
  readonly isExempt: (request: FastifyRequest) => boolean
  /** Those that wait for nothing but the store. */
  readonly isPlainWrite: (request: FastifyRequest) => boolean
}

/** The handler of a method's route, for requests with and without a key. */
export function onceHandler (
  method: SharedMethod, limits: IdempotencyLimits, store: KeyStore, handle: Handle,
  { isExempt, isPlainWrite }: OnceRequests
): Handle {
  const { model } = method
  return (request, reply) => {
    if (request.method === 'GET' || request.method === 'HEAD') return handle(request, reply)
    if (request.headers[keyHeader] === undefined) {
      const isDemanded = limits.required && (request.method === 'POST' || request.method === 'PATCH')
      if (isDemanded && !isExempt(request)) throw keyRequired()
      return handle(request, reply)
    }
    if (['other', 'lines'].includes(bodyKind(request))) throw unsupportedHeader('Idempotency-Key')
    const { dataSource, compiled } = model
    const { looseUniqueness } = compiled
    if (store.dataSource === dataSource && store.hasUnits() && isPlainWrite(request)) {
      return onceAtOnce(limits, store, compiled, () => handle(request, reply), request, reply)
    }
    // Nothing but the isolation of the transaction keeps two rows apart that no unique index does (security.md, S-42).
    const beginning = looseUniqueness.length > 0 ? { isolationLevel: 'SERIALIZABLE' } : {}
    return once(limits, { store, dataSource, beginning, handle: () => handle(request, reply) }, request, reply)
  }
}
