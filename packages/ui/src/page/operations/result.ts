/** What became of a request. */
import type { Signal } from '@preact/signals'

export type Result =
  /** @param share of a form that is sent, from 0 to 1; undefined where there is no form */
  | { readonly kind: 'sending', readonly share: number | undefined }
  | { readonly kind: 'failed', readonly text: string, readonly mayResume: boolean }
  | Came

export interface Came {
  readonly kind: 'came'
  readonly status: number
  readonly statusText: string
  readonly milliseconds: number
  /** Bytes of the body; undefined while a stream grows. */
  readonly size: number | undefined
  readonly headers: ReadonlyArray<readonly [name: string, value: string]>
  readonly body: Body
}

export type Body =
  | { readonly kind: 'empty' }
  /** @param value what it is as JSON; undefined where it is none */
  | { readonly kind: 'text', readonly text: string, readonly value: unknown, readonly file: SavedFile | undefined }
  | { readonly kind: 'file', readonly file: SavedFile }
  | { readonly kind: 'stream', readonly text: Signal<string>, readonly isOpen: Signal<boolean> }

/** A response as a file. */
export interface SavedFile {
  readonly blob: Blob
  readonly type: string
  readonly name: string
}
