/** What is wrong with a REST data source, and what calls of its services end with. */
import { STATUS_CODES } from 'node:http'
import { RequestError } from '@fastback/core'
import { startUpErrors } from '@fastback/core/connector'

const startup = startUpErrors('REST_CONNECTOR')
const configuration = startUpErrors('BOOT')

/** An operation has no template, or an invalid one: an error in a configuration file (SC-T1). */
export const OperationError = configuration<[dataSource: string, operation: string, sentence: string]>(
  'INVALID_CONFIG',
  'Data source "%s", operation %s: %s'
)
/** A setting of LoopBack's connector is not supported, and requests would go out without it. */
export const RefusedSettingError = startup<[dataSource: string, setting: string, sentence: string]>(
  'REFUSED_SETTING',
  'Data source "%s": the setting "%s" is not offered. %s'
)
/** The configuration makes a call impossible. */
export const BrokenOperationError = startup<[dataSource: string, operation: string, sentence: string]>(
  'BROKEN_OPERATION',
  'Data source "%s", "%s" cannot be called: %s'
)

/** 400: a required variable has no value (service-connectors.md, SC-T8). */
export const missingVariable = (name: string): RequestError =>
  new RequestError(400, `Required variable ${name} has no value`, { code: 'MISSING_VARIABLE' })

/**
 * 400: a value that its place in an address cannot have (SC-S2).
 *
 * ```js
 * if (value === '..') throw invalidPathValue() // code INVALID_PATH_VALUE
 * ```
 */
export const invalidPathValue = (): RequestError =>
  new RequestError(400, 'A value in the path is empty, "." or "..", or no part of a host.', { code: 'INVALID_PATH_VALUE' })

/** 400: a file that is not there, or not below `attachmentsRoot` (SC-T13). */
export const invalidAttachment = (): RequestError =>
  new RequestError(400, 'There is no such file to send.', { code: 'INVALID_ATTACHMENT' })

/** 400: an object that is too deep or too large for its place (SC-S5). */
export const invalidArgument = (what: string): RequestError =>
  new RequestError(400, `An argument ${what}.`, { code: 'INVALID_ARGUMENT' })

/** 501 NOT_SUPPORTED: nothing that a service could be asked for (SC-C7, SC-C10). */
export const notSupported = (model: string, what: string): RequestError =>
  new RequestError(501, `The service of model "${model}" cannot be asked for ${what}.`, { code: 'NOT_SUPPORTED' })

/** How much of a service's words goes into a message. */
const longest = 2000

/**
 * What a response of 400 and above is (SC-E1, SC-E2): its own status, with its body for a message.
 *
 * ```js
 * if (statusCode >= 400) throw upstreamError(statusCode, body, true)
 * ```
 * @param body parsed, or text
 * @param status as it is told on, where it is another
 */
export function upstreamError (statusCode: number, body: unknown, isExposed: boolean, status = statusCode): Error {
  const text = typeof body === 'string' ? body : body === undefined ? '' : JSON.stringify(body)
  return plainError(status, isExposed && status === statusCode ? text.slice(0, longest) : STATUS_CODES[status] ?? '')
}

/** A response of a resource that is no success (SC-C5). */
export const resourceError = (statusCode: number): Error => plainError(statusCode, `HTTP code: ${String(statusCode)}`)

/** With the members that code for LoopBack finds: `statusCode` and `message`, both of its own. */
function plainError (statusCode: number, message: string): Error {
  const error = new Error(message)
  Object.defineProperty(error, 'message', { value: message, enumerable: true, writable: true, configurable: true })
  return Object.assign(error, { statusCode })
}
