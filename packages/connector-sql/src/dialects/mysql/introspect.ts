/** A table as it stands in the database. */
import { namesApart, type ActualColumn, type ActualTable, type IndexDesign } from '../../migration/design.js'
import type { TableName } from '../../tables/table-name.js'
import { textOr } from '../catalogue.js'
import type { Connection } from '../driver.js'
import { isLive, isNonBlank, liveOf, nonBlankOf } from './migrate.js'
import { hasWords, textIndexOf, withLengths } from './text-search.js'

/** With whether there are triggers that change rows before they are written. */
const findTable = `SELECT t.table_name, t.table_type, EXISTS (SELECT 1 FROM information_schema.triggers g
    WHERE g.event_object_schema = t.table_schema AND g.event_object_table = t.table_name
      AND g.action_timing = 'BEFORE' AND g.event_manipulation <> 'DELETE')
  FROM information_schema.tables t WHERE t.table_schema = COALESCE(?, DATABASE()) AND LOWER(t.table_name) = LOWER(?)
  ORDER BY BINARY t.table_name <> BINARY ? LIMIT 1`

const findColumns = `SELECT column_name, CONCAT(column_type, COALESCE(CONCAT(' ', collation_name), '')), generation_expression IS NOT NULL AND generation_expression <> '',
    extra LIKE '%auto_increment%', column_default
  FROM information_schema.columns WHERE table_schema = COALESCE(?, DATABASE()) AND BINARY table_name = BINARY ? ORDER BY ordinal_position`

const findIndexes = `SELECT index_name, non_unique, column_name, collation = 'D', index_comment FROM information_schema.statistics
  WHERE table_schema = COALESCE(?, DATABASE()) AND BINARY table_name = BINARY ? ORDER BY index_name, seq_in_index`

const findRules = `SELECT c.constraint_name, c.check_clause FROM information_schema.check_constraints c
  JOIN information_schema.table_constraints t ON t.constraint_schema = c.constraint_schema AND t.constraint_name = c.constraint_name
  WHERE t.table_schema = COALESCE(?, DATABASE()) AND BINARY t.table_name = BINARY ?`

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
  const [table, kind, triggered] = found as [string, string, unknown]
  const listed = (await connection.query(findIndexes, [place, table])) as IndexRow[]
  const indexes = await withLengths(connection, indexesOf(listed))
  const rules = (await connection.query(findRules, [place, table])).map(([name, clause]) =>
    ({ name: String(name), columns: [...String(clause).matchAll(/`([^`]+)`/g)].map(([, column]) => column as string) }))
  const keys = indexes.find(({ name }) => name === 'PRIMARY')?.columns.map(({ name }) => name) ?? []
  const columns = (await connection.query(findColumns, [place, table]))
    .filter(([column, , generated]) => Number(generated) !== 1 || !isOwn(column as string))
    .map(([column, type, generated, counted, expression]): ActualColumn => ({
      name: column as string,
      type: String(type),
      keyPosition: keys.indexOf(column as string) + 1,
      ...(Number(generated) === 1 ? { computed: true } : givenBy(Number(counted) === 1, textOr(expression)))
    }))
  const triggers = Number(triggered) === 1 ? 'returned' : undefined
  return { name: table, isView: /VIEW/.test(kind), columns, indexes, rules, storedBy: namesApart(columns), triggers }
}

/** MariaDB says NULL for none. Of UUIDs one is as good as another: MySQL does not tell which it made. */
function givenBy (isCounted: boolean, expression: string | undefined): Pick<ActualColumn, 'gives'> {
  if (isCounted) return { gives: 'number' }
  if (expression === undefined || /^null$/i.test(expression)) return {}
  return { gives: /^\(*uuid\(\)\)*$/i.test(expression) ? 'uuid' : 'default' }
}

type IndexRow = [name: string, nonUnique: unknown, column: string | null, descending: unknown, comment: unknown]

/** Whether a generated column is there for an index. */
const isOwn = (column: string): boolean => isNonBlank(column) || isLive(column) || hasWords(column)

/** Indexes on plain columns; those on expressions are somebody else's business. */
function indexesOf (rows: readonly IndexRow[]): IndexDesign[] {
  const indexes = new Map<string, IndexDesign & { columns: Array<{ name: string, descending: boolean }> }>()
  const others = new Set<string>()
  const texts: IndexDesign[] = []
  for (const [name, nonUnique, column, descending, comment] of rows) {
    const text = textIndexOf(name, comment)
    if (text !== undefined) { texts.push(text); continue }
    if (column === null) { others.add(name); continue }
    const live = liveOf(comment)
    if (live !== undefined && isLive(column)) continue
    const index = indexes.get(name) ?? {
      name,
      ...(live === undefined ? {} : { live }),
      unique: Number(nonUnique) === 0,
      ...(isNonBlank(column) ? { exceptBlank: true } : {}),
      columns: []
    }
    index.columns.push({ name: isNonBlank(column) ? nonBlankOf(column) : column, descending: Number(descending) === 1 })
    indexes.set(name, index)
  }
  return [...[...indexes.values()].filter(({ name }) => !others.has(name)), ...texts]
}
