/** UPDATE of whole rows. */
import type { Id, MaybePromise, Row } from '@fastback/core'
import { chain } from '@fastback/core/connector'
import type { Connection, Statement } from '../dialects/driver.js'
import { assignedValues, assignment } from '../query/equality.js'
import { idIs } from '../query/select.js'
import { Placeholders } from '../query/statement-builder.js'
import { boundId, readRow } from '../reading/read.js'
import { extraOf } from '../tables/extra.js'
import type { Column } from '../tables/column.js'
import type { Table } from '../tables/table.js'
import { returningRow, writtenColumns, thenRead } from './returning.js'
import { encoded, storedRow } from './values.js'
import { nextVersion, seenVersion } from './version.js'

/** Replaces the row with this id and gives it as it is stored; undefined when there is none. */
export function replaceRow (
  connection: Connection,
  table: Table,
  id: Id,
  row: Readonly<Row>,
  ifVersion?: number
): MaybePromise<Row | undefined> {
  const bound = boundId(table, id)
  if (bound === undefined) return undefined
  const columns = replacedColumns(table)
  const given = columns.map(({ property }) => row[property.name])
  const taken = columns.map((column, i) => encoded(table, column, given[i]))
  const values = table.leavesShown ? assignedValues(columns, given, taken) : taken
  if (table.extra !== undefined) {
    const extra = extraOf(table, row)
    values.push(extra === undefined ? null : table.dialect.extra.encode(extra))
  }
  values.push(...bound)
  const seen = seenVersion(table, ifVersion)
  if (seen !== '') values.push(ifVersion)
  const replace = <T>(on: Connection, result: T): MaybePromise<T | undefined> =>
    chain(prepareReplace(on, table, seen).run(values), ({ changes }) => changes === 0 ? undefined : result)
  if (table.guarantees.keepsRows && table.version === undefined) return replace(connection, storedRow(table, row, id))
  if (table.guarantees.returnsUpdated) {
    return returningRow(table, prepareReplace(connection, table, seen, writtenColumns(table).list), values)
  }
  return thenRead(connection, within => replace(within, id), within => readRow(within, table, id, table.whole))
}

/** What a replacement brings: a row counts its writes itself. */
const replacedColumns = ({ written, version }: Table): readonly Column[] =>
  version === undefined ? written : written.filter(column => column !== version)

/**
 * @param seen the end of the condition on the version
 * @param answer what is wanted of the stored row
 */
function prepareReplace (connection: Connection, table: Table, seen: string, answer?: string): Statement {
  const key = `${table.number}P${answer === undefined ? '' : 'r'}${seen === '' ? '' : 'w'}`
  return connection.prepared(key) ?? connection.prepare(key, replaceSql(table, seen, answer))
}

function replaceSql (table: Table, seen: string, answer: string | undefined): string {
  const placeholders = new Placeholders(table.dialect)
  const terms = replacedColumns(table).map(column => assignment(column, () => placeholders.next()))
  if (table.extra !== undefined) terms.push(`${table.extra} = ${table.dialect.extra.bound(placeholders.next())}`)
  terms.push(...nextVersion(table))
  if (terms.length === 0 && table.id !== undefined) terms.push(`${table.id.quoted} = ${table.id.quoted}`)
  const returning = answer === undefined ? '' : ` RETURNING ${answer}`
  return `UPDATE ${table.quoted} SET ${terms.join(', ')} WHERE ${idIs(table, placeholders)}` +
    `${seen}${seen === '' ? '' : placeholders.next()}${returning}`
}
