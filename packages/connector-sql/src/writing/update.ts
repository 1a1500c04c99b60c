/** UPDATE: values of one row or of many. */
import type { Condition, Id, MaybePromise, Row, Selection, StoreOptions } from '@fastback/core'
import { chain } from '@fastback/core/connector'
import type { Connection } from '../dialects/driver.js'
import type { ExtraMerge } from '../dialects/sql-syntax.js'
import { collectCondition, whereSql } from '../query/condition.js'
import { assignedValues, assignment } from '../query/equality.js'
import { idIs, type Prepared } from '../query/select.js'
import { Placeholders, StatementBuilder } from '../query/statement-builder.js'
import { residualFilterOf } from '../query/residual-filter.js'
import { boundKey, readRow, readRowText } from '../reading/read.js'
import type { Reader } from '../reading/reader.js'
import type { Projection } from '../reading/projection.js'
import { extraChanges } from '../tables/extra.js'
import type { Column } from '../tables/column.js'
import type { Table } from '../tables/table.js'
import { nextVersion, seenVersion } from './version.js'
import { thenRead } from './returning.js'
import { updateOf } from './changed-table.js'
import { changeFiltered } from './filtered-change.js'
import { encoded } from './values.js'

/** What an update sets: its part of the statement key, the values it binds, and the text between SET and WHERE. */
interface Assignments {
  readonly key: string
  readonly values: unknown[]
  sql (placeholders: Placeholders): string
}

/** Undefined when nothing is to change; a row that counts its writes always changes. */
function assignmentsOf (table: Table, given: Readonly<Row>): Assignments | undefined {
  if (table.version === undefined) return assignmentsTo(table, given)
  const { [table.version.property.name]: _, ...changes } = given
  const { key, values, sql } = assignmentsTo(table, changes) ?? { key: '', values: [], sql: () => '' }
  const next = nextVersion(table)
  return { key, values, sql: placeholders => [sql(placeholders), ...next].filter(term => term !== '').join(', ') }
}

function assignmentsTo (table: Table, changes: Readonly<Row>): Assignments | undefined {
  const given: unknown[] = []
  const { columns, key, leavesShown } = table.sets.of(changes, true, given)
  const shown = leavesShown ? [...given] : given
  for (let i = 0; i < columns.length; i++) given[i] = encoded(table, columns[i] as Column, given[i])
  const values = leavesShown ? assignedValues(columns, shown, given) : given
  const extra = table.extra === undefined ? undefined : extraAssignment(table, changes, columns.length)
  if (columns.length === 0 && extra === undefined) return undefined
  if (extra !== undefined) for (let i = 0; i < extra.values.length; i++) values.push(extra.values[i])
  return {
    key: extra === undefined ? key : key + extra.key,
    values,
    sql: placeholders => {
      const terms = columns.map(column => assignment(column, () => placeholders.next()))
      if (extra !== undefined) terms.push(`${table.extra} = ${extra.sql(() => placeholders.next())}`)
      return terms.join(', ')
    }
  }
}

function extraAssignment (table: Table, changes: Readonly<Row>, declared: number): ExtraMerge | undefined {
  const merged = extraChanges(table, changes)
  const sets = Object.keys(merged.set).length > 0
  if (!sets && merged.remove.length === 0) return undefined
  // Values for declared properties only: they are null no longer. The names stand in the statement, and a row without
  // an extra value stays as it is.
  return table.dialect.mergeExtra(table.extra as string, merged, !sets && merged.remove.length === declared)
}

/** Sets values on every row that matches; how many did. */
export function updateRows (
  reader: Reader,
  where: Condition | undefined,
  changes: Readonly<Row>
): MaybePromise<number> | undefined {
  const { table } = reader
  const assignments = assignmentsOf(table, changes)
  if (assignments === undefined) return undefined
  const residual = residualFilterOf(table, where, reader.work)
  if (residual !== undefined) {
    const { key, values } = assignments
    return changeFiltered(reader, residual, {
      key: `U${key}:`,
      values,
      sql: placeholders => `${updateOf(table, 'list')} ${assignments.sql(placeholders)}`
    })
  }
  const { statement, values } = statementOf(reader, where, assignments)
  return chain(statement.run(values), ({ changes }) => changes)
}

/**
 * The statement that sets values on the rows of a condition that the database judges; undefined when nothing is to
 * change.
 * @param returning what is wanted of these rows
 */
export function updateStatement (
  reader: Reader, where: Condition | undefined, changes: Readonly<Row>, returning: string
): Prepared | undefined {
  const assignments = assignmentsOf(reader.table, changes)
  return assignments && statementOf(reader, where, assignments, returning)
}

function statementOf (
  { connection, table }: Reader, where: Condition | undefined, assignments: Assignments, returning?: string
): Prepared {
  const builder = new StatementBuilder(`${table.number}${returning === undefined ? 'U' : 'Ur'}${assignments.key}:`)
  builder.values.push(...assignments.values)
  collectCondition(where, table, builder)
  const statement = connection.prepared(builder.key) ?? connection.prepare(builder.key, updateSql())
  return { statement, values: builder.values }

  function updateSql (): string {
    const placeholders = new Placeholders(table.dialect)
    const sql = `${updateOf(table, where)} ${assignments.sql(placeholders)}${whereSql(where, table, placeholders)}`
    return returning === undefined ? sql : `${sql} RETURNING ${returning}`
  }
}

/** Sets values on the row with this id and gives the whole row after that, or undefined when there is none. */
export function updateRow (
  connection: Connection,
  table: Table,
  id: Id,
  changes: Readonly<Row>,
  { also, ifVersion }: StoreOptions
): MaybePromise<Row | undefined> {
  const projection = table.projection(table.whole)
  const prepared = prepareUpdate(connection, table, id, changes, projection, 'rows', also, ifVersion)
  if (prepared === undefined) return readRow(connection, table, id, table.whole)
  if (!table.guarantees.returnsUpdated) {
    return updateThenRead(
      connection, table, id, changes, within => readRow(within, table, id, table.whole), ifVersion
    )
  }
  return chain(prepared.statement.get(prepared.values), raw => (raw === undefined ? undefined : projection.row(raw)))
}

/** The same, giving the JSON text of a selection. */
export function updateRowText (
  connection: Connection,
  table: Table,
  id: Id,
  changes: Readonly<Row>,
  select: Selection,
  { also, ifVersion }: StoreOptions
): MaybePromise<string | undefined> {
  const projection = table.projection(select)
  const prepared = prepareUpdate(connection, table, id, changes, projection, 'json', also, ifVersion)
  if (prepared === undefined) return readRowText(connection, table, id, select)
  if (!table.guarantees.returnsUpdated) {
    return updateThenRead(connection, table, id, changes, within => readRowText(within, table, id, select), ifVersion)
  }
  return chain(prepared.statement.get(prepared.values), raw => (raw === undefined ? undefined : projection.json(raw)))
}

function updateThenRead<T> (
  connection: Connection,
  table: Table,
  id: Id,
  changes: Readonly<Row>,
  read: (connection: Connection) => MaybePromise<T | undefined>,
  ifVersion?: number
): MaybePromise<T | undefined> {
  const whole = table.projection(table.whole)
  return thenRead(connection, within => {
    const { statement, values } = prepareUpdate(
      within, table, id, changes, whole, 'rows', undefined, ifVersion
    ) as Prepared
    return chain(statement.run(values), ({ changes }) => changes === 0 ? undefined : id)
  }, read)
}

/** Undefined when nothing is to change, or no row can have the id. */
function prepareUpdate (
  connection: Connection,
  table: Table,
  id: Id,
  changes: Readonly<Row>,
  projection: Projection,
  kind: 'rows' | 'json',
  also?: StoreOptions['also'],
  ifVersion?: number
): Prepared | undefined {
  const bound = boundKey(table, id, also)
  const assignments = bound === undefined ? undefined : assignmentsOf(table, changes)
  if (assignments === undefined || bound === undefined) return undefined
  const { byKey } = bound
  assignments.values.push(...bound.values)
  const seen = seenVersion(table, ifVersion)
  if (seen !== '') assignments.values.push(ifVersion)
  const kept = `${byKey ? 'k' : ''}${seen === '' ? '' : 'w'}`
  const key = `${table.number}${kind === 'rows' ? 'u' : 'v'}${kept}${projection.number}:${assignments.key}`
  return { statement: connection.prepared(key) ?? connection.prepare(key, updateSql()), values: assignments.values }

  function updateSql (): string {
    const placeholders = new Placeholders(table.dialect)
    const set = (assignments as Assignments).sql(placeholders)
    const update = `UPDATE ${table.quoted} SET ${set} WHERE ${idIs(table, placeholders, byKey)}` +
      (seen === '' ? '' : `${seen}${placeholders.next()}`)
    if (!table.guarantees.returnsUpdated) return update
    return `${update} RETURNING ${kind === 'rows' ? projection.list : projection.jsonList}`
  }
}
