import { Writable } from 'node:stream'

/** What takes the parts of a file that is written. */
export interface PartTaker {
  /** A full part, in order. There is more to come, or nothing: the last one comes with `rest`. */
  take (part: Buffer): Promise<void>
}

/**
 * Cuts what is written into parts of one size. What is left, which may be all of the file, waits in `rest` until
 * somebody asks for it: nothing but a commit may make a file complete.
 */
export class Parts extends Writable {
  #chunks: Buffer[] = []
  #bytes = 0

  /** @param size bytes of a part */
  constructor (readonly size: number, readonly taker: PartTaker) {
    super()
  }

  /** What no full part has taken: at most one part, and at least a byte where the file has any. */
  rest (): Buffer {
    return Buffer.concat(this.#chunks, this.#bytes)
  }

  override _write (chunk: Buffer, _encoding: BufferEncoding, done: (error?: Error | null) => void): void {
    this.#chunks.push(chunk)
    this.#bytes += chunk.length
    this.#cut().then(() => { done() }, done)
  }

  async #cut (): Promise<void> {
    while (this.#bytes > this.size) {
      const all = this.rest()
      const left = all.subarray(this.size)
      this.#chunks = [left]
      this.#bytes = left.length
      await this.taker.take(all.subarray(0, this.size))
    }
  }
}
