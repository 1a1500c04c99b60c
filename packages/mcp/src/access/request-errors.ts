/** Errors of requests that this endpoint has, and REST has not. */
import { RequestError } from '@fastback/core'

const badRequest = (code: string, message: string): RequestError =>
  new RequestError(400, message, { name: 'BadRequestError', code })

/** 400: what stands around a message of the protocol. */
export const invalidRequest = (message: string): RequestError => badRequest('MCP_INVALID_REQUEST', message)

/** 400: arguments that a tool does not take. */
export const invalidArguments = (message: string): RequestError => badRequest('MCP_INVALID_ARGUMENTS', message)

/** 400 */
export const limitExceeded = (message: string): RequestError => badRequest('MCP_LIMIT_EXCEEDED', message)

/** 401: the request has no token, or one that is not known. */
export const tokenNeeded = (): RequestError => new RequestError(401, 'Send an access token: Authorization: Bearer ….', {
  name: 'UnauthorizedError', code: 'MCP_TOKEN_NEEDED'
})

/** 403: a page of another site. */
export const otherOrigin = (origin: string): RequestError => new RequestError(
  403, `Pages of ${origin.slice(0, 200)} may not send requests: the option "origins" names those that may.`, {
    name: 'ForbiddenError', code: 'MCP_OTHER_ORIGIN'
  }
)

/** 405: there are no sessions that could be listened to, or ended. */
export const onlyPost = (): RequestError => new RequestError(405, 'This endpoint has no sessions: send messages with POST.', {
  name: 'MethodNotAllowedError', code: 'METHOD_NOT_ALLOWED'
})

/** 415: a body of another type, which pages of other sites could send. */
export const notJson = (given: string | undefined): RequestError => new RequestError(
  415, `Content-type ${given ?? '(none)'} does not match [application/json].`, {
    name: 'UnsupportedMediaTypeError', code: 'UNSUPPORTED_MEDIA_TYPE'
  }
)
