/** A file of this machine that is sent in a field of a form. */
export interface Attachment {
  readonly field: string
  /** Relative to `attachmentsRoot`. */
  readonly path: string
}
