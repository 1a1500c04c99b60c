/** What of an error a client sees (behaviour.md, section 6; specification, Errors; security.md, S-58). */
import { STATUS_CODES } from 'node:http'
import { ValidationError } from '@fastback/core'
import { maxViolations, VersionConflictError } from '@fastback/core/remote'
import { codeOfStatus, isShownCode, payloadTooLarge, type ErrorForm } from './error-form.js'

export interface ErrorBodyOptions {
  /** Shows every property of every error, and its stack. Never in production. Default: false. */
  readonly debug?: boolean | undefined
  /** Properties that are shown whatever the status. Default: none. */
  readonly safeFields?: readonly string[] | undefined
  /**
   * The form of validation errors: the batch of violations, or LoopBack 3's object of codes and messages. Default:
   * `array`.
   */
  readonly errorDetails?: 'array' | 'loopback3' | undefined
  /**
   * `coded`: every error has a code, that of its status where nobody gave it another. `loopback`: without those, and
   * without the codes of unknown paths and bodies that are too large, which LoopBack does not have. `problem`: as
   * `coded`, in the form of RFC 9457. Default: `coded`.
   */
  readonly errors?: ErrorForm | undefined
}

export type ErrorBody = Record<string, unknown> & { statusCode: number }

interface ErrorLike {
  statusCode?: unknown
  status?: unknown
  name?: unknown
  message?: unknown
  code?: unknown
  details?: unknown
  [key: string]: unknown
}

const severalMessage = 'Failed with multiple errors, see `details` for more information.'

/**
 * The status of an error: `statusCode`, else `status`; 500 for what is none of 400 to 599.
 *
 * ```js
 * statusOf(Object.assign(new Error('no'), { status: 404 })) // 404
 * statusOf(new Error('no')) // 500
 * ```
 */
export function statusOf (error: unknown): number {
  if (error === null || typeof error !== 'object') return 500
  const { code, statusCode, status } = error as ErrorLike
  // Node refuses control characters in header values: they came in with the request.
  if (code === 'ERR_INVALID_CHAR') return 400
  const given = Number(statusCode ?? status)
  return Number.isInteger(given) && given >= 400 && given <= 599 ? given : 500
}

/**
 * The object under `error`. A fault of the client shows name, message, code and details; a fault of the server nothing
 * but its status phrase. Where it says no code of its own, the status gives one, but in LoopBack's form. A list of
 * errors is a 500 that shows each by the same rules.
 *
 * ```js
 * errorBody(new Error('disk full'))
 * // { statusCode: 500, message: 'Internal Server Error', code: 'INTERNAL_SERVER_ERROR' }
 * ```
 */
export function errorBody (error: unknown, options: ErrorBodyOptions = {}): ErrorBody {
  if (Array.isArray(error)) {
    return {
      statusCode: 500,
      message: severalMessage,
      ...(options.errors === 'loopback' ? {} : { code: codeOfStatus(500) }),
      details: error.slice(0, maxViolations)
        .map(item => (item === null || item === undefined ? null : errorBody(item, options)))
    }
  }
  const statusCode = statusOf(error)
  const body: ErrorBody = { statusCode }
  const like: ErrorLike = error !== null && typeof error === 'object' ? error as ErrorLike : { message: String(error) }
  if (options.debug === true) {
    Object.assign(body, everything(like, statusCode), framework(like, statusCode), membersOf(like, options))
  } else if (statusCode < 500) {
    Object.assign(body, membersOf(like, options), framework(like, statusCode))
    if (!isShownCode(body.code, options.errors)) body.code = undefined
  } else body.message = STATUS_CODES[statusCode] ?? 'Unknown Error'
  if (options.errors !== 'loopback') body.code ??= codeOf(error, statusCode)
  for (const field of options.safeFields ?? []) if (like[field] !== undefined) body[field] = like[field]
  return body
}

/** The code of an error that shows none: its kind where that is known, else its status. */
const codeOf = (error: unknown, statusCode: number): string =>
  (error instanceof ValidationError ? error.told().code : undefined) ?? codeOfStatus(statusCode)

/** Errors of Fastify and Node, by the names that clients know. */
function framework ({ code }: ErrorLike, statusCode: number): Record<string, unknown> {
  if (code === 'ERR_INVALID_CHAR') {
    return {
      name: 'BadRequestError',
      message: 'The request would put characters in a header that it cannot hold.',
      code: undefined
    }
  }
  if (typeof code !== 'string' || !code.startsWith('FST_')) return {}
  switch (statusCode) {
    case 413: return { name: 'PayloadTooLargeError', message: 'request entity too large', code: payloadTooLarge }
    case 415: return { name: 'UnsupportedMediaTypeError', code: 'UNSUPPORTED_MEDIA_TYPE' }
    default: return { name: `${(STATUS_CODES[statusCode] ?? 'Unknown').replaceAll(/\W/g, '')}Error`, code: undefined }
  }
}

function membersOf (error: ErrorLike, options: ErrorBodyOptions): Record<string, unknown> {
  const { name, message, code, details } = asTold(error, options)
  const current = error instanceof VersionConflictError ? error.shown : undefined
  return defined({ name, message, code, details, current })
}

/** LoopBack's form has the error as code in the process reads it. */
const asTold = (error: ErrorLike, { errorDetails }: ErrorBodyOptions): ErrorLike =>
  error instanceof ValidationError && errorDetails !== 'loopback3' ? { ...error.told() } : error

function everything (error: ErrorLike, statusCode: number): Record<string, unknown> {
  return { name: error.name, message: error.message, ...error, statusCode, stack: error.stack }
}

const defined = (members: Record<string, unknown>): Record<string, unknown> =>
  Object.fromEntries(Object.entries(members).filter(([, value]) => value !== undefined))
