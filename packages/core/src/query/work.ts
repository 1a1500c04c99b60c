/** What one request from outside may cost, counted while it is answered (security.md, S-74 and S-75). */
import { clientClosedRequest, queryTooExpensive } from '../errors.js'
import type { Row } from '../properties/types.js'
import type { QueryLimits } from './limits.js'
import { yieldToEventLoop } from './slices.js'
import type { Weight } from './row-weight.js'

/**
 * Where the options of an operation carry the work of the request; every query that the operation leads to counts
 * there.
 */
export const WORK = Symbol.for('fastback.work')

/** Where the options of an operation carry the request that waits for the response. */
export const CALLER = Symbol.for('fastback.caller')

/** Who waits for a response: Node's `IncomingMessage`, as far as it tells whether the client has gone. */
export interface Caller {
  readonly aborted?: boolean
  readonly socket?: { readonly destroyed?: boolean } | null
}

export type WorkLimits = Pick<QueryLimits, 'work' | 'rows' | 'bytes'>

/**
 * Units that are spent without giving the event loop back. What cannot be interrupted (one row, the rows of one change)
 * may take no more, which is some 20 ms at worst.
 */
const largestSlice = 750_000
/** Units, and milliseconds, after which the event loop is given back where that can be. */
const longSlice = { units: 250_000, milliseconds: 5 }
/** The clock is asked at most once in so many units. */
const clockGrain = 500

/** How much more than a response may have is read on the way to it. */
const timesAside = 16

/**
 * Rows that are read at once without looking at how large they are: 100 of the largest that a client can send are 10
 * MB.
 */
export const fewRows = 100

/**
 * The budget of one request. A unit is about what it takes to try one instruction of a pattern on one character, some
 * 20 ns; looking at a row takes a few.
 *
 * ```js
 * const work = new Work(registry.queryLimits)
 * work.spend(1000)
 * if (work.isDue) await work.rest()
 * ```
 */
export class Work {
  readonly #limits: WorkLimits
  readonly #caller: Caller | undefined
  #left: number
  #sliceLeft = largestSlice
  #weights: Map<Row, Weight> | undefined
  #read = 0
  #written = 0
  /** When the slice began; the first time that the clock is asked, for what is over sooner need not know. */
  #begun: number | undefined
  #unclocked = 0

  constructor (limits: WorkLimits, caller?: Caller) {
    this.#limits = limits
    this.#caller = caller
    this.#left = limits.work
  }

  /** Most rows of a response. */
  get rows (): number {
    return this.#limits.rows
  }

  /** Most characters of a response. */
  get bytes (): number {
    return this.#limits.bytes
  }

  /** Of rows with which others were included, and of those others. */
  get weights (): Map<Row, Weight> {
    return (this.#weights ??= new Map())
  }

  /**
   * Counts units before they are worked off.
   * @throws RequestError 400 QUERY_TOO_EXPENSIVE when the request has no more, or too many stand together that cannot
   * be interrupted
   */
  spend (units: number): void {
    this.#left -= units
    this.#sliceLeft -= units
    this.#unclocked += units
    if (this.#left < 0 || this.#sliceLeft < 0) throw queryTooExpensive('work', this.#limits.work)
  }

  /** Whether the event loop may be given back at all. */
  get mayRest (): boolean {
    return true
  }

  /** Whether others should have the event loop before more is done. */
  get isDue (): boolean {
    if (this.#sliceLeft < largestSlice - longSlice.units) return true
    if (this.#unclocked < clockGrain) return false
    this.#unclocked = 0
    const now = performance.now()
    this.#begun ??= now
    return now - this.#begun > longSlice.milliseconds
  }

  /** The same budget, for what nobody may come between: it never says that others should have their slice. */
  get atOnce (): Work {
    return new AtOnce(this, this.#limits)
  }

  /**
   * The same budget, for rows that are read on the way and do not come into the response: how many is not bound, but
   * how long they are together.
   */
  get aside (): Work {
    return this.page({ work: this.#limits.work, rows: Infinity, bytes: timesAside * this.#limits.bytes })
  }

  /** The same budget, for what is looked at beside a write: how much that is has no bound. */
  get beside (): Work {
    return this.page({ work: this.#limits.work, rows: Infinity, bytes: Infinity })
  }

  /** The same budget, for a part of the response: rows and characters are those of the part. */
  page (limits: WorkLimits): Work {
    return new Part(this, limits)
  }

  /**
   * Gives the event loop back.
   * @throws RequestError 499 CLIENT_GONE when nobody waits for the response any more
   */
  async rest (): Promise<void> {
    await yieldToEventLoop()
    this.renew()
  }

  /**
   * Begins a slice: the event loop was given back, here or by waiting for a database.
   * @throws RequestError 499 CLIENT_GONE
   */
  renew (): void {
    if (this.#caller?.aborted === true || this.#caller?.socket?.destroyed === true) throw clientClosedRequest()
    this.#sliceLeft = largestSlice
    this.#unclocked = 0
    this.#begun = undefined
  }

  /** @throws RequestError 400 QUERY_TOO_EXPENSIVE for more rows, or characters, than a response may have */
  mustHold (rows: number, bytes = 0): void {
    if (rows > this.#limits.rows) throw queryTooExpensive('rows', this.#limits.rows)
    if (bytes > this.#limits.bytes) throw queryTooExpensive('bytes', this.#limits.bytes)
  }

  /**
   * Counts what was taken from a store, in characters or bytes.
   * @throws RequestError 400 QUERY_TOO_EXPENSIVE
   */
  read (bytes: number): void {
    if ((this.#read += bytes) > this.#limits.bytes) throw queryTooExpensive('bytes', this.#limits.bytes)
  }

  /**
   * Counts characters of the response.
   * @throws RequestError 400 QUERY_TOO_EXPENSIVE
   */
  write (bytes: number): void {
    if ((this.#written += bytes) > this.#limits.bytes) throw queryTooExpensive('bytes', this.#limits.bytes)
  }
}

class AtOnce extends Work {
  constructor (readonly work: Work, limits: WorkLimits) {
    super(limits)
  }

  override get mayRest (): boolean {
    return false
  }

  override get isDue (): boolean {
    return false
  }

  override renew (): void {}

  override spend (units: number): void {
    this.work.spend(units)
  }

  override read (bytes: number): void {
    this.work.read(bytes)
  }
}

class Part extends Work {
  constructor (readonly work: Work, limits: WorkLimits) {
    super(limits)
  }

  override get mayRest (): boolean {
    return this.work.mayRest
  }

  override get isDue (): boolean {
    return this.work.isDue
  }

  override renew (): void {
    this.work.renew()
  }

  override spend (units: number): void {
    this.work.spend(units)
  }
}

/** What meters the tests of a condition; a `Work`, or nothing for code in the process. */
export type Meter = Pick<Work, 'spend'> | undefined
