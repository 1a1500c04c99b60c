/**
 * Whether so much comes in a tick of the event loop that it is worth doing together. Requests that arrive together are
 * answered one after the other in one tick.
 */
import { atEndOfTick } from './end-of-tick.js'

/** Of a kind between two ticks that are watched, where ticks are quiet. */
const grain = 32
/** Ticks with too few, one after the other, after which ticks are quiet. */
const patience = 8

/** A tick is `watched` where those before it were quiet: after it more is known. */
export type Pace = 'quiet' | 'watched' | 'busy'

/** What a `TickPace` goes by. */
export interface PaceOptions {
  /** Of a kind in a tick, from which it is worth doing them together. Default: 3. */
  readonly worthwhile?: number
  /** What calls for the end of the tick: `atEndOfTick`, the default, or `afterTick`. */
  readonly awaitEnd?: (end: () => void) => void
}

/**
 * Tells what comes alone from what comes together with others.
 *
 * ```js
 * const pace = new TickPace(entered => {
 *   makeAll()
 *   return entered
 * })
 * if (pace.enter() === 'busy') putOff(write)
 * else write()
 * ```
 */
export class TickPace {
  readonly #worthwhile: number
  readonly #endOfTick: (entered: number) => number
  readonly #awaitEnd: (end: () => void) => void
  /** What this tick is, where its end is waited for. */
  #tick: 'watched' | 'busy' | undefined
  /** In this tick; where ticks are quiet, since the last one that was watched. */
  #entered = 0
  /** One after the other, and no more than `patience`. */
  #quietTicks = patience

  /**
   * @param endOfTick called at the end of each tick that is not quiet, with how many entered in it; says how many of
   * these came together
   */
  constructor (
    endOfTick: (entered: number) => number, { worthwhile = 3, awaitEnd = atEndOfTick }: PaceOptions = {}
  ) {
    this.#endOfTick = endOfTick
    this.#worthwhile = worthwhile
    this.#awaitEnd = awaitEnd
  }

  /** To be called for each that comes. */
  enter (): Pace {
    this.#entered++
    if (this.#tick !== undefined) return this.#tick
    const isQuiet = this.#quietTicks === patience
    if (isQuiet && this.#entered < grain) return 'quiet'
    this.#entered = 1
    this.#awaitEnd(this.#end)
    return (this.#tick = isQuiet ? 'watched' : 'busy')
  }

  readonly #end = (): void => {
    const together = this.#endOfTick(this.#entered)
    this.#tick = undefined
    this.#entered = 0
    this.#quietTicks = together < this.#worthwhile ? Math.min(patience, this.#quietTicks + 1) : 0
  }
}
