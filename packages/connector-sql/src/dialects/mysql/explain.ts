/**
 * MariaDB's `ANALYZE FORMAT=JSON`, for which the statement runs once more, and MySQL's `EXPLAIN FORMAT=JSON`, which
 * knows no numbers of rows but its guesses.
 */
import type { Connection } from '../driver.js'
import type { PlanReader, StatementPlan, TableAccess } from '../plan-reader.js'
import type { Server } from './flavour.js'

/** What is read of a table in a plan; its conditions, which hold values, are not. */
interface TableStep {
  readonly table_name?: string
  readonly access_type?: string
  readonly key?: string
  /** Of MariaDB: rows of one run on average, and how often it ran. */
  readonly r_rows?: number | null
  readonly r_loops?: number
}

type Line = { readonly depth: number } & ({ readonly table: TableStep } | { readonly text: string })

/** Steps that are told of beside tables. */
const steps: Readonly<Record<string, string>> = {
  filesort: 'sort',
  temporary_table: 'temporary table',
  subqueries: 'subquery',
  attached_subqueries: 'subquery',
  select_list_subqueries: 'subquery'
}

export const planReaderOf = (server: Server): PlanReader => ({
  async explain (connection: Connection, sql: string, values: readonly unknown[]): Promise<StatementPlan> {
    const { isMariaDb } = server.flavour
    const [row] = await connection.query(`${isMariaDb ? 'ANALYZE' : 'EXPLAIN'} FORMAT=JSON ${sql}`, values)
    const given = row?.[0]
    const lines = linesOf(typeof given === 'string' ? JSON.parse(given) as unknown : given, 0)
    const tables = lines.flatMap(line => 'table' in line ? [line.table] : [])
    return {
      lines: lines.map(line => '  '.repeat(line.depth) + ('table' in line ? lineOf(line.table) : line.text)),
      rowsRead: isMariaDb ? tables.reduce((sum, table) => sum + rowsReadBy(table), 0) : undefined,
      accesses: tables.flatMap(accessOf)
    }
  }
})

function linesOf (value: unknown, depth: number): Line[] {
  if (Array.isArray(value)) return value.flatMap(inner => linesOf(inner, depth))
  if (value === null || typeof value !== 'object') return []
  return Object.entries(value).flatMap(([name, inner]): Line[] => {
    if (name === 'table') return [{ depth, table: inner as TableStep }, ...linesOf(inner, depth + 1)]
    if (name === 'using_filesort' && inner === true) return [{ depth, text: 'sort' }]
    const text = Object.hasOwn(steps, name) ? steps[name] : undefined
    return text === undefined ? linesOf(inner, depth) : [{ depth, text }, ...linesOf(inner, depth + 1)]
  })
}

function lineOf ({ table_name: table, access_type: type, key, r_rows: rows, r_loops: loops = 1 }: TableStep): string {
  const how = type === 'ALL' ? 'all rows' : type ?? 'no rows'
  const counts = typeof rows === 'number' ? ` (rows ${rows}${loops === 1 ? '' : `, loops ${loops}`})` : ''
  return `${table ?? 'no table'}: ${how}${key === undefined ? '' : ` using ${key}`}${counts}`
}

/** A row that a unique key leads to is read before there is a plan. */
const rowsReadBy = ({ access_type: type, r_rows: rows, r_loops: loops = 1 }: TableStep): number =>
  Math.round((rows ?? Number(type === 'const')) * loops)

function accessOf ({ table_name: table, access_type: type }: TableStep): TableAccess[] {
  if (table === undefined || type === undefined) return []
  return [{ table, kind: type === 'ALL' ? 'all' : type === 'index' ? 'inOrder' : 'found' }]
}
