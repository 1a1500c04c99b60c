/** INSERT of a row that is counted among others, by the statement itself. */
import type { Counting, MaybePromise, Row } from '@fastback/core'
import { chain } from '@fastback/core/connector'
import type { Connection } from '../dialects/driver.js'
import type { Column } from '../tables/column.js'
import type { Table } from '../tables/table.js'
import { columnsOf, insertSql, newValues } from './insert.js'
import { encoded } from './values.js'

/**
 * Stores a row with the number after the largest one, and gives that number. Undefined: the database does not read
 * from a table that it inserts into, or does not say what it inserted.
 */
export function insertNext (
  connection: Connection, table: Table, row: Readonly<Row>, { property, among, returned = true }: Counting
): MaybePromise<number | undefined> {
  const number = table.byProperty.get(property)
  const group = table.byProperty.get(among)
  if (!table.dialect.insertsFromSelf || !table.guarantees.returnsInserted) return
  if (number === undefined || group === undefined) return
  // The value by which it is counted is bound where the number would be.
  const made = newValues(table, { ...row, [property]: 1 })
  const values = [...made.values]
  values[columnsOf(table, made).indexOf(number)] = encoded(table, group, row[among])
  const key = `${made.key}${returned ? 'n' : 'm'}${number.index}:${group.index}`
  const statement = connection.prepared(key) ?? connection.prepare(key, sql())
  return returned ? chain(statement.get(values), raw => Number(raw?.[0])) : chain(statement.run(values), () => 0)

  function sql (): string {
    const next = (placeholder: string): string =>
      `(SELECT COALESCE(MAX(${(number as Column).quoted}), 0) + 1 FROM ${table.quoted} ` +
      `WHERE ${(group as Column).quoted} = ${placeholder})`
    return insertSql(table, made, returned ? (number as Column).quoted : undefined, (column, placeholder) =>
      column === number ? next(placeholder) : placeholder)
  }
}
