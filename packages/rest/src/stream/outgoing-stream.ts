import { Readable } from 'node:stream'
import { Change, type MaybePromise } from '@fastback/core'
import { isPromise } from '@fastback/core/connector'
import { ChangeGap, StreamSignal } from '@fastback/core/remote'
import type { ChangeGuard } from './change-stream.js'
import type { StreamEncoding } from './stream-encoding.js'
import type { FairQueue } from './fair-queue.js'

/**
 * The text of a stream of objects, for one client. Takes objects no faster than the client reads, and when it is its
 * turn: all that are there by then, in one piece. Ends with its source; destroying it ends the source.
 */
export class OutgoingStream extends Readable {
  readonly #source: Readable
  readonly #encoding: StreamEncoding
  readonly #guard: ChangeGuard | undefined
  readonly #queue: FairQueue
  /** Whether the client takes more. */
  #isWanted = true
  /** Whether the guard is thinking about the object at hand. */
  #isWaiting = false
  #hasFailed = false
  #isOver = false

  constructor (source: Readable, encoding: StreamEncoding, guard: ChangeGuard | undefined, queue: FairQueue) {
    super()
    this.#source = source
    this.#encoding = encoding
    this.#guard = guard
    this.#queue = queue
    this.push(encoding.begin)
    source.on('readable', this.#due).on('end', this.#due).on('error', this.#fail).on('close', this.#due)
    const rights = guard?.signal
    if (rights?.aborted === true) this.#rightsEnd()
    else rights?.addEventListener('abort', this.#rightsEnd, { once: true })
    this.#due()
  }

  /**
   * Shows a reader that has everything that the stream lives. One that is behind needs no sign, and must not be given
   * more to keep.
   */
  showLife (): void {
    if (this.#encoding.heartbeat !== '' && this.readableLength === 0 && !this.#isOver && !this.destroyed) {
      this.push(this.#encoding.heartbeat)
    }
  }

  /** Ends the stream although its source goes on: the client may come back for the rest. */
  leave (): void {
    this.#flush()
    if (this.#isOver || this.destroyed) return
    this.#isOver = true
    this.push(this.#encoding.leave())
    this.push(null)
    this.#source.destroy()
  }

  override _read (): void {
    this.#isWanted = true
    if (this.#source.readableLength > 0 || this.#source.readableEnded || this.#source.closed) this.#due()
  }

  override _destroy (error: Error | null, done: (error: Error | null) => void): void {
    this.#queue.remove(this.#flush)
    this.#source.destroy()
    done(error)
  }

  /**
   * Ends the stream with the word of its end, as a client that is cut off takes the network for the cause. Nothing more
   * of the source goes out; a client that is behind is cut, as what waits for it was allowed to who it was before.
   */
  readonly #rightsEnd = (): void => {
    if (this.#isOver || this.destroyed) return
    if (this.readableLength > this.#encoding.begin.length) {
      this.destroy()
      return
    }
    this.#isOver = true
    this.push(this.#encoding.end)
    this.push(null)
    this.#source.destroy()
  }

  readonly #due = (): void => {
    if (!this.destroyed) this.#queue.add(this.#flush)
  }

  readonly #fail = (): void => {
    this.#hasFailed = true
    this.#due()
  }

  readonly #flush = (): void => {
    if (this.#isWaiting || this.destroyed || this.#isOver || !(this.#isWanted || this.#hasFailed)) return
    let text = ''
    try {
      while (text.length < this.readableHighWaterMark) {
        const object: unknown = this.#hasFailed ? null : this.#source.read()
        if (object === null) break
        const allowed = this.#allows(object)
        if (isPromise(allowed)) {
          this.#wait(allowed, object)
          break
        }
        if (allowed) text += this.#encoding.text(object)
      }
    } catch {
      this.#hasFailed = true
    }
    if (text !== '') this.#isWanted = this.push(text)
    this.#finish()
  }

  #allows (object: unknown): MaybePromise<boolean> {
    const guard = this.#guard
    if (guard === undefined || object instanceof ChangeGap || object instanceof StreamSignal) return true
    return object instanceof Change
      ? object.ask(row => guard.allows(row))
      : guard.allows((object as { data: Record<string, unknown> }).data)
  }

  /** The other objects wait for the answer about this one. */
  #wait (allowed: Promise<boolean>, object: unknown): void {
    this.#isWaiting = true
    allowed.then(allows => {
      if (allows && !this.#isOver && !this.destroyed) this.#isWanted = this.push(this.#encoding.text(object))
    }).catch(() => { this.#hasFailed = true }).finally(() => {
      this.#isWaiting = false
      this.#due()
    })
  }

  #finish (): void {
    if (this.#isWaiting) return
    if (this.#hasFailed) this.push(this.#encoding.error)
    else if (this.#source.readableEnded) this.push(this.#encoding.end)
    else if (this.#source.closed) this.push(this.#encoding.error)
    else return
    this.#isOver = true
    this.push(null)
  }
}
