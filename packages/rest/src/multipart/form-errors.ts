/** What is wrong with a form, as clients hear of it. */
import { RequestError } from '@fastback/core'
import { badRequest } from '../errors/request-errors.js'

const tooMuch = (message: string, code: string): RequestError =>
  new RequestError(413, message, { name: 'PayloadTooLargeError', code })

/** 413: the body, a field, a name, or all fields together have more bytes than they may. */
export const formTooLarge = (what: string, limit: number): RequestError =>
  tooMuch(`${what} must have at most ${String(limit)} bytes.`, 'FORM_TOO_LARGE')

/** 413: more parts of a kind than a form may have. */
export const tooManyParts = (what: string, limit: number): RequestError =>
  tooMuch(`A form must have at most ${String(limit)} ${what}.`, 'TOO_MANY_PARTS')

/** 400: the body is no form that can be read, or it ends too early. */
export const brokenForm = (message: string): RequestError => badRequest(message, 'INVALID_FORM')

/** 408: nothing came for too long. */
export const formTooSlow = (): RequestError =>
  new RequestError(408, 'The form took too long to come.', { name: 'RequestTimeoutError', code: 'FORM_TIMEOUT' })

/** 415: the body is something else than a form with parts. */
export const noForm = (type: string | undefined): RequestError =>
  new RequestError(415, `Content-type ${type ?? '(none)'} does not match [multipart/form-data].`, {
    name: 'UnsupportedMediaTypeError',
    code: 'UNSUPPORTED_MEDIA_TYPE'
  })

/**
 * 413: the bytes of one file.
 *
 * ```js
 * fileTooLarge(1024).message // 'A file must have at most 1024 bytes.'
 * ```
 */
export const fileTooLarge = (limit: number): RequestError =>
  tooMuch(`A file must have at most ${String(limit)} bytes.`, 'FILE_TOO_LARGE')

/** 415: a file of another type than those that are taken. */
export const typeNotAllowed = (type: string, allowed: readonly string[]): RequestError =>
  new RequestError(415, `Files of the type ${type} are not taken here. Allowed: ${allowed.join(', ')}.`, {
    name: 'UnsupportedMediaTypeError',
    code: 'CONTENT_TYPE_NOT_ALLOWED'
  })
