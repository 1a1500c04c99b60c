/** Where PostgreSQL compares the keys of two tables as JavaScript compares their values. */
import type { Column } from '../../tables/column.js'
import { integer, real, smallInteger } from './formats.js'
import { text, uuid } from './texts.js'

/** Whole numbers that are numbers in JavaScript; larger ones are bigints, which equal no number. */
const safe = `BETWEEN ${Number.MIN_SAFE_INTEGER} AND ${Number.MAX_SAFE_INTEGER}`

/** What keeps blanks and case; `citext` and `character` do not. */
const isPlainText = ({ type = '' }: Column): boolean => /^(?:text|character varying)\b/i.test(type)

export function sameKey (column: Column, other: Column, value: string): string | undefined {
  const { format, quoted } = column
  const { format: otherFormat } = other
  const isWhole = otherFormat === integer || otherFormat === smallInteger
  switch (format) {
    case integer: case smallInteger:
      if (isWhole) return `${quoted} = ${value}`
      return otherFormat === real
        ? `${quoted} = CASE WHEN ${value} ${safe} AND ${value} = trunc(${value}) THEN ${value}::bigint END`
        : undefined
    case real:
      // What is no number is nobody's key.
      if (otherFormat === real) return `${quoted} = CASE WHEN ${value} <> 'NaN' THEN ${value} END`
      return isWhole
        ? `${quoted} = CASE WHEN ${value} ${safe} THEN ${value}::double precision END`
        : undefined
    case uuid:
      return otherFormat === uuid ? `${quoted} = ${value}` : undefined
    case text:
      return otherFormat === text && isPlainText(column) && isPlainText(other) ? sameText(quoted, value) : undefined
  }
}

/**
 * By the collation of the column, whose index finds the rows: the way through `textout` leaves that of the value
 * behind, for two collations would be an error. A collation for which two texts are one is not JavaScript's.
 */
function sameText (column: string, value: string): string {
  return `(${column} = textin(textout(${value})) AND ${column} COLLATE "C" = ${value} COLLATE "C")`
}
