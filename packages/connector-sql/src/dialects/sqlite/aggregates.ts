/** Groups of rows (`AggregateSyntax`). Dates are texts that begin with what they have in common (`dates.ts`). */
import type { AggregateSyntax, BucketPeriod } from '../aggregate-syntax.js'

/**
 * The texts of years before 0 and after 9999 are another form: each is a bucket of its own. Whether a text begins with
 * a digit is asked without a function, which would be a seventh of a statement that groups a hundred rows.
 */
const usual = (column: string, bucket: string): string =>
  `CASE WHEN ${column} >= '0' AND ${column} < ':' THEN ${bucket} ELSE ${column} END`

function bucketOf (column: string, period: BucketPeriod): string {
  switch (period) {
    case 'year': return `substr(${column}, 1, 4)`
    case 'quarter': return `substr(${column}, 1, 5) || ((CAST(substr(${column}, 6, 2) AS INTEGER) + 2) / 3)`
    case 'month': return `substr(${column}, 1, 7)`
    case 'week': return `date(substr(${column}, 1, 10), 'weekday 0', '-6 days')`
    case 'day': return `substr(${column}, 1, 10)`
    case 'hour': return `substr(${column}, 1, 13)`
    case 'quarterHour': return `substr(${column}, 1, 14) || (CAST(substr(${column}, 15, 2) AS INTEGER) / 15)`
  }
}

export const aggregates: AggregateSyntax = {
  groupKey: ({ quoted, format }) => format.name === 'text' ? `${quoted} COLLATE BINARY` : quoted,
  bucket: (column, period) => usual(column, bucketOf(column, period)),
  // Whole numbers would be added up as such, until there is one that is too large.
  sum: ({ quoted, format, property }) =>
    format.name === 'decimal' || property.type.kind === 'bigint' ? undefined : `sum(${quoted} * 1.0)`,
  extreme: (fn, key) => `${fn}(${key})`
}
