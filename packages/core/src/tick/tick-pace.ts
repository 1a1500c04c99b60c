/**
 * Whether so much comes in a tick of the event loop that it is worth doing together. Requests that arrive together are
 * answered one after the other in one tick.
 */
import { atEndOfTick } from './end-of-tick.js'

/** Of a kind between two turns that are watched, where turns are quiet. */
const grain = 32
/** Turns with too few, one after the other, after which turns are quiet. */
const patience = 8

/** A turn is `watched` where those before it were quiet: after it more is known. */
export type Pace = 'quiet' | 'watched' | 'busy'

/** What a `TickPace` goes by. */
export interface PaceOptions {
  /** Of a kind in a turn, from which it is worth doing them together. Default: 3. */
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
  readonly #endOfTurn: (entered: number) => number
  readonly #awaitEnd: (end: () => void) => void
  /** What this turn is, where its end is waited for. */
  #turn: 'watched' | 'busy' | undefined
  /** In this turn; where turns are quiet, since the last one that was watched. */
  #entered = 0
  /** One after the other, and no more than `patience`. */
  #quietTurns = patience

  /**
   * @param endOfTurn called at the end of each turn that is not quiet, with how many entered in it; says how many of
   * these came together
   */
  constructor (
    endOfTurn: (entered: number) => number, { worthwhile = 3, awaitEnd = atEndOfTick }: PaceOptions = {}
  ) {
    this.#endOfTurn = endOfTurn
    this.#worthwhile = worthwhile
    this.#awaitEnd = awaitEnd
  }

  /** To be called for each that comes. */
  enter (): Pace {
    this.#entered++
    if (this.#turn !== undefined) return this.#turn
    const isQuiet = this.#quietTurns === patience
    if (isQuiet && this.#entered < grain) return 'quiet'
    this.#entered = 1
    this.#awaitEnd(this.#end)
    return (this.#turn = isQuiet ? 'watched' : 'busy')
  }

  readonly #end = (): void => {
    const together = this.#endOfTurn(this.#entered)
    this.#turn = undefined
    this.#entered = 0
    this.#quietTurns = together < this.#worthwhile ? Math.min(patience, this.#quietTurns + 1) : 0
  }
}
