/** What writes a pushed row, and the result. */
import type { ModelClass, OperationOptions, Row } from '@fastback/core'

/** What became of a write, as the client is told. */
export interface PushResult {
  readonly id: string | number
  readonly ok?: true
  readonly rev?: string | null
  readonly data?: Row
  readonly deleted?: true
  /** Whose row it is by now, where there was a conflict that the server settled. */
  readonly resolved?: 'client' | 'server' | 'fields' | 'hook'
  readonly conflict?: { readonly rev: string | null, readonly data?: Row, readonly deleted?: true }
  readonly error?: object
  readonly skipped?: true
}

/** The row that the caller sees under an id. */
export interface Present {
  /** As the caller has it (`stampFor`). */
  readonly rev: string
  readonly data: Row
  /** All of it, for the application alone, with its revision. */
  readonly stored: { readonly rev: string, readonly data: Row }
}

/** Who writes, and to what. */
export interface Writer {
  readonly Model: ModelClass
  readonly options: OperationOptions
}
