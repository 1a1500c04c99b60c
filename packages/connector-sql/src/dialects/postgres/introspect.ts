/** A table as it stands in the database. */
import { namesApart, type ActualColumn, type ActualTable, type IndexColumn, type IndexDesign } from '../../migration/design.js'
import { isNumberType } from '../../tables/naming.js'
import type { TableName } from '../../tables/table-name.js'
import type { Connection } from '../driver.js'
import { textIndexesOf } from './text-search.js'
import { nameBefore } from '../name-before.js'

const findTable = `SELECT c.oid, c.relname, c.relkind, c.relkind = 'p' OR c.relhassubclass, c.relrowsecurity FROM pg_class c
  WHERE c.relnamespace = (SELECT oid FROM pg_namespace WHERE nspname = coalesce($2::text, current_schema())) AND c.relkind IN ('r', 'p', 'f', 'v', 'm') AND lower(c.relname) = lower($1::text)
  ORDER BY c.relname <> $1::text LIMIT 1`

/** The type of a column, the one that it is made of where it is a domain, and so on. */
const made = `WITH RECURSIVE made (oid, typmod) AS (
    SELECT a.atttypid, a.atttypmod UNION ALL
    SELECT d.typbasetype, d.typtypmod FROM made JOIN pg_type d ON d.oid = made.oid AND d.typtype = 'd')`

/** Domains are what they are made of. */
const typeOfColumn = `${made}
  SELECT format_type(made.oid, made.typmod) FROM made JOIN pg_type b ON b.oid = made.oid AND b.typtype <> 'd'`

const domainsOfColumn = `${made}
  SELECT json_agg(d.typname) FROM made JOIN pg_type d ON d.oid = made.oid AND d.typtype = 'd'`

const findColumns = `SELECT a.attname, (${typeOfColumn}), coalesce(array_position(i.indkey::int2[], a.attnum), -1) + 1,
    CASE WHEN c.relkind IN ('r', 'p') THEN pg_get_serial_sequence(quote_ident(n.nspname) || '.' || quote_ident(c.relname), a.attname) END, a.attgenerated <> '',
    a.atthasdef, (${domainsOfColumn}), a.attnotnull
  FROM pg_attribute a JOIN pg_class c ON c.oid = a.attrelid JOIN pg_namespace n ON n.oid = c.relnamespace
    LEFT JOIN pg_index i ON i.indrelid = c.oid AND i.indisprimary
  WHERE a.attrelid = $1::oid AND a.attnum > 0 AND NOT a.attisdropped ORDER BY a.attnum`

/**
 * Indexes on plain columns; those on expressions, or on other parts of the rows than ours, are somebody else's
 * business.
 */
const findIndexes = `SELECT x.relname, i.indisunique, pg_get_expr(i.indpred, i.indrelid), array_to_json(array(
      SELECT json_build_array(a.attname, i.indoption[k.position - 1]) FROM unnest(i.indkey::int2[]) WITH ORDINALITY k (number, position)
        JOIN pg_attribute a ON a.attrelid = i.indrelid AND a.attnum = k.number WHERE k.position <= i.indnkeyatts ORDER BY k.position))
  FROM pg_index i JOIN pg_class x ON x.oid = i.indexrelid
  WHERE i.indrelid = $1::oid AND i.indexprs IS NULL AND i.indisvalid ORDER BY x.relname`

/** Checks, and exclusions, with their columns. */
const findRules = `SELECT c.conname, array_to_json(array(
      SELECT a.attname FROM pg_attribute a WHERE a.attrelid = c.conrelid AND a.attnum = ANY(c.conkey) ORDER BY a.attnum))
  FROM pg_constraint c WHERE c.conrelid = $1::oid AND c.contype IN ('c', 'x') ORDER BY c.conname`

/** Those that others made for rows that are added or changed: what comes after the change is in no response of it. */
const findTriggers = `SELECT bool_or((tgtype & 2) = 0) FROM pg_trigger
  WHERE tgrelid = $1::oid AND NOT tgisinternal AND tgenabled <> 'D' AND (tgtype & 20) <> 0 HAVING count(*) > 0`

const findNames = `SELECT relname FROM pg_class WHERE relkind IN ('r', 'p', 'f', 'v', 'm')
  AND relnamespace = (SELECT oid FROM pg_namespace WHERE nspname = coalesce($1::text, current_schema()))`

/** Names of all tables and views of a schema. */
export async function tableNames (connection: Connection, schema: string | undefined): Promise<string[]> {
  return (await connection.query(findNames, [schema ?? null])).map(([name]) => String(name))
}

/** The table or view of the schema with this name, in whatever case; undefined when there is none. */
export async function introspectTable (
  connection: Connection, { schema, name }: TableName
): Promise<ActualTable | undefined> {
  const [found] = await connection.query(findTable, [name, schema ?? null])
  if (found === undefined) return undefined
  const [id, table, kind, isOfSeveral, isSecured] = found as [string, string, string, string, string]
  const listed = await connection.query(findColumns, [id])
  const columns = listed.map((
    [column, type, position, given, computed, hasDefault, domains, required]
  ): ActualColumn => {
    // What a text is made with is no number, whosever the sequence is.
    const sequence = given === null || !isNumberType(type as string) ? undefined : given as string
    return {
      name: column as string,
      type: type as string,
      keyPosition: Number(position),
      ...(required === 't' ? { required: true } : {}),
      ...(domains === null ? {} : { domains: JSON.parse(domains as string) as string[] }),
      ...(sequence === undefined ? {} : { sequence, gives: 'number' }),
      ...(computed === 't'
        ? { computed: true }
        : sequence === undefined && hasDefault === 't' ? { gives: 'default' } : {})
    }
  })
  const indexes = [
    ...(await connection.query(findIndexes, [id])).flatMap(row =>
      indexOf(row as [string, string, string | null, string])
    ),
    ...await textIndexesOf(connection, id)
  ]
  const rules = (await connection.query(findRules, [id])).map(([name, names]) =>
    ({ name: name as string, columns: JSON.parse(names as string) as string[] }))
  const isView = kind === 'v' || kind === 'm'
  const [fired] = isView ? [] : await connection.query(findTriggers, [id])
  const storedBy = isView ? namesApart(columns) : isOfSeveral === 't' ? placeOfSeveral : undefined
  const triggers = fired === undefined ? undefined : fired[0] === 't' ? 'unseen' : 'returned'
  return {
    name: table, isView, columns, indexes, rules, storedBy, triggers, ...(isSecured === 't' ? { isSecured: true } : {})
  }
}

/** Where a row of a table stands that has others in it: its partitions, or those that inherit from it. */
const placeOfSeveral = ['tableoid', 'ctid'] as const

function indexOf ([name, unique, predicate, keys]: [string, string, string | null, string]): IndexDesign[] {
  const exceptBlank = predicate !== null && /<> ''::/.test(predicate)
  const live = nameBefore(' IS NULL)', predicate ?? '')
  if (predicate !== null && !exceptBlank && live === undefined) return []
  const columns = (JSON.parse(keys) as Array<[string, number]>).map(([name, option]) => indexColumn(name, option))
  return [{ name, unique: unique === 't', ...(exceptBlank ? { exceptBlank } : {}), ...(live === undefined ? {} : { live }), columns }]
}

/** Bits of `pg_index.indoption`: 1 descending, 2 NULL first. */
function indexColumn (name: string, option: number): IndexColumn {
  const descending = (option & 1) === 1
  return { name, descending, ...(descending === ((option & 2) === 2) ? { nullsLargest: true } : {}) }
}
