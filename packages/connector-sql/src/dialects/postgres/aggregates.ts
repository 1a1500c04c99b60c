/** Groups of rows (`AggregateSyntax`). */
import type { AggregateSyntax } from '../aggregate-syntax.js'

export const aggregates: AggregateSyntax = {
  groupKey: ({ quoted, format }) => format.name === 'text' ? format.sorted(quoted) : quoted,
  bucket: (column, period) => period === 'quarterHour'
    ? `floor(extract(epoch FROM ${column}) / 900)`
    : `date_trunc('${period}', ${column} AT TIME ZONE 'UTC')`,
  sum: ({ quoted }) => `sum(${quoted})`,
  extreme: (fn, key, { name }) => name === 'boolean'
    ? `${fn === 'min' ? 'bool_and' : 'bool_or'}(${key})`
    : `${fn}(${key})`
}
