/** The catalogue of MySQL and MariaDB. */
import { quoteText } from './quote.js'
import { wordsPrefix } from './text-search.js'
import {
  byName, byTable, maxTables, numberOrNull, textOr, compoundKeys,
  type Catalogue, type CatalogueColumn, type CatalogueForeignKey, type CatalogueIndex, type CatalogueTable
} from '../catalogue.js'

/** `FIND_IN_SET` would split names at commas: the names come as JSON. */
const inScope = (table: string): string =>
  `BINARY ${table}.table_schema = BINARY ? AND (? IS NULL OR JSON_CONTAINS(?, JSON_QUOTE(${table}.table_name)))`

/** What a text index has for itself is no column of the application's. */
const isOfWords = (column: string): string =>
  `COALESCE(LEFT(${column}, ${wordsPrefix.length}) = ${quoteText(wordsPrefix)}, FALSE)`

const findTables = `SELECT t.table_name, t.table_type, IF(t.table_type LIKE '%VIEW', NULL, t.table_comment) FROM information_schema.tables t
  WHERE ${inScope('t')} AND t.table_type IN ('BASE TABLE', 'VIEW', 'SYSTEM VERSIONED') ORDER BY BINARY t.table_name LIMIT ${maxTables}`

const findColumns = `SELECT c.table_name, c.column_name, c.data_type, c.column_type, c.character_maximum_length, c.numeric_precision, c.numeric_scale,
    c.is_nullable, c.column_default, c.extra, c.column_comment, c.generation_expression
  FROM information_schema.columns c WHERE ${inScope('c')} AND NOT (c.extra LIKE '%GENERATED%' AND ${isOfWords('c.column_name')}) ORDER BY BINARY c.table_name, c.ordinal_position`

const findIndexes = `SELECT s.table_name, s.index_name, s.non_unique, s.column_name, s.collation FROM information_schema.statistics s
  WHERE ${inScope('s')} AND NOT ${isOfWords('s.column_name')} AND NOT EXISTS (SELECT 1 FROM information_schema.statistics e WHERE e.table_schema = s.table_schema AND e.table_name = s.table_name
    AND e.index_name = s.index_name AND (e.column_name IS NULL OR e.sub_part IS NOT NULL)) ORDER BY BINARY s.table_name, BINARY s.index_name, s.seq_in_index`

const findChecks = `SELECT t.table_name, c.check_clause FROM information_schema.check_constraints c
  JOIN information_schema.table_constraints t ON t.constraint_schema = c.constraint_schema AND t.constraint_name = c.constraint_name
  WHERE ${inScope('t')} ORDER BY BINARY t.table_name, BINARY c.constraint_name`
/** On MariaDB names of checks are unique in their table only. */
const findChecksOfMariaDb = findChecks.replace('AND t.constraint_name = c.constraint_name', '$& AND t.table_name = c.table_name')

const findForeignKeys = `SELECT k.table_name, k.constraint_name, k.column_name, r.delete_rule, r.update_rule,
    k.referenced_table_schema, k.referenced_table_name, r.unique_constraint_name, k.referenced_column_name
  FROM information_schema.key_column_usage k JOIN information_schema.referential_constraints r
    ON r.constraint_schema = k.constraint_schema AND r.constraint_name = k.constraint_name AND r.table_name = k.table_name
  WHERE ${inScope('k')} AND k.referenced_table_name IS NOT NULL ORDER BY BINARY k.table_name, BINARY k.constraint_name, k.ordinal_position`

const system = "'information_schema', 'mysql', 'performance_schema', 'sys'"

export const catalogue: Catalogue = {
  async currentSchema (connection) {
    const [row] = await connection.query('SELECT DATABASE()', [])
    return String(row?.[0])
  },

  async schemas (connection) {
    const rows = await connection.query(
      `SELECT catalog_name, schema_name FROM information_schema.schemata WHERE schema_name NOT IN (${system}) ORDER BY BINARY schema_name`, []
    )
    return rows.map(([catalog, schema]) => ({ catalog: String(catalog), schema: String(schema) }))
  },

  async tables (connection, { schema: given, tables: names }) {
    const schema = given ?? await this.currentSchema(connection)
    const wanted = names === undefined ? null : JSON.stringify(names)
    const values = [schema, wanted, wanted ?? '[]']
    const tables = await connection.query(findTables, values)
    if (tables.length === 0) return []
    const [version] = await connection.query('SELECT VERSION()', [])
    const isMariaDb = /mariadb/i.test(String(version?.[0]))
    const columns = byTable(await connection.query(findColumns, values), row => columnOf(row, isMariaDb))
    const indexes = byTable(await connection.query(findIndexes, values), indexOf)
    const checks = byTable(
      await connection.query(isMariaDb ? findChecksOfMariaDb : findChecks, values), row => String(row[1])
    )
    const foreignKeys = byTable(await connection.query(findForeignKeys, values), foreignKeyOf)
    return tables.map(([raw, kind, comment]): CatalogueTable => {
      const name = String(raw)
      const all = byName(indexes.get(name) ?? [])
      const primary = all.find(index => index.name === 'PRIMARY')
      return {
        schema,
        name,
        kind: /VIEW$/.test(String(kind)) ? 'view' : 'table',
        comment: textOr(comment),
        columns: columns.get(name) ?? [],
        primaryKey: primary,
        indexes: all.filter(index => index !== primary),
        checks: checks.get(name) ?? [],
        foreignKeys: compoundKeys(foreignKeys.get(name) ?? [])
      }
    })
  }
}

function columnOf (row: unknown[], isMariaDb: boolean): CatalogueColumn {
  const [, name, dataType, fullType, length, precision, scale, nullable, byDefault, extra, comment, expression] = row
  const isComputed = textOr(expression) !== undefined
  const type = String(fullType)
  return {
    name: String(name),
    dataType: String(dataType),
    fullType: type,
    length: numberOrNull(length),
    precision: numberOrNull(precision),
    scale: numberOrNull(scale),
    nullable: nullable === 'YES',
    default: isComputed ? undefined : defaultOf(byDefault, String(extra), isMariaDb),
    generated: isComputed ? 'computed' : /auto_increment/i.test(String(extra)) ? 'counted' : undefined,
    comment: textOr(comment),
    values: /^(?:enum|set)\(/i.test(type) ? textsIn(type) : undefined,
    items: undefined
  }
}

/** MariaDB writes defaults as expressions, MySQL writes texts as they are. */
function defaultOf (raw: unknown, extra: string, isMariaDb: boolean): string | undefined {
  const text = raw === null || raw === undefined ? undefined : String(raw)
  if (text === undefined || (isMariaDb && text.toUpperCase() === 'NULL')) return undefined
  if (isMariaDb || /DEFAULT_GENERATED/i.test(extra)) return text
  return /^-?\d+(?:\.\d+)?$/.test(text) ? text : `'${text.replaceAll("'", "''")}'`
}

/** The texts of `enum('a','it''s')`. */
const textsIn = (type: string): string[] =>
  [...type.matchAll(/'((?:[^']|'')*)'/g)].map(([, text]) => (text as string).replaceAll("''", "'"))

const indexOf = ([, name, nonUnique, column, order]: unknown[]): CatalogueIndex => ({
  name: String(name),
  unique: Number(nonUnique) === 0,
  columns: [String(column)],
  ...(order === 'D' ? { descending: [String(column)] } : {})
})

function foreignKeyOf (row: unknown[]): CatalogueForeignKey {
  const [, name, column, onDelete, onUpdate, schema, table, , targetColumn] = row.map(String)
  return {
    name: name as string,
    columns: [column as string],
    onDelete: onDelete as string,
    onUpdate: onUpdate as string,
    target: {
      schema: schema as string,
      table: table as string,
      keyName: textOr(row[7]) ?? null,
      columns: [targetColumn as string]
    }
  }
}
