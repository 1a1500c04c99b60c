import type { Readable } from 'node:stream'
import type { ChangeGuard } from './change-stream.js'
import type { StreamEncoding } from './stream-encoding.js'
import { OutgoingStream } from './outgoing-stream.js'
import { FairQueue } from './fair-queue.js'

/**
 * The streams that a server has open. One timer keeps all of them alive through proxies; closing the server ends them.
 */
export class OpenStreams {
  readonly #open = new Set<OutgoingStream>()
  readonly #queue = new FairQueue()
  #timer: NodeJS.Timeout | undefined

  /** @param interval milliseconds between signs of life */
  constructor (readonly interval: number) {}

  /** Opens one that passes on what `source` gives. */
  add (source: Readable, encoding: StreamEncoding, guard: ChangeGuard | undefined): OutgoingStream {
    const stream = new OutgoingStream(source, encoding, guard, this.#queue)
    this.#open.add(stream)
    stream.once('close', () => { this.#remove(stream) })
    this.#timer ??= setInterval(() => { for (const each of this.#open) each.showLife() }, this.interval).unref()
    return stream
  }

  get size (): number {
    return this.#open.size
  }

  #remove (stream: OutgoingStream): void {
    this.#open.delete(stream)
    if (this.#open.size > 0) return
    clearInterval(this.#timer)
    this.#timer = undefined
  }

  /** Ends all of them, with a word to clients that may come back. Those that do not read are cut. */
  end (): void {
    for (const stream of this.#open) stream.leave()
  }
}
