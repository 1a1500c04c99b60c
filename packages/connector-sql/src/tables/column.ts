/** A property as a table stores it: which column holds it, and how. */
import type { CompiledProperty, StoredModel } from '@fastback/core'
import type { ColumnFormat } from '../dialects/column-types.js'
import type { Dialect } from '../dialects/dialect.js'
import { findColumn, type ActualColumn, type ActualTable } from '../migration/design.js'
import { hasNullsLargest } from './indexes.js'
import { columnName, refuseSharedColumns } from './naming.js'

export interface Column {
  /** Position in `Table.columns`; part of statement keys. */
  readonly index: number
  readonly property: CompiledProperty
  readonly name: string
  /** The name in quotes. */
  readonly quoted: string
  readonly format: ColumnFormat
  /** What the database calls its type; undefined where there is no such column. */
  readonly type: string | undefined
  /** Names of the domains that it is of. */
  readonly domains: readonly string[]
  /** What gives out its numbers, where that is a thing of its own. */
  readonly sequence: string | undefined
  /** Whether what is written comes back as it was. */
  readonly keeps: boolean
  /** Whether the database works the values out, and takes none. */
  readonly computed: boolean
  /** What the database gives a row that brings no value. */
  readonly gives: ActualColumn['gives']
  /** Whether no row is without a value. */
  readonly required: boolean
  /** Whether the indexes that hold it have NULL where the largest value stands. */
  readonly nullsLargest: boolean
}

/**
 * The columns of a model's properties, in the order of these.
 * @throws FBK_SQL_COLUMN_CONFLICT when two properties would share a column
 */
export function storedColumns (model: StoredModel, dialect: Dialect, actual: ActualTable): readonly Column[] {
  const columns = model.properties.map((property, index): Column => {
    const wanted = columnName(property, dialect.settingKeys)
    const column = findColumn(actual, wanted)
    const name = column?.name ?? wanted
    return {
      index,
      property,
      name,
      quoted: dialect.quote(name),
      format: dialect.format(property.type, column?.type, column?.example),
      type: column?.type,
      domains: column?.domains ?? [],
      sequence: column?.sequence,
      keeps: column === undefined || dialect.keeps(property.type, column.type),
      computed: column?.computed === true,
      gives: column?.gives,
      required: column?.required === true,
      nullsLargest: hasNullsLargest(actual.indexes, name)
    }
  })
  refuseSharedColumns(model.name, columns.map(({ name, property }) => ({ name, property: property.name })))
  return columns
}
