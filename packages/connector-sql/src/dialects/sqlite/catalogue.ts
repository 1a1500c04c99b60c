/** The catalogue of SQLite. Its only schema is `main`. */
import {
  byName, maxTables, textOr, compoundKeys,
  type Catalogue, type CatalogueColumn, type CatalogueForeignKey, type CatalogueIndex, type CatalogueTable
} from '../catalogue.js'
import type { SqliteConnection } from './connection.js'
import { checksIn, definitionParts, isRowNumber, lacksRowNumber } from './create-table.js'

const findTables = `SELECT name, type, sql FROM sqlite_schema WHERE type IN ('table', 'view') AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\'
  AND name NOT IN (SELECT name FROM pragma_table_list WHERE type = 'shadow' OR (type = 'virtual' AND sql LIKE '% USING fts5(%'))
  AND (?1 IS NULL OR name IN (SELECT value FROM json_each(?1))) ORDER BY name LIMIT ${maxTables}`

export const catalogue: Catalogue = {
  currentSchema: () => 'main',

  schemas: () => [{ catalog: 'main', schema: 'main' }],

  tables (given, { schema = 'main', tables: names }) {
    if (schema !== 'main') return []
    const connection = given as SqliteConnection
    return connection.query(findTables, [names === undefined ? null : JSON.stringify(names)])
      .map(([name, kind, sql]) => tableOf(connection, String(name), kind === 'view', String(sql)))
  }
}

function tableOf (connection: SqliteConnection, name: string, isView: boolean, sql: string): CatalogueTable {
  const rows = connection.query('SELECT name, type, "notnull", dflt_value, pk, hidden FROM pragma_table_xinfo(?) WHERE hidden <> 1 ORDER BY cid', [name])
  const keys = rows.filter(row => Number(row[4]) > 0).sort((a, b) => Number(a[4]) - Number(b[4]))
  const rowId = keys.length === 1 && isRowNumber(keys[0]?.[1]) && !lacksRowNumber(sql)
    ? keys[0]?.[0]
    : undefined
  return {
    schema: 'main',
    name,
    kind: isView ? 'view' : 'table',
    comment: undefined,
    columns: rows.map(row => columnOf(row, row[0] === rowId)),
    primaryKey: keys.length === 0 ? undefined : { name: 'PRIMARY', columns: keys.map(row => String(row[0])) },
    indexes: isView ? [] : indexesOf(connection, name),
    checks: isView ? [] : checksIn(sql),
    foreignKeys: isView ? [] : foreignKeysOf(connection, name, sql)
  }
}

function columnOf ([name, declared, notNull, byDefault, pk, hidden]: unknown[], isCounted: boolean): CatalogueColumn {
  const fullType = String(declared).toLowerCase()
  const [, written = '', first, second] = /^([^(]*)(?:\(\s*(\d+)\s*(?:,\s*(\d+)\s*)?\))?$/.exec(fullType) ?? []
  const dataType = written.trimEnd()
  const isText = /char|clob|text/.test(dataType)
  return {
    name: String(name),
    dataType,
    fullType,
    length: isText && first !== undefined ? Number(first) : null,
    precision: !isText && first !== undefined ? Number(first) : null,
    scale: second === undefined ? null : Number(second),
    // The columns of a key that are not the row's number may be null in SQLite; nobody means that.
    nullable: Number(notNull) === 0 && Number(pk) === 0,
    default: textOr(byDefault),
    generated: Number(hidden) > 1 ? 'computed' : isCounted ? 'counted' : undefined,
    comment: undefined,
    values: undefined,
    items: undefined
  }
}

function indexesOf (connection: SqliteConnection, table: string): CatalogueIndex[] {
  const parts = connection.query(
    `SELECT l.name, l."unique", x.name, x."desc" FROM pragma_index_list(?1) l, pragma_index_xinfo(l.name) x
      WHERE x.key = 1 AND l.partial = 0 AND l.origin <> 'pk' AND NOT EXISTS (SELECT 1 FROM pragma_index_xinfo(l.name) e WHERE e.key = 1 AND e.name IS NULL)
      ORDER BY l.name, x.seqno`,
    [table]
  )
  return byName(parts.map(([name, unique, column, descends]): CatalogueIndex => ({
    name: String(name),
    unique: Number(unique) === 1,
    columns: [String(column)],
    ...(Number(descends) === 1 ? { descending: [String(column)] } : {})
  })))
}

/** SQLite forgets the names of foreign keys; the text of the statement has them. */
function foreignKeysOf (connection: SqliteConnection, table: string, sql: string): CatalogueForeignKey[] {
  const names = namesOfKeys(sql)
  const rows = connection.query(
    'SELECT id, "from", "table", coalesce("to", (SELECT name FROM pragma_table_info(f."table") WHERE pk = f.seq + 1)), on_delete, on_update FROM pragma_foreign_key_list(?) f ORDER BY id, seq',
    [table]
  )
  const columnsOf = (id: unknown): string => rows.filter(row => row[0] === id).map(row => String(row[1])).join('_')
  const parts = rows.map(([id, column, target, other, onDelete, onUpdate]): CatalogueForeignKey => ({
    name: names.get(columnsOf(id).toLowerCase()) ?? `${table}_${columnsOf(id)}_fkey`,
    columns: [String(column)],
    onDelete: String(onDelete),
    onUpdate: String(onUpdate),
    target: { schema: 'main', table: String(target), keyName: null, columns: [String(other)] }
  }))
  return compoundKeys(parts).sort((a, b) => a.name < b.name ? -1 : 1)
}

const unquoted = (name: string): string => name.trim().replace(/^["`[]|["`\]]$/g, '')

/** `CONSTRAINT name FOREIGN KEY (a, b)` and `a integer CONSTRAINT name REFERENCES …`, by the columns. */
function namesOfKeys (sql: string): Map<string, string> {
  const names = new Map<string, string>()
  for (const part of definitionParts(sql)) {
    const [, table, columns] = /^constraint\s+("[^"]+"|`[^`]+`|\[[^\]]+\]|\w+)\s+foreign\s+key\s*\(([^)]*)\)/i.exec(part) ?? []
    const [, column] = /^("[^"]+"|`[^`]+`|\[[^\]]+\]|\w+)\s/.exec(part) ?? []
    const [, own] = /\sconstraint\s+("[^"]+"|`[^`]+`|\[[^\]]+\]|\w+)\s+references\b/i.exec(part) ?? []
    if (table !== undefined) names.set((columns as string).split(',').map(unquoted).join('_').toLowerCase(), unquoted(table))
    else if (column !== undefined && own !== undefined) names.set(unquoted(column).toLowerCase(), unquoted(own))
  }
  return names
}
