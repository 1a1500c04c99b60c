/** A file that was uploaded, and what hooks see of it. */
import type { Transform } from 'node:stream'
import type { StorageRequest } from '../http.js'

/** A stored file, as `upload` answers it (storage.md, ST-31). */
export interface UploadedFile {
  container: string
  name: string
  type: string
  field: string
  originalFilename?: string
  acl?: string
  size: number
  providerResponse?: unknown
}

/** What hooks see of a file on its way. */
export interface UploadHookContext {
  readonly container: string
  /** Name, declared type and field. `name` may be changed before the first byte. */
  readonly file: { name: string, readonly type: string, readonly field: string, readonly originalFilename?: string }
  readonly req: StorageRequest
  /**
   * Lets the bytes run through a stream on their way: a scanner that fails the upload by an error, a converter. What
   * comes out is stored. Counted and compared with the declared type is what the client sent.
   */
  pipeThrough (stream: Transform): void
}
