/** UPDATE of whole rows. */
import type { Id, MaybePromise, Row } from '@fastback/core'
import { chain } from '@fastback/core/connector'
import type { Connection, Statement } from '../dialects/driver.js'
import { assignedValues, assignment } from '../query/equality.js'
import { idIs } from '../query/select.js'
import { Placeholders } from '../query/statement-builder.js'
import { boundId, readRow } from '../reading/read.js'
import { extraOf } from '../tables/extra.js'
import type { Table } from '../tables/table.js'
import { returningRow, writtenColumns, thenRead } from './returning.js'
import { encoded, storedRow } from './values.js'

/** Replaces the row with this id and gives it as it is stored; undefined when there is none. */
export function replaceRow (
  connection: Connection,
  table: Table,
  id: Id,
  row: Readonly<Row>
): MaybePromise<Row | undefined> {
  const bound = boundId(table, id)
  if (bound === undefined) return undefined
  const given = table.written.map(({ property }) => row[property.name])
  const taken = table.written.map((column, i) => encoded(table, column, given[i]))
  const values = table.leavesShown ? assignedValues(table.written, given, taken) : taken
  if (table.extra !== undefined) {
    const extra = extraOf(table, row)
    values.push(extra === undefined ? null : table.dialect.extra.encode(extra))
  }
  values.push(...bound)
  const replace = <T>(on: Connection, result: T): MaybePromise<T | undefined> =>
    chain(prepareReplace(on, table).run(values), ({ changes }) => changes === 0 ? undefined : result)
  if (table.keepsRows) return replace(connection, storedRow(table, row, id))
  if (table.returnsUpdated) {
    return returningRow(table, prepareReplace(connection, table, writtenColumns(table).list), values)
  }
  return thenRead(connection, within => replace(within, id), within => readRow(within, table, id, table.whole))
}

/** @param answer what is wanted of the stored row */
function prepareReplace (connection: Connection, table: Table, answer?: string): Statement {
  const key = `${table.number}P${answer === undefined ? '' : 'r'}`
  return connection.prepared(key) ?? connection.prepare(key, replaceSql(table, answer))
}

function replaceSql (table: Table, answer: string | undefined): string {
  const placeholders = new Placeholders(table.dialect)
  const terms = table.written.map(column => assignment(column, () => placeholders.next()))
  if (table.extra !== undefined) terms.push(`${table.extra} = ${table.dialect.extra.bound(placeholders.next())}`)
  if (terms.length === 0 && table.id !== undefined) terms.push(`${table.id.quoted} = ${table.id.quoted}`)
  const returning = answer === undefined ? '' : ` RETURNING ${answer}`
  return `UPDATE ${table.quoted} SET ${terms.join(', ')} WHERE ${idIs(table, placeholders)}${returning}`
}
