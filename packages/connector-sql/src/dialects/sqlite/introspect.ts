/** A table as it stands in the file. */
import { namesApart, type ActualColumn, type ActualTable, type IndexDesign } from '../../migration/design.js'
import type { SqliteConnection } from './connection.js'
import { textOr } from '../catalogue.js'
import { isRowNumber, lacksRowNumber, namedChecksIn } from './create-table.js'
import { textIndexesOf, triggersOf } from './text-search.js'
import { nameBefore } from '../name-before.js'

/** A connection that enforces foreign keys does not, for a while; not within a transaction. */
export function keysUnchecked (connection: SqliteConnection): { before: string, after: string } | undefined {
  const [row] = connection.query('PRAGMA foreign_keys', [])
  return Number(row?.[0]) === 1
    ? { before: 'PRAGMA foreign_keys = OFF', after: 'PRAGMA foreign_keys = ON' }
    : undefined
}

/** Names of all tables and views. */
export const tableNames = (connection: SqliteConnection): string[] =>
  connection.query("SELECT name FROM sqlite_schema WHERE type IN ('table', 'view')", []).map(([name]) => String(name))

/** The table or view with this name, in whatever case; undefined when there is none. */
export function introspectTable (connection: SqliteConnection, name: string): ActualTable | undefined {
  const tables =
    "SELECT name, type, sql FROM sqlite_schema WHERE type IN ('table', 'view') AND lower(name) = lower(?) ORDER BY name <> ? LIMIT 1"
  const [found] = connection.query(tables, [name, name])
  if (found === undefined) return undefined
  const table = found[0] as string
  const isView = found[1] === 'view'
  const hasRowNumber = !isView && !lacksRowNumber(String(found[2]))
  const rows = connection.query(
    'SELECT name, type, pk, hidden, dflt_value FROM pragma_table_xinfo(?) WHERE hidden <> 1 ORDER BY cid', [table]
  )
  const hasOneKey = hasRowNumber && rows.filter(([, , pk]) => Number(pk) > 0).length === 1
  const columns = rows.map(([column, type, pk, hidden, expression]): ActualColumn => ({
    name: column as string,
    type: type as string,
    keyPosition: Number(pk),
    ...(Number(hidden) > 1
      ? { computed: true }
      : givenBy(hasOneKey && Number(pk) > 0 && isRowNumber(type), textOr(expression)))
  }))
  const storedBy = storedByOf(columns, hasRowNumber)
  const texts = isView ? [] : textIndexesOf(connection, table)
  const indexes = [...indexesOf(connection, table), ...texts]
  const rules = isView ? [] : rulesOf(String(found[2]), columns)
  const triggers = !isView && hasTriggers(connection, table, triggersOf(texts)) ? 'unseen' : undefined
  // Its rows are found by their number.
  const refusesTextIndex = !hasRowNumber || storedBy !== undefined
  return { name: table, isView, columns, indexes, refusesTextIndex, rules, storedBy, triggers }
}

/** Other than those of text indexes. RETURNING knows nothing of what they do: https://www.sqlite.org/lang_returning.html, 2.1 */
const hasTriggers = (connection: SqliteConnection, table: string, except: readonly string[]): boolean => connection
  .query("SELECT name, sql FROM sqlite_schema WHERE type = 'trigger' AND tbl_name = ?", [table])
  .some(([name, sql]) => !except.includes(String(name)) && !/\bDELETE\s+ON\b/i.test(String(sql).split(/\bBEGIN\b/i)[0] as string))

function givenBy (isCounted: boolean, expression: string | undefined): Pick<ActualColumn, 'gives'> {
  if (isCounted) return { gives: 'number' }
  return expression === undefined || /^null$/i.test(expression) ? {} : { gives: 'default' }
}

/** Checks, by their name or (what errors say of those without) their text. */
const rulesOf = (sql: string, columns: readonly ActualColumn[]): NonNullable<ActualTable['rules']> =>
  namedChecksIn(sql).map(({ name, expression }) => {
    const words = new Set(expression.toLowerCase().match(/[\w$]+/g))
    return {
      name: name ?? expression.trim(),
      columns: columns.map(({ name }) => name).filter(name => words.has(name.toLowerCase()))
    }
  })

/** What the number of a row can be called, unless a column is: https://www.sqlite.org/lang_createtable.html#rowid */
const rowNumbers = ['rowid', '_rowid_', 'oid']

/** Undefined: by the number of the row, under its first name. */
function storedByOf (columns: readonly ActualColumn[], hasRowNumber: boolean): readonly string[] | undefined {
  const taken = new Set(columns.map(({ name }) => name.toLowerCase()))
  const rowNumber = hasRowNumber ? rowNumbers.find(name => !taken.has(name)) : undefined
  if (rowNumber !== undefined) return rowNumber === rowNumbers[0] ? undefined : [rowNumber]
  // A key may be null in several rows that have a number as well.
  return hasRowNumber ? columns.map(({ name }) => name) : namesApart(columns)
}

/**
 * Indexes on plain columns; those on expressions, or on other parts of the rows than ours, are somebody else's
 * business.
 */
function indexesOf (connection: SqliteConnection, table: string): IndexDesign[] {
  const indexes: IndexDesign[] = []
  const listed = connection.query(
    'SELECT list.name, list."unique", list.partial, made.sql FROM pragma_index_list(?) list LEFT JOIN sqlite_schema made ON made.name = list.name ' +
      "WHERE partial = 0 OR made.sql LIKE '% WHERE % <> ''''%' OR made.sql LIKE '% WHERE % IS NULL' ORDER BY seq",
    [table]
  )
  for (const [name, unique, partial, sql] of listed) {
    const columns = connection
      .query('SELECT name, "desc" FROM pragma_index_xinfo(?) WHERE key = 1 ORDER BY seqno', [name])
      .map(([column, descending]) => ({ name: column as string | null, descending: Number(descending) === 1 }))
    if (columns.every((column): column is IndexDesign['columns'][number] => column.name !== null)) {
      indexes.push({
        name: name as string,
        unique: Number(unique) === 1,
        ...(Number(partial) === 1 ? partIn(String(sql)) : {}),
        columns
      })
    }
  }
  return indexes
}

/** Which rows one of our indexes holds, by the statement that made it. */
function partIn (sql: string): Pick<IndexDesign, 'exceptBlank' | 'live'> {
  const part = sql.slice(sql.lastIndexOf(') WHERE '))
  const live = part.endsWith('" IS NULL') ? nameBefore(' IS NULL', part) : undefined
  return {
    ...(part.includes(" <> ''") ? { exceptBlank: true } : {}),
    ...(live === undefined ? {} : { live })
  }
}
