import { Writable } from 'node:stream'
import type { StagedFile } from '../driver.js'
import type { StoredFile } from '../entries.js'

/**
 * A file that code writes. It appears under its name once the last byte is safe: then `success` is emitted with the
 * file, and `finish`. Whatever goes wrong is an `error`, and leaves nothing behind.
 *
 * ```js
 * app.models.container.uploadStream('reports', 'may.csv').on('success', file => { … }).end('a,b\n')
 * ```
 */
export class UploadStream extends Writable {
  #staged: StagedFile | undefined

  constructor (readonly begin: () => Promise<StagedFile>, readonly stored: () => Promise<StoredFile>) {
    super()
  }

  override _construct (done: (error?: Error | null) => void): void {
    this.begin().then(staged => {
      this.#staged = staged
      // What the store says while nothing is written is the stream's error, too.
      staged.writable.on('error', error => { this.destroy(error) })
      done()
    }, done)
  }

  override _write (chunk: Buffer, encoding: BufferEncoding, done: (error?: Error | null) => void): void {
    (this.#staged as StagedFile).writable.write(chunk, encoding, done)
  }

  override _final (done: (error?: Error | null) => void): void {
    const staged = this.#staged as StagedFile
    const finish = async (): Promise<void> => {
      await new Promise<void>((resolve, reject) => {
        staged.writable.once('error', reject)
        staged.writable.end(resolve)
      })
      await staged.check()
      await staged.commit()
      const file = await this.stored()
      this.once('finish', () => { this.emit('success', file) })
    }
    finish().then(() => { done() }, done)
  }

  override _destroy (error: Error | null, done: (error: Error | null) => void): void {
    if (this.#staged === undefined || this.writableFinished) done(error)
    else this.#staged.abort().then(() => { done(error) }, () => { done(error) })
  }
}
