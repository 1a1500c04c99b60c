/** SQLite. */
import type { Dialect } from '../dialect.js'
import { distanceExpression, comparisonExpression, orderExpression } from './expressions.js'
import { decodeExtra } from '../../tables/extra.js'
import { encodeJson } from '../../tables/json-text.js'
import type { Table } from '../../tables/table.js'
import { openDatabase } from './database.js'
import { translateError } from './errors.js'
import { introspectTable } from './introspect.js'
import { changeSql } from './migrate.js'
import { inexactExpression } from '../../query/inexact-expression.js'
import { quoteName, quoteText } from './quote.js'
import type { SqliteConnection } from './connection.js'
import { formatOf } from './types.js'

/** Tables whose primary key is a number need not have a `rowid`. */
const keyOf = ({ id, isKeyed }: Table): string =>
  isKeyed && id !== undefined && id.format.name !== 'text' ? id.quoted : 'rowid'

type Callbacks = 'exact' | 'withoutCallbacks' | 'comparisonExpression' | 'orderExpression' | 'distanceExpression'

const common: Omit<Dialect, Callbacks> = {
  name: 'sqlite',
  scans: false,
  defaultMigration: 'update',
  returning: true,
  settingKeys: ['sqlite3', 'sqlite', 'sql'],
  open: openDatabase,
  quote: quoteName,
  indexName: name => name,
  placeholder: () => '?',
  format: formatOf,
  isDistinct: (column, value) => `${column} IS NOT ${value}`,
  inList: (column, list) => `${column} IN (SELECT value FROM json_each(${list}))`,
  list: encodeJson,
  storedOrder: 'rowid',
  rowColumn: undefined,
  orderTerm: (expression, descending) => (descending ? `${expression} DESC` : expression),
  rowLock: '',
  page: (limit, skip) =>
    limit === undefined && skip === undefined
      ? ''
      : ` LIMIT ${limit ?? '-1'}${skip === undefined ? '' : ` OFFSET ${skip}`}`,
  json: undefined,
  rowKey: {
    read: keyOf,
    isIn: (table, list) => `${keyOf(table)} IN (SELECT value FROM json_each(${list}))`,
    list: encodeJson
  },
  extra: { declaredType: 'TEXT', encode: encodeJson, decode: decodeExtra, bound: placeholder => placeholder },
  emptyRow: 'DEFAULT VALUES',
  insertEnd: () => '',
  mergeExtra (column, changes, fixed) {
    const sets = Object.keys(changes.set).length > 0
    const merged = (changes: string): string => {
      const merge = `fastback_merge(${column}, ${changes})`
      return sets ? merge : `CASE WHEN ${column} IS NULL THEN NULL ELSE ${merge} END`
    }
    return fixed
      ? { key: '', values: [], sql: () => merged(quoteText(encodeJson(changes))) }
      : { key: sets ? 'x' : 'y', values: [encodeJson(changes)], sql: next => merged(next()) }
  },
  introspect: (connection, table) => introspectTable(connection as SqliteConnection, table),
  migrate: changeSql,
  translateError
}

/** For requests that have a budget: SQLite calls no JavaScript. */
const withoutCallbacks: Dialect = {
  ...common,
  exact: false,
  withoutCallbacks: undefined,
  comparisonExpression: inexactExpression,
  orderExpression: () => undefined,
  distanceExpression: () => undefined
}

export const sqlite: Dialect = {
  ...common,
  exact: true,
  withoutCallbacks,
  comparisonExpression,
  orderExpression,
  distanceExpression
}
