import type { PassThrough } from 'node:stream'

/**
 * The streams that a server has open. One timer keeps all of them alive through proxies; closing the server ends them.
 */
export class OpenStreams {
  /** With what shows their readers that they live; empty: nothing. */
  readonly #open = new Map<PassThrough, string>()
  #timer: NodeJS.Timeout | undefined

  /** @param interval milliseconds between signs of life */
  constructor (readonly interval: number) {}

  add (stream: PassThrough, signOfLife: string): void {
    this.#open.set(stream, signOfLife)
    stream.once('close', () => { this.#remove(stream) })
    this.#timer ??= setInterval(() => { this.#beat() }, this.interval).unref()
  }

  get size (): number {
    return this.#open.size
  }

  #beat (): void {
    // A reader that is behind needs no sign, and must not be given more to keep.
    for (const [stream, sign] of this.#open) if (sign !== '' && stream.writable && !stream.writableNeedDrain) stream.write(sign)
  }

  #remove (stream: PassThrough): void {
    this.#open.delete(stream)
    if (this.#open.size > 0) return
    clearInterval(this.#timer)
    this.#timer = undefined
  }

  /** Ends all of them. */
  close (): void {
    for (const stream of this.#open.keys()) stream.destroy()
  }
}
