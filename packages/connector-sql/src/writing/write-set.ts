/** Sets of rows that one statement writes and gives (`SetSupport`). Undefined: another way is needed. */
import type { Condition, MaybePromise, Merge, Row } from '@fastback/core'
import { chain } from '@fastback/core/connector'
import type { Connection } from '../dialects/driver.js'
import { residualFilterOf } from '../query/residual-filter.js'
import type { Reader } from '../reading/reader.js'
import type { Column } from '../tables/column.js'
import type { Table } from '../tables/table.js'
import { deleteStatement } from './delete.js'
import { insertMerging } from './insert-many.js'
import { writtenColumns } from './returning.js'
import { updateStatement } from './update.js'
import { nextVersion } from './version.js'

/** Sets values on every row that matches, and gives these rows. */
export function updateSet (
  reader: Reader, where: Condition | undefined, changes: Readonly<Row>
): MaybePromise<readonly Row[] | undefined> {
  const { table } = reader
  if (!givesChanged(reader, where)) return undefined
  const prepared = updateStatement(reader, where, changes, writtenColumns(table).list)
  return prepared && chain(prepared.statement.all(prepared.values), raw => rowsOf(table, raw))
}

/** Removes every row that matches, and gives these rows. */
export function deleteSet (reader: Reader, where: Condition | undefined): MaybePromise<readonly Row[] | undefined> {
  const { table } = reader
  if (!givesChanged(reader, where)) return undefined
  const { statement, values } = deleteStatement(reader, where, writtenColumns(table).list)
  return chain(statement.all(values), raw => rowsOf(table, raw))
}

const givesChanged = ({ table, work }: Reader, where: Condition | undefined): boolean =>
  table.guarantees.returnsUpdated && residualFilterOf(table, where, work) === undefined

const rowsOf = (table: Table, raw: ReadonlyArray<readonly unknown[]>): Row[] =>
  raw.map(each => writtenColumns(table).row(each as unknown[]))

/**
 * Stores rows, and sets values on those that have their key: `INSERT … ON CONFLICT … DO UPDATE`. The key is one that
 * the table itself has.
 */
export function upsertSet (
  connection: Connection, table: Table, rows: ReadonlyArray<Readonly<Row>>, { key, changed }: Merge
): MaybePromise<readonly Row[] | undefined> {
  const { returnsInserted, returnsUpdated } = table.guarantees
  if (!returnsInserted || !returnsUpdated || !hasColumns(table, rows, changed)) return undefined
  const columns = columnsOf(table, key)
  const set = columnsOf(table, changed)?.filter(column => table.written.includes(column))
  if (columns === undefined || set?.length !== changed.length || !isUnique(table, columns)) return undefined
  const terms = [
    ...set.map(({ quoted }) => `${quoted} = excluded.${quoted}`),
    ...nullsTaken(table, changed),
    ...nextVersion(table, table.quoted)
  ]
  const ending = ` ON CONFLICT (${columns.map(({ quoted }) => quoted).join(', ')}) DO UPDATE SET ${terms.join(', ')}`
  return insertMerging(connection, table, rows, ending)
}

/** Whether all values have a column of their own: those of the extra column cannot be set one by one by new rows. */
const hasColumns = (table: Table, rows: ReadonlyArray<Readonly<Row>>, changed: readonly string[]): boolean =>
  table.extra === undefined || (rows.every(row => changed.every(name => row[name] !== undefined && row[name] !== null)))

/** What a row that is there says of its nulls, without those that get a value. */
function nullsTaken ({ dialect, extra, quoted }: Table, changed: readonly string[]): string[] {
  if (extra === undefined) return []
  const { sql } = dialect.mergeExtra(`${quoted}.${extra}`, { set: {}, remove: changed }, true)
  return [`${extra} = ${sql(() => '')}`]
}

function columnsOf (table: Table, names: readonly string[]): Column[] | undefined {
  const columns = names.flatMap(name => table.byProperty.get(name) ?? [])
  return columns.length === names.length ? columns : undefined
}

/** Whether the database holds the values of these columns apart, in all rows. */
function isUnique (table: Table, columns: readonly Column[]): boolean {
  const names = new Set(columns.map(({ name }) => name))
  const isAll = (others: ReadonlyArray<{ readonly name: string }>): boolean =>
    others.length === names.size && others.every(({ name }) => names.has(name))
  if (table.isKeyed && columns.length === 1 && columns[0] === table.id) return true
  return table.indexes.some(({ unique, exceptBlank, live, text, columns: others }) =>
    unique && exceptBlank !== true && live === undefined && text === undefined && isAll(others))
}
