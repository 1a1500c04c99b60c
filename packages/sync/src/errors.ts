/** What is wrong with a model that is to be replicated, and with what clients ask of its changes. */
import { RequestError } from '@fastback/core'
import { startUpErrors } from '@fastback/core/connector'

const startup = startUpErrors('SYNC')

/** Code requests the changes of a model that records none. */
export const NotTrackedError = startup<[model: string]>(
  'NOT_TRACKED',
  'The model "%s" keeps no changes: set "trackChanges" or "enableRemoteReplication", and give it a data source.'
)
/** A model with several id properties, or none, cannot record changes. */
export const NoSingleIdError = startup<[model: string]>(
  'NO_SINGLE_ID',
  'The model "%s" keeps changes, which needs one id property: declare one of the type "string" with "defaultFn": "guid".'
)

/** A model with sealed properties cannot record changes: by their revisions values could be guessed. */
export const SealedPropertiesError = startup<[model: string, property: string]>(
  'SEALED_PROPERTIES',
  'The model "%s" keeps changes, and its property "%s" is sealed: the revisions of changes are hashes of whole rows, by which values could be guessed. Put sealed properties into a model of their own.'
)

/** 400: an instruction of `bulkUpdate`, or a change, that is none. */
export const malformed = (what: string): RequestError =>
  new RequestError(400, what, { name: 'BadRequestError', code: 'INVALID_CHANGES' })

/** 413: more changes in one call than the server takes. */
export const tooMany = (limit: number): RequestError =>
  new RequestError(413, `There are more than ${String(limit)} changes in one call.`, {
    name: 'PayloadTooLargeError', code: 'TOO_MANY_CHANGES'
  })

/** 413: what would be told of the changes of an atomic push is too much for one response; none was written. */
export const pushTooLarge = (): RequestError =>
  new RequestError(413, 'The rows of this push are too much for one response, and none was written. Push fewer at once.', {
    name: 'PayloadTooLargeError', code: 'PUSH_RESPONSE_TOO_LARGE'
  })

/** 404 of `updateLastChange`. */
export const noChange = (model: string, id: unknown): RequestError =>
  new RequestError(404, `No change record found for ${model} with id ${String(id)}`, { code: 'NOT_FOUND' })

/** 409: changes that were not applied, as they came. */
export const conflicting = (conflicts: readonly unknown[]): RequestError =>
  new RequestError(409, 'Conflict', { code: 'CONFLICT', details: { conflicts } })

/** 401 or 403 of a row that may be read and not written. */
export const refusedRow = (isKnown: boolean): RequestError =>
  new RequestError(isKnown ? 403 : 401, 'Authorization Required', { code: 'AUTHORIZATION_REQUIRED' })

/** 400: a cursor that this server did not give, or not for this. */
export const badCursor = (): RequestError =>
  new RequestError(400, 'The cursor is not one of this list. Begin again without "after".', {
    name: 'BadRequestError', code: 'BAD_CURSOR'
  })

/** 410: what happened since is no longer known. */
export const cursorExpired = (): RequestError =>
  new RequestError(410, 'What changed since this cursor is no longer known. Begin again without "after".', {
    name: 'GoneError', code: 'CURSOR_EXPIRED'
  })

/** 400: a page that cannot be. */
export const badLimit = (most: number): RequestError =>
  new RequestError(400, `"limit" is a whole number from 1 to ${String(most)}.`, {
    name: 'BadRequestError', code: 'BAD_LIMIT'
  })

/** 400: a filter that says more than which rows. */
export const badFilter = (): RequestError =>
  new RequestError(400, '"filter" is an object with "where" alone.', { name: 'BadRequestError', code: 'BAD_FILTER' })

/** 409: the client was made for other rows than these. */
export const clientOutdated = (version: number): RequestError =>
  new RequestError(409, 'The client was made for another version of the rows. Load the application again.', {
    name: 'ConflictError', code: 'CLIENT_OUTDATED', details: { version }
  })

/** 422: a key that stands for another request. */
export const keyReused = (): RequestError =>
  new RequestError(422, 'The Idempotency-Key was sent before, with another body.', {
    name: 'UnprocessableEntityError', code: 'IDEMPOTENCY_KEY_REUSED'
  })

/** 422: all or nothing was asked of a store that cannot take anything back. */
export const notAtomic = (): RequestError =>
  new RequestError(422, 'The store of this model has no transactions: push without "atomic".', {
    name: 'UnprocessableEntityError', code: 'ATOMIC_NOT_SUPPORTED'
  })

/** 404: a model that is not there for this caller. */
export const unknownModel = (name: string): RequestError =>
  new RequestError(404, `There is no model "${name.slice(0, 100)}" to synchronize.`, { name: 'NotFoundError', code: 'MODEL_NOT_FOUND' })
