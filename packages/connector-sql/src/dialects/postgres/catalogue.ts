/** The catalogue of PostgreSQL. Partitions are no tables of their own, materialised views are views (DO-3). */
import {
  byName, byTable, maxTables, numberOrNull, textOr, compoundKeys,
  type Catalogue, type CatalogueColumn, type CatalogueForeignKey, type CatalogueIndex, type CatalogueTable
} from '../catalogue.js'

const inScope = `n.nspname = $1::text AND ($2::text[] IS NULL OR c.relname = ANY ($2::text[]))
    AND c.relkind IN ('r', 'p', 'f', 'v', 'm') AND NOT c.relispartition`

const findTables = `SELECT c.relname, c.relkind, obj_description(c.oid, 'pg_class')
  FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace WHERE ${inScope} ORDER BY c.relname COLLATE "C" LIMIT ${maxTables}`

/** Domains are what they are made of. `information_schema` tells sizes; here they are read as it reads them. */
const findColumns = `SELECT c.relname, a.attname, format_type(base.oid, NULL), format_type(base.oid, base.typmod),
    CASE WHEN element.oid IS NOT NULL THEN 'ARRAY' WHEN base.typtype <> 'b' THEN 'USER-DEFINED' WHEN base.oid IN (700, 701) THEN 'float' ELSE format_type(base.oid, NULL) END,
    CASE WHEN base.oid IN (1042, 1043, 1560, 1562) AND base.typmod > 0 THEN CASE WHEN base.oid IN (1560, 1562) THEN base.typmod ELSE base.typmod - 4 END END,
    CASE WHEN base.oid = 1700 AND base.typmod > 4 THEN ((base.typmod - 4) >> 16) & 65535 WHEN base.oid = 700 THEN 24 WHEN base.oid = 701 THEN 53 END,
    CASE WHEN base.oid = 1700 AND base.typmod > 4 THEN (base.typmod - 4) & 65535 WHEN base.oid IN (20, 21, 23) THEN 0 END,
    a.attnotnull OR (t.typtype = 'd' AND t.typnotnull), pg_get_expr(d.adbin, d.adrelid),
    CASE WHEN a.attgenerated <> '' THEN 'computed'
      WHEN a.attidentity <> '' OR (c.relkind IN ('r', 'p') AND pg_get_serial_sequence(quote_ident(n.nspname) || '.' || quote_ident(c.relname), a.attname) IS NOT NULL) THEN 'counted' END,
    col_description(c.oid, a.attnum),
    CASE WHEN base.typtype = 'e' THEN (SELECT json_agg(e.enumlabel ORDER BY e.enumsortorder) FROM pg_enum e WHERE e.enumtypid = base.oid) END,
    CASE WHEN element.oid IS NOT NULL THEN format_type(element.oid, NULL) END, greatest(a.attndims, 1)
  FROM pg_attribute a JOIN pg_class c ON c.oid = a.attrelid JOIN pg_namespace n ON n.oid = c.relnamespace JOIN pg_type t ON t.oid = a.atttypid
    CROSS JOIN LATERAL (SELECT b.oid, b.typtype, b.typelem, b.typcategory, CASE WHEN t.typtype = 'd' THEN t.typtypmod ELSE a.atttypmod END AS typmod
      FROM pg_type b WHERE b.oid = CASE WHEN t.typtype = 'd' THEN t.typbasetype ELSE t.oid END) base
    LEFT JOIN pg_type element ON base.typcategory = 'A' AND element.oid = base.typelem
    LEFT JOIN pg_attrdef d ON d.adrelid = a.attrelid AND d.adnum = a.attnum
  WHERE ${inScope} AND a.attnum > 0 AND NOT a.attisdropped ORDER BY c.relname COLLATE "C", a.attnum`

/**
 * Primary keys, unique constraints and plain indexes (NULLS NOT DISTINCT from version 15 on); those on expressions or
 * on part of the rows are left out.
 */
const findIndexes = `SELECT c.relname, x.relname, i.indisunique, i.indisprimary, a.attname, to_jsonb(i) ->> 'indnullsnotdistinct', (i.indoption[k.position - 1] & 1) = 1
  FROM pg_index i JOIN pg_class x ON x.oid = i.indexrelid JOIN pg_class c ON c.oid = i.indrelid JOIN pg_namespace n ON n.oid = c.relnamespace
    CROSS JOIN LATERAL unnest(i.indkey::int2[]) WITH ORDINALITY k (number, position) JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum = k.number
  WHERE ${inScope} AND i.indexprs IS NULL AND i.indpred IS NULL AND i.indisvalid AND k.position <= i.indnkeyatts
  ORDER BY c.relname COLLATE "C", x.relname COLLATE "C", k.position`

const findChecks = `SELECT c.relname, pg_get_constraintdef(k.oid)
  FROM pg_constraint k JOIN pg_class c ON c.oid = k.conrelid JOIN pg_namespace n ON n.oid = c.relnamespace
  WHERE ${inScope} AND k.contype = 'c' ORDER BY c.relname COLLATE "C", k.conname COLLATE "C"`

const findForeignKeys = `SELECT c.relname, k.conname, a.attname, k.confdeltype, k.confupdtype, tn.nspname, tc.relname, tx.relname, ta.attname
  FROM pg_constraint k JOIN pg_class c ON c.oid = k.conrelid JOIN pg_namespace n ON n.oid = c.relnamespace
    JOIN pg_class tc ON tc.oid = k.confrelid JOIN pg_namespace tn ON tn.oid = tc.relnamespace LEFT JOIN pg_class tx ON tx.oid = k.conindid
    CROSS JOIN LATERAL unnest(k.conkey, k.confkey) WITH ORDINALITY p (own, other, position)
    JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum = p.own JOIN pg_attribute ta ON ta.attrelid = tc.oid AND ta.attnum = p.other
  WHERE ${inScope} AND k.contype = 'f' ORDER BY c.relname COLLATE "C", k.conname COLLATE "C", p.position`

const actions: Readonly<Record<string, string>> = {
  a: 'NO ACTION', r: 'RESTRICT', c: 'CASCADE', n: 'SET NULL', d: 'SET DEFAULT'
}

export const catalogue: Catalogue = {
  async currentSchema (connection) {
    const [row] = await connection.query('SELECT current_schema()', [])
    return String(row?.[0] ?? 'public')
  },

  async schemas (connection) {
    const rows = await connection.query(
      'SELECT current_database(), nspname FROM pg_namespace WHERE nspname <> \'information_schema\' AND nspname NOT LIKE \'pg\\_%\' ORDER BY nspname COLLATE "C"',
      []
    )
    return rows.map(([catalog, schema]) => ({ catalog: String(catalog), schema: String(schema) }))
  },

  async tables (connection, { schema: given, tables: names }) {
    const schema = given ?? await this.currentSchema(connection)
    const values = [schema, names ?? null]
    const tables = await connection.query(findTables, values)
    if (tables.length === 0) return []
    const columns = byTable(await connection.query(findColumns, values), columnOf)
    const indexes = byTable(await connection.query(findIndexes, values), indexOf)
    const checks = byTable(await connection.query(findChecks, values), row => String(row[1]))
    const foreignKeys = byTable(await connection.query(findForeignKeys, values), foreignKeyOf)
    return tables.map(([raw, kind, comment]): CatalogueTable => {
      const name = String(raw)
      const all = byName(indexes.get(name) ?? [])
      const primary = all.find(({ primary }) => primary)
      return {
        schema,
        name,
        kind: kind === 'v' || kind === 'm' ? 'view' : 'table',
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

const isTrue = (raw: unknown): boolean => raw === 't' || raw === true

function columnOf (row: unknown[]): CatalogueColumn {
  const [
    , name, dataType, fullType, loopbackType, length, precision, scale,
    notNull, byDefault, generated, comment, values, items, dimensions
  ] = row
  return {
    name: String(name),
    dataType: String(dataType),
    loopbackType: String(loopbackType),
    fullType: String(fullType),
    length: numberOrNull(length),
    precision: numberOrNull(precision),
    scale: numberOrNull(scale),
    nullable: !isTrue(notNull),
    // What counts is a default as well; who reads it wants to know that, and not how.
    default: generated === null ? textOr(byDefault) : undefined,
    generated: generated === null ? undefined : generated as 'counted' | 'computed',
    comment: textOr(comment),
    values: values === null ? undefined : JSON.parse(String(values)) as string[],
    items: items === null ? undefined : { type: String(items), dimensions: Number(dimensions) }
  }
}

const indexOf = (
  [, name, unique, primary, column, nullsEqual, descends]: unknown[]
): CatalogueIndex & { readonly primary: boolean } => ({
  name: String(name),
  unique: isTrue(unique),
  ...(nullsEqual === 'true' ? { nullsEqual: true } : {}),
  primary: isTrue(primary),
  columns: [String(column)],
  ...(isTrue(descends) ? { descending: [String(column)] } : {})
})

function foreignKeyOf (row: unknown[]): CatalogueForeignKey {
  const [, name, column, onDelete, onUpdate, schema, table, keyName, targetColumn] = row.map(String)
  return {
    name: name as string,
    columns: [column as string],
    onDelete: actions[onDelete as string] as string,
    onUpdate: actions[onUpdate as string] as string,
    target: {
      schema: schema as string,
      table: table as string,
      keyName: row[7] === null ? null : keyName as string,
      columns: [targetColumn as string]
    }
  }
}
