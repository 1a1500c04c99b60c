/**
 * Instants and their text. To read a date and to write it again costs V8 a microsecond, and a request writes the dates
 * that it brings twice, for the store and for its response: the last ones are remembered.
 */

/** Slots, by the instant: a prime number, as instants are often whole seconds. */
const slots = 61
const times = new Float64Array(slots).fill(NaN)
const texts = new Array<string>(slots).fill('')

/** A day that exists; 29 February is left to those who count. */
const day = '(?:(?:0[13578]|1[02])-(?:0[1-9]|[12]\\d|3[01])|(?:0[469]|11)-(?:0[1-9]|[12]\\d|30)|02-(?:0[1-9]|1\\d|2[0-8]))'

/** What `toISOString` gives for the years 0 to 9999, and nothing else. */
const isoText = new RegExp(`^\\d{4}-${day}T(?:[01]\\d|2[0-3]):[0-5]\\d:[0-5]\\d\\.\\d{3}Z$`)

/**
 * Whether a text is an instant as `toISOString` writes it. A text that is not may be one all the same.
 *
 * ```js
 * isIsoInstant('2026-01-31T12:00:00.000Z') // true
 * isIsoInstant('2026-01-31T12:00:00Z') // false
 * ```
 */
export const isIsoInstant = (text: string): boolean => isoText.test(text)

/**
 * The instant of such a text; undefined for all others.
 *
 * ```js
 * readIsoInstant('2026-01-31T12:00:00.000Z') // a Date
 * readIsoInstant('2026-01-31') // undefined
 * ```
 */
export function readIsoInstant (text: string): Date | undefined {
  if (!isoText.test(text)) return undefined
  const date = new Date(text)
  remember(date.getTime(), text)
  return date
}

/** The text of an instant that was read or written lately. */
export function knownIsoText (time: number): string | undefined {
  const slot = slotOf(time)
  return times[slot] === time ? texts[slot] : undefined
}

/**
 * A date as `toISOString` writes it.
 *
 * ```js
 * toIsoText(new Date(0)) // '1970-01-01T00:00:00.000Z'
 * ```
 * @throws RangeError for an invalid date
 */
export function toIsoText (date: Date): string {
  const time = date.getTime()
  const known = knownIsoText(time)
  if (known !== undefined) return known
  const text = date.toISOString()
  remember(time, text)
  return text
}

function remember (time: number, text: string): void {
  const slot = slotOf(time)
  times[slot] = time
  texts[slot] = text
}

const slotOf = (time: number): number => Math.abs(time % slots)
