import { PassThrough } from 'node:stream'
import { badUpload, uploadTooSlow } from '../errors.js'
import type { StorageRequest } from '../http.js'

/** Milliseconds in which a byte must come. */
const defaultTimeout = 30_000

/** The body of a request. It ends early where it stands still, is cut off, or another request goes on. */
export class IncomingBytes {
  readonly stream = new PassThrough()
  /** Why it ended early. */
  failure: Error | undefined
  readonly #idle: NodeJS.Timeout

  constructor (readonly req: StorageRequest, timeout = defaultTimeout) {
    // Anyone who reads the stream hears of it; where nobody has begun, there is nobody to tell.
    this.stream.on('error', () => {})
    this.#idle = setTimeout(() => { this.stop(uploadTooSlow()) }, timeout)
    req.on('data', this.#came).on('close', this.#cutOff).on('aborted', this.#cutOff)
    req.pipe(this.stream)
  }

  readonly #came = (): void => { this.#idle.refresh() }

  readonly #cutOff = (): void => {
    if (!this.req.complete) this.stop(badUpload('The upload was cut off.'))
  }

  readonly cancel = (): void => {
    this.stop(badUpload('Another request goes on with the upload.', 409, 'UPLOAD_CONTINUED'))
  }

  stop (failure: Error): void {
    if (this.failure !== undefined || this.stream.readableEnded) return
    this.failure = failure
    this.req.unpipe(this.stream)
    this.stream.destroy(failure)
  }

  close (): void {
    clearTimeout(this.#idle)
    this.req.off('data', this.#came).off('close', this.#cutOff).off('aborted', this.#cutOff)
    this.req.unpipe(this.stream)
  }
}
