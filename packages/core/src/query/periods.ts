/** Periods of the calendar: where in time the one begins that an instant lies in. */
import type { Period } from './ast.js'

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

/** The calendar of a time zone. Making one takes most of a millisecond: it is for many dates. */
export class Calendar {
  readonly #clock: Intl.DateTimeFormat | undefined

  /**
   * @param timeZone IANA name. Default: UTC
   * @throws RangeError for no time zone
   */
  constructor (timeZone?: string) {
    this.#clock = timeZone === undefined ? undefined : clockOf(timeZone)
  }

  /**
   * The instant at which the period of a date begins.
   *
   * ```js
   * new Calendar('America/Lima').start(new Date('2026-03-01T03:00:00Z'), 'month') // 2026-02-01T05:00:00.000Z
   * ```
   */
  start (date: Date, period: Period): Date {
    const clock = this.#clock
    if (clock === undefined) return truncated(date, period)
    const offset = offsetAt(clock, date.getTime())
    const begin = truncated(new Date(date.getTime() + offset), period)
    if (period === 'hour') return hourStart(clock, date.getTime(), begin.getTime(), offset)
    return new Date(instantOf(clock, begin.getTime(), offset))
  }

  /** Milliseconds that clocks are ahead of UTC at an instant. */
  offset (date: Date): number {
    return this.#clock === undefined ? 0 : offsetAt(this.#clock, date.getTime())
  }
}

/** An hour whose clock is put forward or back by less than one is longer or shorter; one that comes twice is two. */
function hourStart (clock: Intl.DateTimeFormat, instant: number, begin: number, offset: number): Date {
  const before = offsetAt(clock, Math.min(instant, begin - offset))
  return new Date(begin - before)
}

/** The first instant that has this local time, or, where a clock was put forward over it, the one behind the gap. */
function instantOf (clock: Intl.DateTimeFormat, local: number, offset: number): number {
  const candidates = [offset, offsetAt(clock, local - offset), offsetAt(clock, local - offset - day)]
    .map(each => local - each)
    .filter(instant => instant + offsetAt(clock, instant) === local)
  return candidates.length > 0 ? Math.min(...candidates) : local - offsetAt(clock, local - offset - day)
}

const day = 86_400_000

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
function offsetAt (clock: Intl.DateTimeFormat, instant: number): number {
  const parts: Partial<Record<Intl.DateTimeFormatPartTypes, string>> = {}
  for (const { type, value } of clock.formatToParts(instant)) parts[type] = value
  const year = Number(parts.year)
  const shown = new Date(0)
  shown.setUTCFullYear(parts.era === 'BC' ? 1 - year : year, Number(parts.month) - 1, Number(parts.day))
  shown.setUTCHours(Number(parts.hour), Number(parts.minute), Number(parts.second))
  return shown.getTime() - Math.floor(instant / 1000) * 1000
}
