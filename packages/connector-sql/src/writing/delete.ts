/** DELETE. */
import type { Condition, MaybePromise } from '@fastback/core'
import { chain } from '@fastback/core/connector'
import { collectCondition, whereSql } from '../query/condition.js'
import { Placeholders, StatementBuilder } from '../query/statement-builder.js'
import { residualFilterOf } from '../query/residual-filter.js'
import type { Reader } from '../reading/reader.js'
import { deleteOf } from './changed-table.js'
import { changeFiltered } from './filtered-change.js'

/** Removes every row that matches; how many did. */
export function deleteRows (reader: Reader, where: Condition | undefined): MaybePromise<number> {
  const { connection, table } = reader
  const residual = residualFilterOf(table, where, reader.work)
  if (residual !== undefined) {
    return changeFiltered(reader, residual, { key: 'D', values: [], sql: () => deleteOf(table, 'list') })
  }
  const builder = new StatementBuilder(`${table.number}D`)
  collectCondition(where, table, builder)
  const statement = connection.prepared(builder.key) ?? connection.prepare(builder.key, deleteSql())
  return chain(statement.run(builder.values), ({ changes }) => changes)

  function deleteSql (): string {
    return `${deleteOf(table, where)}${whereSql(where, table, new Placeholders(table.dialect))}`
  }
}
