/** Errors of batches. */
import { RequestError, type Violation } from '@fastback/core'
import { badRequest } from '../errors/request-errors.js'

/** 400: the body is no batch; `details` has every violation with its path. */
export const invalidBatch = (violations: readonly Violation[]): RequestError => badRequest(
  `The batch is not valid: ${violations.slice(0, 5).map(({ path, message }) => `${path} ${message}`).join('; ')}.`,
  'INVALID_BATCH',
  violations
)

/** 400: a reference leads to nothing in the response of an earlier operation. */
export const unknownReference = (reference: string): RequestError => badRequest(
  `The reference "${reference.slice(0, 200)}" leads to no value: name the "id" of an earlier operation and a path in its response, such as "order.id".`,
  'BATCH_UNKNOWN_REFERENCE'
)

/** 400: an operation leads to a method that a batch cannot have, or to none. */
export const notInBatch = (method: string, path: string, why: string): RequestError => badRequest(
  `${method} ${path.slice(0, 200)} cannot be an operation of a batch: ${why}.`, 'BATCH_OPERATION_NOT_SUPPORTED'
)

/** 400: an operation has another token than the request that it came in. */
export const ownToken = (): RequestError => badRequest(
  'An operation of a batch has no token of its own: send the token with the batch.', 'BATCH_OPERATION_NOT_SUPPORTED'
)

/** 422: operations that cannot be done as one. */
export const notAtomic = (why: string): RequestError => new RequestError(
  422, `The batch cannot be done as one: ${why}. Send it with "atomic": false, or split it.`, {
    name: 'UnprocessableEntityError', code: 'BATCH_NOT_ATOMIC'
  }
)

/** 413: the responses of the operations are too large. */
export const responsesTooLarge = (most: number): RequestError => new RequestError(
  413, `The responses of the batch have more than ${most} bytes: ask for less, or send fewer operations.`, {
    name: 'PayloadTooLargeError', code: 'BATCH_RESPONSE_TOO_LARGE'
  }
)

/** 422: the operations before took all the time that a batch has. Sent again, it would take as long. */
export const batchTimeout = (seconds: number): RequestError => new RequestError(
  422, `The operations of the batch take longer than ${seconds} s: send fewer.`, { code: 'BATCH_TIMEOUT' }
)
