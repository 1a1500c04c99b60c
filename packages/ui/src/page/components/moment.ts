/** Moments between JSON, which has them in UTC, and fields of browsers, which have them in the zone of who looks. */

/**
 * What a field `datetime-local` shows of a moment; empty for what is none.
 *
 * ```js
 * localMoment('2026-07-01T12:30:00.000Z') // '2026-07-01T14:30:00.000' in Berlin
 * ```
 */
export function localMoment (value: unknown): string {
  const moment = new Date(typeof value === 'string' || typeof value === 'number' ? value : Number.NaN)
  return Number.isNaN(moment.getTime())
    ? ''
    : new Date(moment.getTime() - moment.getTimezoneOffset() * 60_000).toISOString().slice(0, -1)
}

/** The moment that such a field has, as JSON has it; undefined for none. */
export function momentOf (text: string): string | undefined {
  const moment = new Date(text)
  return text === '' || Number.isNaN(moment.getTime()) ? undefined : moment.toISOString()
}
