/** Errors of requests, with the names and codes that request-parsing.md (section 7) gives them. */
import { RequestError, type Violation } from '@fastback/core'
import { pathNotFound, payloadTooLarge } from './error-form.js'

/** 400 */
export const badRequest = (message: string, code?: string, details?: unknown): RequestError =>
  new RequestError(400, message, {
    name: 'BadRequestError',
    ...(code === undefined ? {} : { code }),
    ...(details === undefined ? {} : { details })
  })

/** 400: violations of parameters, all of them; the code is that of the first one. */
export const invalidParameters = (
  code: ParameterViolationCode,
  message: string,
  violations: readonly Violation[]
): RequestError => badRequest(message, code, violations)

export type ParameterViolationCode = 'MISSING_REQUIRED_PARAMETER' | 'INVALID_PARAMETER_VALUE'

/** 415: the operation takes a body, but not of this type. */
export const unsupportedMediaType = (given: string, accepted: readonly string[]): RequestError =>
  new RequestError(415, `Content-type ${given} does not match [${accepted.join(', ')}].`, {
    name: 'UnsupportedMediaTypeError',
    code: 'UNSUPPORTED_MEDIA_TYPE'
  })

/** 415: the charset or content encoding is not known. */
export const unsupportedEncoding = (what: string): RequestError =>
  new RequestError(415, what, { name: 'UnsupportedMediaTypeError', code: 'UNSUPPORTED_ENCODING' })

/** 413 */
export const tooLarge = (): RequestError =>
  new RequestError(413, 'request entity too large', { name: 'PayloadTooLargeError', code: payloadTooLarge })

/** 400: JSON that is not JSON, or that a server had better not read. */
export const malformedJson = (message: string): RequestError => new RequestError(400, message, { name: 'SyntaxError', code: 'MALFORMED_JSON' })

/** 400: the client relies on a header that has no effect here. */
export const unsupportedHeader = (header: string): RequestError => badRequest(
  `The header ${header} is not supported here; send the request without it.`, 'UNSUPPORTED_HEADER', { header }
)

/** 406: none of the types that the client takes is on offer. Decided before the method runs (security.md, S-54). */
export const notAcceptable = (): RequestError => new RequestError(406, 'Not Acceptable', { name: 'NotAcceptableError' })

/** 406: rows are asked for one by one, and the method gave something else than a list of them. */
export const notAList = (): RequestError =>
  new RequestError(406, 'The result is no list of rows; ask for it as application/json.', {
    name: 'NotAcceptableError',
    code: 'NOT_A_LIST'
  })

/** 400: related rows are asked for in a format of lines. */
export const includesInCsv = (): RequestError => badRequest(
  'CSV has no place for related rows: leave "include" out, or ask for application/x-ndjson.', 'INCLUDE_IN_CSV'
)

/** 400: the rows are not on their way in the time that there is for them; later the connection is cut. */
export const tooSlow = (seconds: number): RequestError => badRequest(
  `The rows take longer than ${seconds} s (limit "seconds" of "streaming"). Ask for fewer of them.`,
  'QUERY_TOO_EXPENSIVE',
  { limit: 'seconds', most: seconds }
)

/** 401: the rights of a client ended while rows were on their way; the connection is cut. */
export const rightsEnded = (): RequestError => new RequestError(401, 'The rights to read these rows have ended.', {
  code: 'RIGHTS_ENDED'
})

/** 405: the path has other verbs; the header `Allow` names them. */
export const notAllowed = (verb: string): RequestError =>
  new RequestError(405, `The path does not take ${verb}.`, {
    name: 'MethodNotAllowedError',
    code: 'METHOD_NOT_ALLOWED'
  })

/** 404: the path belongs to no model. The query is not repeated: it may hold a token. */
export const noMethodForPath = (verb: string, path: string, why = ''): RequestError =>
  new RequestError(404, `There is no method to handle ${verb} ${path}${why}`, { code: pathNotFound })

/** 404: the path belongs to a model, which has no such method. */
export const noMethodOfModel = (modelName: string, verb: string, path: string, why = ''): RequestError =>
  new RequestError(404, `Shared class "${modelName}" has no method handling ${verb} ${path}${why}`, { code: pathNotFound })

/** 501: what the application does around `find` is not done around live queries. */
export const missesHooks = (modelName: string, what: string): RequestError => new RequestError(
  501,
  `"${modelName}" has no live queries: there is ${what}, and what it does for "find" is not done for them.`,
  { name: 'NotImplementedError', code: 'LIVE_MISSES_HOOKS' }
)
