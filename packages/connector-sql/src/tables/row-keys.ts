/** What tells the rows of a table apart, and in which order they stand. */
import type { StoredModel } from '@fastback/core'
import type { Dialect } from '../dialects/dialect.js'
import { findColumn, type ActualTable } from '../migration/design.js'
import type { Column } from './column.js'
import { keyName } from './naming.js'

/** The one column of the table's key; undefined where it has none, or several. */
function primaryColumn ({ columns }: ActualTable): string | undefined {
  const primary = columns.filter(({ keyPosition }) => keyPosition > 0)
  return primary.length === 1 ? primary[0]?.name : undefined
}

/** Whether the id alone tells rows apart, so that they can be read by it batch by batch. */
export const isKeyedBy = (id: Column | undefined, actual: ActualTable): boolean =>
  !actual.isView && id !== undefined && primaryColumn(actual) === id.name

/**
 * The column that is the table's key instead of the id, where the model's settings name one (`key`).
 * @throws FBK_SQL_UNKNOWN_KEY
 */
export function keyInstead (
  model: StoredModel, dialect: Dialect, actual: ActualTable, byProperty: ReadonlyMap<string, Column>
): Column | undefined {
  const key = keyName(model, dialect.settingKeys)
  const column = key === undefined ? undefined : byProperty.get(key)
  return column !== undefined && primaryColumn(actual) === column.name ? column : undefined
}

/** What rows are ordered by when nothing else decides: the id, or the order in which they were stored. */
export function lastOrderOf (
  key: readonly Column[], columns: readonly Column[], dialect: Dialect, actual: ActualTable
): string {
  if (key.length > 0) return sortedBy(key)
  // Rows of a view are stored nowhere.
  if (actual.isView) return sortedBy(columns)
  const column = dialect.rowColumn === undefined ? undefined : findColumn(actual, dialect.rowColumn)
  if (column !== undefined) return dialect.quote(column.name)
  return actual.storedBy?.map(dialect.quote).join(', ') ?? dialect.storedOrder
}

const sortedBy = (columns: readonly Column[]): string =>
  columns.map(({ format, quoted }) => format.sorted(quoted)).join(', ')
