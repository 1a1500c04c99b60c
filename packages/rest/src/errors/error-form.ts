/** In which of its forms an error goes out, and which of them has codes that LoopBack does not have. */
import { STATUS_CODES } from 'node:http'
import { Type, type Static } from '@sinclair/typebox'

/**
 * - `coded`: every error has a code for programs; one that nobody gave a code has that of its status (`codeOfStatus`).
 * - `loopback`: without those of statuses, and without the codes of errors for which LoopBack has none (`codesOfOurs`).
 * - `problem`: RFC 9457, `application/problem+json`, with the same content.
 */
export const ErrorFormSchema = Type.Union([Type.Literal('coded'), Type.Literal('loopback'), Type.Literal('problem')])
export type ErrorForm = Static<typeof ErrorFormSchema>

/** Code of the 404 for a path that no route has. */
export const pathNotFound = 'PATH_NOT_FOUND'
/** Code of the 413. */
export const payloadTooLarge = 'PAYLOAD_TOO_LARGE'

/** Recorded answers of LoopBack to these have no code. */
const codesOfOurs: ReadonlySet<unknown> = new Set([pathNotFound, payloadTooLarge])

/** Whether a code goes out in this form. */
export const isShownCode = (code: unknown, form: ErrorForm | undefined): boolean =>
  form !== 'loopback' || !codesOfOurs.has(code)

/**
 * The code of an error that has none of its own, for programs that ask for nothing but the code.
 *
 * ```js
 * codeOfStatus(404) // 'NOT_FOUND'
 * codeOfStatus(500) // 'INTERNAL_SERVER_ERROR'
 * ```
 */
export const codeOfStatus = (status: number): string =>
  status === 413 ? payloadTooLarge : (STATUS_CODES[status] ?? `STATUS_${status}`).toUpperCase().replaceAll(/\W+/g, '_')
