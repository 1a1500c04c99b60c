/** What the indexes of a table are good for. */
import type { StoredModel } from '@fastback/core'
import type { Dialect } from '../dialects/dialect.js'
import type { IndexDesign } from '../migration/design.js'

/** Whether an index leads to all rows that have a value in a column: it is of all rows, and begins with the column. */
export const leadsToValues = ({ columns, exceptBlank, live, text }: IndexDesign, column: string): boolean =>
  exceptBlank !== true && live === undefined && text === undefined && columns[0]?.name === column

/** Whether there are indexes on a column, and all of them have NULL where the largest value stands. */
export function hasNullsLargest (indexes: readonly IndexDesign[], name: string): boolean {
  const parts = indexes.flatMap(({ text, columns }) =>
    text === undefined ? columns.filter(column => column.name === name) : [])
  return parts.length > 0 && parts.every(({ nullsLargest }) => nullsLargest === true)
}

/**
 * The index of the words of a model; undefined where there is none like it.
 * @param nameOf the column of a property
 */
export function textIndexOf (
  { textIndex }: StoredModel, dialect: Dialect, indexes: readonly IndexDesign[],
  nameOf: (property: string) => string | undefined
): IndexDesign | undefined {
  if (textIndex === undefined) return undefined
  const names = textIndex.properties.map(nameOf)
  const language = dialect.searchLanguage(textIndex.language)
  return indexes.find(({ text, columns }) => text?.language === language &&
    columns.length === names.length && columns.every(({ name }, i) => name === names[i]))
}
