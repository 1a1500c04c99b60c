/** How the SQL of MySQL and MariaDB is written. */
import { encodeWellFormedJson as encodeJson } from '../../tables/json-text.js'
import type { Column } from '../../tables/column.js'
import type { Table } from '../../tables/table.js'
import type { ColumnFormat } from '../column-types.js'
import type { SqlSyntax } from '../sql-syntax.js'
import type { Server } from './flavour.js'
import { rowColumn } from './migrate.js'
import { quoteName, quoteText } from './quote.js'
import type { MysqlFormat } from './formats.js'

/**
 * The path of a member in JSON. MariaDB takes a `-` in front for an operator, even in quotes, unless it is escaped.
 */
const pathOf = (name: string): string => `$.${encodeJson(name).replace('"-', '"\\u002d')}`

/** The id where no two rows have the same: a model may have any column for it. */
function soleId ({ id, isKeyed, indexes }: Table): Column | undefined {
  const isSole = isKeyed || indexes.some(({ unique, exceptBlank, live, columns }) =>
    unique && exceptBlank !== true && live === undefined && columns.length === 1 && columns[0]?.name === id?.name)
  return isSole ? id : undefined
}

/**
 * What tells rows apart: the id, the counting column of tables that were made without one, or one text of the values
 * that do (no type). Whatever their types are, the text is of letters that JSON and every collation leave alone.
 */
function keyOf (table: Table): { readonly sql: string, readonly type?: string } {
  const id = soleId(table)
  if (id !== undefined) return { sql: id.quoted, type: (id.format as MysqlFormat).listType }
  const { storedBy = [] } = table
  const counting = quoteName(rowColumn)
  if (storedBy.length === 1 && storedBy[0] === counting) return { sql: counting, type: 'BIGINT' }
  const texts = storedBy.map(column => `IFNULL(HEX(CAST(${column} AS BINARY)), '-')`)
  return { sql: `CONCAT_WS(',', ${texts.join(', ')})` }
}

const inList = (column: string, list: string, type: string): string =>
  `${column} IN (SELECT v FROM JSON_TABLE(${list}, '$[*]' COLUMNS (v ${type} PATH '$')) AS list)`

/**
 * The table and one row beside it. Of a statement on one table alone MariaDB makes no join: for each row of it it
 * would read the whole list.
 */
const besideOne = (table: Table): string => `${table.quoted}, (SELECT 1 AS ${table.unused('one')}) AS one`

/** @param server known when it is open */
export const syntaxOf = (server: Server): SqlSyntax => ({
  quote: quoteName,
  placeholder: () => '?',
  isDistinct: (column, value) => `(NOT (${column} <=> ${value}))`,
  inList: (column, list, format: ColumnFormat) =>
    inList(format.name === 'blob' ? `LOWER(HEX(${column}))` : column, list, (format as MysqlFormat).listType),
  changeByList: { update: besideOne, delete: table => `${table.quoted} FROM ${besideOne(table)}` },
  list: encodeJson,
  readsWhatItChanges: false,
  storedOrder: '1',
  // NULL is smallest.
  orderTerm: (expression, descending) => (descending ? `${expression} DESC` : expression),
  rowLock: ' FOR UPDATE',
  // MariaDB knows this spelling only, MySQL both.
  sharedRowLock: ' LOCK IN SHARE MODE',
  rowKey: {
    read: table => keyOf(table).sql,
    isIn (table, list) {
      const { sql, type = `LONGTEXT CHARACTER SET utf8mb4 COLLATE ${server.flavour.collation}` } = keyOf(table)
      return inList(sql, list, type)
    },
    list: encodeJson
  },
  page: (limit, skip) =>
    limit === undefined && skip === undefined
      ? ''
      : ` LIMIT ${limit ?? '18446744073709551615'}${skip === undefined ? '' : ` OFFSET ${skip}`}`,
  plansByLimit: false,
  returning: false,
  tellsInserted: () => server.flavour.isMariaDb,
  insertsFromSelf: false,
  rowsPerInsert: 256,
  writesWithin: false,
  // It looks at every unique index, not only at the id.
  putEnd ({ id, isKeyed, written, extra, indexes }) {
    if (id === undefined || !isKeyed || indexes.some(({ unique }) => unique)) return undefined
    const names = [id.quoted, ...written.map(({ quoted }) => quoted), ...(extra === undefined ? [] : [extra])]
    return ` ON DUPLICATE KEY UPDATE ${names.map(name => `${name} = VALUES(${name})`).join(', ')}`
  },
  emptyRow: '() VALUES ()',
  insertEnd: (_table, _givenId, answer) => answer === undefined ? '' : ` RETURNING ${answer}`,
  mergeExtra (column, { set, remove }, fixed) {
    const sets = Object.keys(set)
    const paths = [...new Set([...remove, ...sets])].map(pathOf)
    const removed = (path: (path: string) => string, from: string): string =>
      paths.length === 0 ? from : `JSON_REMOVE(${from}, ${paths.map(path).join(', ')})`
    // CAST: a JSON value is never equal to a text.
    const orNull = (json: string): string => `NULLIF(CAST(${json} AS CHAR), '{}')`
    if (fixed) return { key: '', values: [], sql: () => orNull(removed(quoteText, column)) }
    return {
      key: `x${paths.length}${sets.length > 0 ? '+' : ''}`,
      values: [...paths, ...(sets.length > 0 ? [encodeJson(set)] : [])],
      sql: next =>
        sets.length === 0
          ? orNull(removed(next, column))
          : orNull(`JSON_MERGE_PRESERVE(${removed(next, `COALESCE(${column}, '{}')`)}, ${next()})`)
    }
  }
})
