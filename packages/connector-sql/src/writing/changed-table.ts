/** What UPDATE and DELETE begin with. */
import type { Condition } from '@fastback/core'
import type { Table } from '../tables/table.js'

/** `UPDATE "Note" SET`, for rows that a condition finds. */
export const updateOf = (table: Table, where: Condition | undefined | 'list'): string =>
  `UPDATE ${isByList(where) ? table.dialect.changeByList?.update(table) ?? table.quoted : table.quoted} SET`

/** `DELETE FROM "Note"`, for rows that a condition finds. */
export function deleteOf (table: Table, where: Condition | undefined | 'list'): string {
  const byList = isByList(where) ? table.dialect.changeByList?.delete(table) : undefined
  return byList === undefined ? `DELETE FROM ${table.quoted}` : `DELETE ${byList}`
}

function isByList (where: Condition | undefined | 'list'): boolean {
  if (where === undefined || where === 'list') return where === 'list'
  return 'conditions' in where ? where.conditions.some(isByList) : where.kind === 'in'
}
