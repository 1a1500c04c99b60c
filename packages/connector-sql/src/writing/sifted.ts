/** Changes of rows that JavaScript finds: these are locked while it looks at them, so that the change is as atomic as one statement. */
import { chain, type MaybePromise } from '@fastback/core'
import type { RowKey, Session } from '../dialects/dialect.js'
import { Placeholders } from '../query/shape.js'
import type { Sieve } from '../query/sieve.js'
import { writeSifting } from '../reading/sifted.js'
import type { Table } from '../tables/table.js'

/** UPDATE or DELETE up to its WHERE. */
export interface Change {
  readonly key: string
  readonly values: readonly unknown[]
  sql (placeholders: Placeholders): string
}

/** Makes a change to the rows that a sieve lets through; how many these are. */
export function changeSifted (session: Session, table: Table, sieve: Sieve, change: Change): MaybePromise<number> {
  const rowKey = table.dialect.rowKey as RowKey
  return session.atomically(within => {
    const keys: unknown[] = []
    const { key, values, sql } = writeSifting(table, sieve, [rowKey.read(table), ...sieve.sources], 'l', table.dialect.rowLock)
    return chain(within.scan(key, sql(), values, rows => {
      for (const raw of rows) if (sieve.passes(sieve.row(raw, 1))) keys.push(raw[0])
      return true
    }), () => keys.length === 0 ? 0 : changeRows(within, table, rowKey, keys, change))
  })
}

function changeRows (session: Session, table: Table, rowKey: RowKey, keys: readonly unknown[], change: Change): MaybePromise<number> {
  const key = `${table.number}K${change.key}`
  const placeholders = new Placeholders(table.dialect)
  const statement = session.prepared(key) ?? session.prepare(key, `${change.sql(placeholders)} WHERE ${rowKey.isIn(table, placeholders.next())}`)
  return chain(statement.run([...change.values, rowKey.list(keys)]), ({ changes }) => changes)
}
