/** What is wrong with push settings, and with what callers ask of push. */
import { RequestError } from '@fastback/core'
import { startUpErrors } from '@fastback/core/connector'

const startup = startUpErrors('PUSH')

/** Settings from which no provider can be created. Their values, which may be secrets, are never named. */
export const PushSettingsError = startup<[what: string, sentence: string]>('SETTINGS', 'Push settings "%s": %s')

/** Only settings of Google Cloud Messaging, whose service no longer exists (PU-61). */
export const GcmRemovedError = startup<[]>(
  'GCM_GONE',
  'Push settings "gcm": the service behind "serverApiKey" was switched off. Put "fcm": { "projectId": …, "clientEmail": …, "privateKey": … } of a service account in its place.'
)

/** The queue of a provider is full: a call with a callback cannot add its messages (PU-71). */
export const PushBusyError = startup<[most: number]>(
  'BUSY', 'A provider has %s messages waiting already. Use the promise form, which waits for room.', 503
)

/** A push data source stores no rows. */
export const NoRowsError = startup<[dataSource: string, model: string, method: string]>(
  'NO_ROWS', 'Data source "%s" sends notifications and keeps no rows: model "%s" has no "%s".'
)

/** A push model does not exist, or is not attached to any data source. */
export const NoModelError = startup<[name: string]>(
  'NO_MODEL', 'Push needs the model "%s" in a data source with rows, and there is none.'
)

/** An error with the `details` that LoopBack's component gives (PU-36, PU-39). */
export function pushError (message: string, statusCode: number, details: object): RequestError & { details: object } {
  const error = new RequestError(statusCode, message, {
    name: statusCode === 404 ? 'NotFoundError' : 'Error',
    code: statusCode === 404 ? 'MODEL_NOT_FOUND' : 'PUSH_NOT_CONFIGURED'
  })
  return Object.assign(error, { details })
}

/** 422: a subscription of a browser that nothing could be sent to. */
export const badSubscription = (sentence: string): RequestError =>
  new RequestError(422, `The subscription ${sentence}.`, { name: 'ValidationError', code: 'INVALID_SUBSCRIPTION' })

/** 403: a program with a user's token registers, and changes, no device of the user (security.md, S-193). */
export const notForClients = (): RequestError =>
  new RequestError(403, 'Devices are registered by their users, and not by programs that act for them.', {
    name: 'ForbiddenError', code: 'INSTALLATIONS_NOT_FOR_CLIENT'
  })

/** 400: no condition never means all devices (PU-30; security.md, S-24). */
export const noCondition = (): RequestError =>
  new RequestError(400, 'deviceQuery is a required argument: a condition, or {} for all.', {
    name: 'BadRequestError', code: 'MISSING_WHERE'
  })
