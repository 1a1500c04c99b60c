/** What is wrong with a model that is to be replicated, and with what clients ask of its changes. */
import { RequestError } from '@fastback/core'
import { startUpErrors } from '@fastback/core/connector'

const startup = startUpErrors('SYNC')

/** A model is asked for its changes and keeps none. */
export const NotTrackedError = startup<[model: string]>(
  'NOT_TRACKED',
  'The model "%s" keeps no changes: set "trackChanges" or "enableRemoteReplication", and give it a data source.'
)
/** A model with several id properties, or none, cannot keep changes. */
export const NoSingleIdError = startup<[model: string]>(
  'NO_SINGLE_ID',
  'The model "%s" keeps changes, which needs one id property: declare one of the type "string" with "defaultFn": "guid".'
)

/** 400: an instruction of `bulkUpdate`, or a change, that is none. */
export const malformed = (what: string): RequestError =>
  new RequestError(400, what, { name: 'BadRequestError', code: 'INVALID_CHANGES' })

/** 413: more changes in one call than the server takes. */
export const tooMany = (limit: number): RequestError =>
  new RequestError(413, `There are more than ${String(limit)} changes in one call.`, {
    name: 'PayloadTooLargeError', code: 'TOO_MANY_CHANGES'
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
