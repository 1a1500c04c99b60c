/** Where SQLite compares the keys of two tables as JavaScript compares their values. */
import type { Column } from '../../tables/column.js'

/** Whole numbers beyond the safe ones are bigints in JavaScript, which equal no number. */
export function sameKey ({ format, quoted }: Column, other: Column, value: string): string | undefined {
  const isNumber = (name: string): boolean => name === 'integer' || name === 'real'
  if (isNumber(format.name) && isNumber(other.format.name)) {
    // What the index needs comes first, what is asked of few rows last: a CASE around the value is worked out for all.
    const isNumeric = `abs(${value}) <= ${Number.MAX_SAFE_INTEGER} AND typeof(${value}) IN ('integer', 'real')`
    const areOneType = `typeof(${value}) IN ('integer', 'real') AND typeof(${quoted}) = typeof(${value})`
    return `(${quoted} = ${value} AND ((${isNumeric}) OR (${areOneType})))`
  }
  // By the collation of the column, whose index finds the rows, and then without any.
  return format.name === 'text' && other.format.name === 'text'
    ? `(${quoted} = ${value} AND ${quoted} COLLATE BINARY = ${value})`
    : undefined
}
