/** Groups of rows (`AggregateSyntax`). */
import type { AggregateSyntax, BucketPeriod } from '../aggregate-syntax.js'

/** Dates are those of UTC, as they are stored. */
function bucket (column: string, period: BucketPeriod): string {
  switch (period) {
    case 'year': return `YEAR(${column})`
    case 'quarter': return `YEAR(${column}) * 4 + QUARTER(${column})`
    case 'month': return `EXTRACT(YEAR_MONTH FROM ${column})`
    case 'week': return `YEARWEEK(${column}, 3)`
    case 'day': return `TO_DAYS(${column})`
    case 'hour': return `TO_SECONDS(${column}) DIV 3600`
    case 'quarterHour': return `TO_SECONDS(${column}) DIV 900`
  }
}

export const aggregates: AggregateSyntax = {
  groupKey: ({ quoted, format }) => format.name === 'text' ? format.sorted(quoted) : quoted,
  bucket,
  sum: ({ quoted }) => `SUM(${quoted})`,
  extreme: (fn, key) => `${fn}(${key})`
}
