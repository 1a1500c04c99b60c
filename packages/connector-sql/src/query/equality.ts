/** Finding rows by a value that they show, and writing one that they may show already. */
import type { Column } from '../tables/column.js'

/** Whether a column shows a value. Takes the placeholders of what `equalValues` gives. */
export const equalsSql = ({ quoted, format }: Column, next: () => string): string =>
  format.equality?.sql(quoted, next) ?? `${quoted} = ${format.bound(next())}`

/** What `equalsSql` binds for a value that the format accepts. */
export const equalValues = ({ format }: Column, value: unknown): readonly unknown[] =>
  format.equality?.values(value) ?? [format.encode(value)]

/**
 * `column = value` of a SET. What is shown as it was stays as it is stored: who reads a row and puts it back changes
 * nothing. Takes the placeholders of what `assignedValues` gives.
 */
export function assignment ({ quoted, format }: Column, next: () => string): string {
  if (format.equality?.leavesShown !== true) return `${quoted} = ${format.bound(next())}`
  const isShown = format.equality.sql(quoted, next)
  return `${quoted} = CASE WHEN ${isShown} THEN ${quoted} ELSE ${format.bound(next())} END`
}

/**
 * What the assignments of columns bind.
 * @param values of a row
 * @param encoded the same as the columns take them
 */
export const assignedValues = (
  columns: readonly Column[], values: readonly unknown[], encoded: readonly unknown[]
): unknown[] =>
  columns.flatMap(({ format: { equality } }, i) =>
    equality?.leavesShown === true ? [...equality.values(values[i] ?? null), encoded[i]] : [encoded[i]])
