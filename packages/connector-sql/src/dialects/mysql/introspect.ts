/** A table as it stands in the database. */
import { namesApart, type ActualColumn, type ActualTable, type IndexDesign } from '../../migration/design.js'
import type { TableName } from '../../tables/naming.js'
import type { Connection } from '../driver.js'
import { isNonBlank, nonBlankOf } from './migrate.js'

const findTable = `SELECT table_name, table_type FROM information_schema.tables
  WHERE table_schema = COALESCE(?, DATABASE()) AND LOWER(table_name) = LOWER(?) ORDER BY BINARY table_name <> BINARY ? LIMIT 1`

const findColumns = `SELECT column_name, CONCAT(column_type, COALESCE(CONCAT(' ', collation_name), '')), generation_expression IS NOT NULL AND generation_expression <> ''
  FROM information_schema.columns WHERE table_schema = COALESCE(?, DATABASE()) AND BINARY table_name = BINARY ? ORDER BY ordinal_position`

const findIndexes = `SELECT index_name, non_unique, column_name, collation = 'D' FROM information_schema.statistics
  WHERE table_schema = COALESCE(?, DATABASE()) AND BINARY table_name = BINARY ? ORDER BY index_name, seq_in_index`

const findNames = 'SELECT table_name FROM information_schema.tables WHERE table_schema = COALESCE(?, DATABASE())'

/** Names of all tables and views of a database. */
export async function tableNames (connection: Connection, schema: string | undefined): Promise<string[]> {
  return (await connection.query(findNames, [schema ?? null])).map(([name]) => String(name))
}

/** The table or view with this name, in whatever case; undefined when there is none. */
export async function introspectTable (
  connection: Connection, { schema, name }: TableName
): Promise<ActualTable | undefined> {
  const place = schema ?? null
  const [found] = await connection.query(findTable, [place, name, name])
  if (found === undefined) return undefined
  const [table, kind] = found as [string, string]
  const indexes = indexesOf(
    (await connection.query(findIndexes, [place, table])) as Array<[string, unknown, string | null, unknown]>
  )
  const keys = indexes.find(({ name }) => name === 'PRIMARY')?.columns.map(({ name }) => name) ?? []
  const columns = (await connection.query(findColumns, [place, table]))
    .filter(([column, , generated]) => Number(generated) !== 1 || !isNonBlank(column as string))
    .map(([column, type, generated]): ActualColumn => ({
      name: column as string,
      type: String(type),
      keyPosition: keys.indexOf(column as string) + 1,
      ...(Number(generated) === 1 ? { computed: true } : {})
    }))
  return { name: table, isView: /VIEW/.test(kind), columns, indexes, storedBy: namesApart(columns) }
}

/** Indexes on plain columns; those on expressions are somebody else's business. */
function indexesOf (rows: ReadonlyArray<[string, unknown, string | null, unknown]>): IndexDesign[] {
  const indexes = new Map<string, IndexDesign & { columns: Array<{ name: string, descending: boolean }> }>()
  const others = new Set<string>()
  for (const [name, nonUnique, column, descending] of rows) {
    if (column === null) { others.add(name); continue }
    const index = indexes.get(name) ?? {
      name,
      unique: Number(nonUnique) === 0,
      ...(isNonBlank(column) ? { exceptBlank: true } : {}),
      columns: []
    }
    index.columns.push({ name: isNonBlank(column) ? nonBlankOf(column) : column, descending: Number(descending) === 1 })
    indexes.set(name, index)
  }
  return [...indexes.values()].filter(({ name }) => !others.has(name))
}
