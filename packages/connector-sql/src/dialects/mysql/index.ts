/** MySQL (from 8.0.17) and MariaDB (from 10.6). */
import type { ColumnFormat } from '../column-types.js'
import type { Dialect } from '../dialect.js'
import type { Table } from '../../tables/table.js'
import { decodeExtra } from '../../tables/extra.js'
import { encodeWellFormedJson as encodeJson } from '../../tables/json-text.js'
import { openDatabase } from './database.js'
import { translateError } from './errors.js'
import { introspectTable } from './introspect.js'
import { changeSql, rowColumn } from './migrate.js'
import { indexName, quoteName, quoteText } from './quote.js'
import { Server } from './flavour.js'
import { comparisonExpression } from './expressions.js'
import { formatOf, type MysqlFormat } from './types.js'

/**
 * The path of a member in JSON. MariaDB takes a `-` in front for an operator, even in quotes, unless it is escaped.
 */
const pathOf = (name: string): string => `$.${encodeJson(name).replace('"-', '"\\u002d')}`

/** What tells rows apart: the id, the parts of a compound one as JSON, or the counting column of tables without one. */
function keyOf ({ model, byProperty, lastOrder, id, dialect }: Table): string {
  const keys = model.properties
    .filter(({ idPosition }) => idPosition > 0)
    .map(({ name }) => byProperty.get(name)?.quoted as string)
  if (id !== undefined) return keys.length > 1 ? `JSON_ARRAY(${keys.join(', ')})` : id.quoted
  return lastOrder === dialect.storedOrder ? 'NULL' : lastOrder
}

/** Each connector has one of its own: what the server is shows when it is open. */
export function createMysql (): Dialect {
  const server = new Server()
  const inList = (column: string, list: string, type: string): string =>
    `${column} IN (SELECT v FROM JSON_TABLE(${list}, '$[*]' COLUMNS (v ${type} PATH '$')) AS list)`
  return {
    name: 'mysql',
    exact: false,
    withoutCallbacks: undefined,
    scans: true,
    defaultMigration: 'none',
    returning: false,
    settingKeys: ['mysql', 'mariadb', 'sql'],
    open: (settings, context) => openDatabase(settings, context, server),
    quote: quoteName,
    indexName,
    placeholder: () => '?',
    format: (type, declaredType) => formatOf(type, declaredType, server),
    isDistinct: (column, value) => `(NOT (${column} <=> ${value}))`,
    inList: (column, list, format: ColumnFormat) =>
      inList(format.name === 'blob' ? `LOWER(HEX(${column}))` : column, list, (format as MysqlFormat).listType),
    list: encodeJson,
    storedOrder: '1',
    rowColumn,
    rowLock: ' FOR UPDATE',
    // NULL is smallest.
    orderTerm: (expression, descending) => (descending ? `${expression} DESC` : expression),
    page: (limit, skip) =>
      limit === undefined && skip === undefined
        ? ''
        : ` LIMIT ${limit ?? '18446744073709551615'}${skip === undefined ? '' : ` OFFSET ${skip}`}`,
    comparisonExpression,
    orderExpression: () => undefined,
    distanceExpression: () => undefined,
    json: undefined,
    rowKey: {
      read: keyOf,
      isIn: (table, list) =>
        table.id !== undefined && keyOf(table) === table.id.quoted
          ? inList(table.id.quoted, list, (table.id.format as MysqlFormat).listType)
          : inList(
            keyOf(table),
            list,
            table.id === undefined ? 'BIGINT' : `LONGTEXT CHARACTER SET utf8mb4 COLLATE ${server.flavour.collation}`
          ),
      list: encodeJson
    },
    extra: { declaredType: 'LONGTEXT', encode: encodeJson, decode: decodeExtra, bound: placeholder => placeholder },
    emptyRow: '() VALUES ()',
    insertEnd: () => '',
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
    },
    introspect: introspectTable,
    migrate: (change, design) => changeSql(change, design, server),
    translateError
  }
}
