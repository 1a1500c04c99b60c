/** SQLite's `EXPLAIN QUERY PLAN`: it names tables, indexes and columns, and no numbers of rows. */
import type { MaybePromise } from '@fastback/core'
import { chain } from '@fastback/core/connector'
import type { Connection } from '../driver.js'
import type { StatementPlan, TableAccess } from '../plan-reader.js'

export function explain (
  connection: Connection, sql: string, values: readonly unknown[]
): MaybePromise<StatementPlan> {
  return chain(connection.query(`EXPLAIN QUERY PLAN ${sql}`, values), rows => {
    const depths = new Map<number, number>()
    const lines = rows.map(([id, parent, , detail]) => {
      const depth = (depths.get(Number(parent)) ?? -1) + 1
      depths.set(Number(id), depth)
      return '  '.repeat(depth) + String(detail)
    })
    return { lines, accesses: rows.flatMap(([, , , detail]) => accessOf(String(detail))) }
  })
}

/** `SCAN Note`, `SEARCH Note USING INDEX city_1 (city=?)`; other lines are about no table. */
function accessOf (detail: string): TableAccess[] {
  const [, verb, whole] = /^(SCAN|SEARCH) (?:TABLE )?(.+)$/.exec(detail) ?? []
  if (verb === undefined || whole === undefined) return []
  const at = whole.indexOf(' USING ')
  const name = (at === -1 ? whole : whole.slice(0, at)).replace(/^.* AS /, '').replace(/ (?:LEFT-JOIN|EXISTS)$/, '')
  const using = at === -1 ? '' : whole.slice(at)
  // An index that is made for the one statement, of all rows.
  if (verb === 'SCAN' || using.startsWith(' USING AUTOMATIC')) {
    return [{ table: name, kind: verb === 'SCAN' && using !== '' ? 'inOrder' : 'all' }]
  }
  return [{ table: name, kind: 'found' }]
}
