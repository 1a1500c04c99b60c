/** Errors of requests that GraphQL has, and REST has not. */
import { RequestError } from '@fastback/core'

const badRequest = (code: string, message: string): RequestError =>
  new RequestError(400, message, { name: 'BadRequestError', code })

/** 400: the document, its variables, or what stands around them. */
export const invalidRequest = (message: string): RequestError => badRequest('GRAPHQL_INVALID_REQUEST', message)

/** 400: a relation of a row of which it is not known before which model it is of. */
export const relatedOfSeveral = (relation: string, field: string): RequestError => badRequest(
  'GRAPHQL_RELATED_OF_SEVERAL',
  `Rows of "${relation}" are of several models: "${field}" of them cannot be read with them. Ask for it by their ids.`
)

/** 400: related rows of rows that cannot be read again. */
export const notReadable = (model: string): RequestError => badRequest(
  'GRAPHQL_NOT_READABLE',
  `Related rows are read by the "find" or "findById" of ${model}, which is not published, or by an id that rows do not show.`
)

/** 400: a name or a hash that no document has, or a document where only names are taken. */
export const unknownDocument = (): RequestError => badRequest(
  'GRAPHQL_UNKNOWN_DOCUMENT', 'No document has this name or hash: send one of those that the server has.'
)

/** 400: a header that would say something of one write. */
export const notAHeader = (header: string, argument: string): RequestError => badRequest(
  'UNSUPPORTED_HEADER', `The header ${header} is not read here: send it as the argument "${argument}" of a mutation.`
)

/** 405: a write by a request that only reads. */
export const onlyQueries = (): RequestError => new RequestError(405, 'GET takes queries alone: send mutations with POST.', {
  name: 'MethodNotAllowedError', code: 'METHOD_NOT_ALLOWED'
})

/** 415: a body of another type, which pages of other sites could send. */
export const notJson = (given: string | undefined): RequestError => new RequestError(
  415, `Content-type ${given ?? '(none)'} does not match [application/json].`, {
    name: 'UnsupportedMediaTypeError', code: 'UNSUPPORTED_MEDIA_TYPE'
  }
)

/** 403: a page of another site. */
export const otherOrigin = (origin: string): RequestError => new RequestError(
  403, `Pages of ${origin.slice(0, 200)} may not open connections: the option "origins" names those that may.`, {
    name: 'ForbiddenError', code: 'GRAPHQL_OTHER_ORIGIN'
  }
)

/** 400 */
export const tooManySubscriptions = (most: number): RequestError => badRequest(
  'GRAPHQL_LIMIT_EXCEEDED', `The connection has ${most} subscriptions already (limit "subscriptions").`
)

/** 400: the operation has run, and what it gives is too much for a response. */
export const responseTooLarge = (most: number): RequestError => new RequestError(
  400, `The response has more than ${most} characters (limit "bytes"): ask for fewer rows, fields or aliases. What a mutation has done is done.`, {
    name: 'BadRequestError', code: 'QUERY_TOO_EXPENSIVE', details: { limit: 'bytes', most }
  }
)

/** 500: the change stream ended, because the client was too slow, or by a fault. */
export const streamFailed = (): RequestError => new RequestError(
  503, 'The stream of changes failed: read the rows again, and subscribe anew.', {
    name: 'ServiceUnavailableError', code: 'GRAPHQL_STREAM_FAILED'
  }
)
