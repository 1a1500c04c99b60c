import { Readable } from 'node:stream'
import { Change, type MaybePromise, type Row } from '@fastback/core'
import { chain, isPromise } from '@fastback/core/connector'
import { ChangeGap, StreamSignal } from '@fastback/core/remote'
import type { ChangeGuard } from './change-stream.js'
import type { StreamEncoding } from './stream-encoding.js'
import type { FairQueue } from './fair-queue.js'

/** Milliseconds in which a client may read the end of its stream; who does not read it is cut. */
const lastMoments = 1_000

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
  #lastMoments: NodeJS.Timeout | undefined

  constructor (source: Readable, encoding: StreamEncoding, guard: ChangeGuard | undefined, queue: FairQueue) {
    super()
    this.#source = source
    this.#encoding = encoding
    this.#guard = guard
    this.#queue = queue
    this.push(encoding.begin)
    source.on('readable', this.#due).on('end', this.#due).on('error', this.#fail).on('close', this.#due)
    const rights = guard?.signal
    if (rights?.aborted === true) this.#withdraw()
    else rights?.addEventListener('abort', this.#withdraw, { once: true })
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
    this.#close(this.#encoding.leave())
  }

  /** Ends the stream of a client whose rights have ended: nothing that is still to be sent is sent. */
  readonly #withdraw = (): void => {
    this.#close(this.#encoding.withdrawn())
  }

  #close (lastWords: string): void {
    if (this.#isOver || this.destroyed) return
    this.#isOver = true
    if (lastWords !== '') this.push(lastWords)
    this.push(null)
    this.#source.destroy()
    this.#lastMoments = setTimeout(() => { this.destroy() }, lastMoments).unref()
  }

  override _read (): void {
    this.#isWanted = true
    if (this.#source.readableLength > 0 || this.#source.readableEnded || this.#source.closed) this.#due()
  }

  override _destroy (error: Error | null, done: (error: Error | null) => void): void {
    clearTimeout(this.#lastMoments)
    this.#guard?.signal?.removeEventListener('abort', this.#withdraw)
    this.#queue.remove(this.#flush)
    this.#source.destroy()
    done(error)
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
        const shown = this.#shown(object)
        if (isPromise(shown)) {
          this.#wait(shown)
          break
        }
        if (shown !== undefined) text += this.#encoding.text(shown)
      }
    } catch {
      this.#hasFailed = true
    }
    if (text !== '') this.#isWanted = this.push(text)
    this.#finish()
  }

  /** What the client may see of an object; undefined: nothing. */
  #shown (object: unknown): MaybePromise<unknown> {
    const guard = this.#guard
    if (guard === undefined || object instanceof ChangeGap || object instanceof StreamSignal) return object
    if (!(object instanceof Change)) {
      return chain(guard.allows((object as { data: Row }).data, false), allowed => allowed ? object : undefined)
    }
    const allowed = object.ask(row => guard.allows(row, object.type === 'remove'))
    return chain(allowed, isAllowed => isAllowed ? shows(object, guard) : undefined)
  }

  /** The other objects wait for the response about this one. */
  #wait (shown: Promise<unknown>): void {
    this.#isWaiting = true
    shown.then(object => {
      if (object === undefined || this.#isOver || this.destroyed) return
      this.#isWanted = this.push(this.#encoding.text(object))
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

/** Of a removal nothing but the id is sent. */
const shows = (change: Change, guard: ChangeGuard): MaybePromise<Change> =>
  change.type === 'remove' ? change : guard.shows?.(change) ?? change
