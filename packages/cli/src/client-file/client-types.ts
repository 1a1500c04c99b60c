/** The types of a client that are the same for every API, and the error that its calls throw. */
import { text } from '../source-text.js'
import type { ClientParts } from './client-parts.js'
import { retryOption } from './keys.js'
import { currentMember, keepCurrent, rowStateOptions } from './row-states.js'

/** @param root the property around errors; undefined where there is none */
export const clientTypes = (root: string | undefined, { hasTags, hasKeys }: ClientParts): string => `/** An answer that is an error: what the server says of it. */
export class ApiError extends Error {
  readonly statusCode: number
  /** For programs: MODEL_NOT_FOUND, VALIDATION_FAILED … */
  readonly code: string | undefined
  /** Of validation errors: every violation. */
  readonly details: ApiErrorDetails | undefined${hasTags ? currentMember : ''}
  /** The body as it came: parsed, or text where it is no JSON. */
  readonly body: unknown

  constructor (statusCode: number, body: unknown) {
    const error = (${root === undefined ? 'body' : `typeof body === 'object' && body !== null && ${text(root)} in body ? body[${text(root)}] : body`}) as { name?: string, message?: string, detail?: string, code?: string, details?: ApiErrorDetails${hasTags ? ', current?: unknown' : ''} } | null
    super((typeof error === 'object' ? error?.message ?? error?.detail : undefined) ?? \`HTTP \${statusCode}\`)
    this.name = 'ApiError'
    this.statusCode = statusCode
    this.code = typeof error === 'object' ? error?.code : undefined
    this.details = typeof error === 'object' ? error?.details : undefined${hasTags ? keepCurrent : ''}
    this.body = body
  }
}

export interface ClientOptions {
  /** Where the API is: https://example.com/api */
  readonly baseUrl: string
  /** The access token, or what gives it for each request. */
  readonly token?: string | (() => string | undefined | Promise<string | undefined>)
  /** Headers of every request. */
  readonly headers?: Record<string, string>
  /** Default: the global fetch. */
  readonly fetch?: typeof globalThis.fetch${hasKeys ? retryOption : ''}
}

/** Options of one call. */
export interface CallOptions {
  readonly headers?: Record<string, string>
  readonly signal?: AbortSignal${hasTags ? rowStateOptions : ''}${hasKeys ? retryOption : ''}
  /** Is called with the response, for its headers (X-Total-Count …). */
  readonly onResponse?: (response: Response) => void
  /** Is called while the body is sent, where the platform tells: browsers do, Node and an own \`fetch\` do not. */
  readonly onProgress?: (progress: UploadProgress) => void
}

/**
 * Options of a call that gives a file: the response comes as soon as its headers are there, with the bytes as \`body\`.
 */
export interface StreamOptions extends CallOptions {
  readonly stream: true
}

export interface UploadProgress {
  /** Bytes of the body that are sent. */
  readonly loaded: number
  /** Bytes of the whole body, where that is known. */
  readonly total: number | undefined
}`
