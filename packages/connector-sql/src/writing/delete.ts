/** DELETE. */
import type { Condition, MaybePromise } from '@fastback/core'
import { chain } from '@fastback/core/connector'
import { collectCondition, whereSql } from '../query/condition.js'
import type { Prepared } from '../query/select.js'
import { Placeholders, StatementBuilder } from '../query/statement-builder.js'
import { residualFilterOf } from '../query/residual-filter.js'
import type { Reader } from '../reading/reader.js'
import { deleteOf } from './changed-table.js'
import { changeFiltered } from './filtered-change.js'

/** Removes every row that matches; how many did. */
export function deleteRows (reader: Reader, where: Condition | undefined): MaybePromise<number> {
  const { table } = reader
  const residual = residualFilterOf(table, where, reader.work)
  if (residual !== undefined) {
    return changeFiltered(reader, residual, { key: 'D', values: [], sql: () => deleteOf(table, 'list') })
  }
  const { statement, values } = deleteStatement(reader, where)
  return chain(statement.run(values), ({ changes }) => changes)
}

/** @param returning what is wanted of the rows that it removes */
export function deleteStatement (
  { connection, table }: Reader, where: Condition | undefined, returning?: string
): Prepared {
  const builder = new StatementBuilder(`${table.number}${returning === undefined ? 'D' : 'Dr'}`)
  collectCondition(where, table, builder)
  const statement = connection.prepared(builder.key) ?? connection.prepare(builder.key, deleteSql())
  return { statement, values: builder.values }

  function deleteSql (): string {
    const sql = `${deleteOf(table, where)}${whereSql(where, table, new Placeholders(table.dialect))}`
    return returning === undefined ? sql : `${sql} RETURNING ${returning}`
  }
}
