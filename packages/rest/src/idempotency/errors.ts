/** Errors of requests with the header `Idempotency-Key`: statuses as in the draft of the HTTP working group. */
import { RequestError } from '@fastback/core'
import { badRequest } from '../errors/request-errors.js'

/** 400: the header is neither a quoted string nor a bare token of 1 to 255 characters. */
export const invalidKey = (): RequestError => badRequest(
  'The header Idempotency-Key is not valid: send one key of 1 to 255 printable ASCII characters, best a UUID, quoted or bare.',
  'INVALID_IDEMPOTENCY_KEY'
)

/** 400: the route takes no POST or PATCH without a key. */
export const keyRequired = (): RequestError => badRequest(
  'Send the header Idempotency-Key, with a new UUID for each new request and the same one for its repeats.',
  'IDEMPOTENCY_KEY_REQUIRED'
)

/** 422: the key was sent before, with another method, path or body. */
export const keyReused = (): RequestError =>
  new RequestError(422, 'The Idempotency-Key was sent before with another request; send a new key for a new request.', {
    name: 'UnprocessableEntityError', code: 'IDEMPOTENCY_KEY_REUSED'
  })

/** 409: the first request with the key is still under way. */
export const keyInUse = (): RequestError => Object.assign(
  new RequestError(409, 'The first request with this Idempotency-Key is still under way; send it again a little later.', {
    name: 'ConflictError', code: 'IDEMPOTENCY_KEY_IN_USE'
  }),
  { retryAfter: 1 }
)

/** 409: the first request with the key was cut off where the store has no transactions; it is not run again. */
export const outcomeUnknown = (): RequestError => new RequestError(
  409,
  'The first request with this Idempotency-Key was cut off, and whether it was done is not known: look at the data before you send it with a new key.',
  { name: 'ConflictError', code: 'IDEMPOTENCY_OUTCOME_UNKNOWN' }
)

/** 409: the request was done, and its response was not one that is stored. */
export const responseNotStored = (status: number): RequestError => new RequestError(
  409,
  `The request with this Idempotency-Key was done, with the status ${status}; its response is not stored. Read the data instead.`,
  { name: 'ConflictError', code: 'IDEMPOTENCY_RESPONSE_NOT_STORED', details: { status } }
)
