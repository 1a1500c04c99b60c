/** A moment: how long ago, or how long until then, with the exact time at hand. */

const steps: ReadonlyArray<readonly [Intl.RelativeTimeFormatUnit, number]> = [
  ['year', 31_536_000], ['month', 2_592_000], ['week', 604_800], ['day', 86_400], ['hour', 3600], ['minute', 60]
]

/**
 * How far a moment is away, in words.
 *
 * ```js
 * relative(new Date(Date.now() - 7_200_000)) // '2 hours ago'
 * ```
 */
export function relative (moment: Date, now = Date.now()): string {
  const seconds = (moment.getTime() - now) / 1000
  const format = new Intl.RelativeTimeFormat('en', { numeric: 'auto' })
  const [unit, size] = steps.find(([, length]) => Math.abs(seconds) >= length) ?? ['second', 1]
  return format.format(Math.round(seconds / size), unit)
}

/** @param value as JSON has it */
export function Time ({ value }: { readonly value: string }) {
  const moment = new Date(value)
  return Number.isNaN(moment.getTime())
    ? <>{value}</>
    : <time dateTime={value} title={moment.toLocaleString()}>{relative(moment)}</time>
}
