/** DELETE. */
import { chain, type Condition, type MaybePromise } from '@fastback/core'
import type { Session } from '../dialects/dialect.js'
import { collectCondition, whereSql } from '../query/condition.js'
import { Placeholders, Shape } from '../query/shape.js'
import { sieveOf } from '../query/sieve.js'
import type { Table } from '../tables/table.js'
import { changeSifted } from './sifted.js'

/** Removes every row that matches; how many did. */
export function deleteRows (session: Session, table: Table, where: Condition | undefined): MaybePromise<number> {
  const sieve = sieveOf(table, where)
  if (sieve !== undefined) {
    return changeSifted(session, table, sieve, { key: 'D', values: [], sql: () => `DELETE FROM ${table.quoted}` })
  }
  const shape = new Shape(`${table.number}D`)
  collectCondition(where, table, shape)
  const statement = session.prepared(shape.key) ??
    session.prepare(shape.key, `DELETE FROM ${table.quoted}${whereSql(where, table, new Placeholders(table.dialect))}`)
  return chain(statement.run(shape.values), ({ changes }) => changes)
}
