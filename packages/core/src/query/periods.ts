/** Periods of the calendar: where in time the one begins that an instant lies in. */
import type { Period } from './ast.js'
import type { Meter } from './work.js'

/**
 * Whether a name is that of a time zone.
 *
 * ```js
 * isTimeZone('America/Lima') // true
 * ```
 */
export function isTimeZone (name: string): boolean {
  // What Intl takes besides names: offsets, of which databases know nothing.
  if (!/^[A-Za-z][A-Za-z0-9_+\-/]{0,63}$/.test(name)) return false
  try {
    clockOf(name)
    return true
  } catch {
    return false
  }
}

/** Units of work that it takes to ask a clock. */
const asked = 500

/**
 * The calendar of a time zone. Making one takes most of a millisecond: it is for many dates. A clock takes as long as
 * hundreds of comparisons, so what it says of the beginning of a day is kept.
 */
export class Calendar {
  readonly #clock: Intl.DateTimeFormat | undefined
  readonly #meter: Meter
  /** By the beginnings of days of UTC. */
  readonly #offsets = new Map<number, number>()

  /**
   * @param timeZone IANA name. Default: UTC
   * @param meter counts each time that the clock is asked
   * @throws RangeError for no time zone
   */
  constructor (timeZone?: string, meter?: Meter) {
    this.#clock = timeZone === undefined ? undefined : clockOf(timeZone)
    this.#meter = meter
  }

  /**
   * The instant at which the period of a date begins.
   *
   * ```js
   * new Calendar('America/Lima').start(new Date('2026-03-01T03:00:00Z'), 'month') // 2026-02-01T05:00:00.000Z
   * ```
   */
  start (date: Date, period: Period): Date {
    if (this.#clock === undefined) return truncated(date, period)
    const offset = this.#offsetAt(date.getTime())
    const begin = truncated(new Date(date.getTime() + offset), period)
    if (period === 'hour') return this.#hourStart(date.getTime(), begin.getTime(), offset)
    return new Date(this.#instantOf(begin.getTime(), offset))
  }

  /** Milliseconds that clocks are ahead of UTC at an instant. */
  offset (date: Date): number {
    return this.#clock === undefined ? 0 : this.#offsetAt(date.getTime())
  }

  /** An hour whose clock is put forward or back by less than one is longer or shorter; one that comes twice is two. */
  #hourStart (instant: number, begin: number, offset: number): Date {
    const before = this.#offsetAt(Math.min(instant, begin - offset))
    return new Date(begin - before)
  }

  /** The first instant that has this local time, or, where a clock was put forward over it, the one behind the gap. */
  #instantOf (local: number, offset: number): number {
    const candidates = [offset, this.#offsetAt(local - offset), this.#offsetAt(local - offset - day)]
      .map(each => local - each)
      .filter(instant => instant + this.#offsetAt(instant) === local)
    return candidates.length > 0 ? Math.min(...candidates) : local - this.#offsetAt(local - offset - day)
  }

  /** Only on days that end with another offset than they begin with the clock is asked for the instant itself. */
  #offsetAt (instant: number): number {
    const begin = Math.floor(instant / day) * day
    const offset = this.#offsetOfDay(begin)
    return offset === this.#offsetOfDay(begin + day) ? offset : this.#ask(instant)
  }

  #offsetOfDay (begin: number): number {
    const known = this.#offsets.get(begin)
    if (known !== undefined) return known
    const offset = this.#ask(begin)
    this.#offsets.set(begin, offset)
    return offset
  }

  #ask (instant: number): number {
    // A period that begins before the first date.
    if (Number.isNaN(instant)) return 0
    this.#meter?.spend(asked)
    // Dates end there: behind them clocks go on as they did.
    const within = Math.max(-lastInstant, Math.min(lastInstant, instant))
    return clockOffset(this.#clock as Intl.DateTimeFormat, within)
  }
}

const day = 86_400_000
/** Milliseconds from 1970 to the last date that JavaScript has. */
const lastInstant = 8.64e15

function truncated (date: Date, period: Period): Date {
  const begin = new Date(date)
  if (period === 'hour') {
    begin.setUTCMinutes(0, 0, 0)
    return begin
  }
  begin.setUTCHours(0, 0, 0, 0)
  switch (period) {
    case 'year': begin.setUTCMonth(0, 1); break
    case 'quarter': begin.setUTCMonth(begin.getUTCMonth() - begin.getUTCMonth() % 3, 1); break
    case 'month': begin.setUTCDate(1); break
    case 'week': begin.setUTCDate(begin.getUTCDate() - (begin.getUTCDay() + 6) % 7); break
    case 'day': break
  }
  return begin
}

/** @throws RangeError for no time zone */
function clockOf (timeZone: string): Intl.DateTimeFormat {
  return new Intl.DateTimeFormat('en-US', {
    timeZone, hourCycle: 'h23', era: 'short', year: 'numeric', month: 'numeric', day: 'numeric', hour: 'numeric',
    minute: 'numeric', second: 'numeric'
  })
}

/** Milliseconds that the clock is ahead of UTC. */
function clockOffset (clock: Intl.DateTimeFormat, instant: number): number {
  const parts: Partial<Record<Intl.DateTimeFormatPartTypes, string>> = {}
  for (const { type, value } of clock.formatToParts(instant)) parts[type] = value
  const year = Number(parts.year)
  const shown = new Date(0)
  shown.setUTCFullYear(parts.era === 'BC' ? 1 - year : year, Number(parts.month) - 1, Number(parts.day))
  shown.setUTCHours(Number(parts.hour), Number(parts.minute), Number(parts.second))
  return shown.getTime() - Math.floor(instant / 1000) * 1000
}
