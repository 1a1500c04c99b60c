/** SQLite. */
import { inexactExpression } from '../../query/inexact-expression.js'
import { decodeExtra } from '../../tables/extra.js'
import { encodeJson } from '../../tables/json-text.js'
import type { ColumnTypes } from '../column-types.js'
import type { Dialect } from '../dialect.js'
import type { Driver } from '../driver.js'
import type { TableMigration } from '../table-migration.js'
import { aggregates } from './aggregates.js'
import type { SqliteConnection } from './connection.js'
import { catalogue } from './catalogue.js'
import { openDatabase } from './database.js'
import { canonicalType } from './declared-types.js'
import { translateError } from './errors.js'
import { comparisonExpression, distanceExpression, orderExpression } from './expressions.js'
import { withExamples } from './examples.js'
import { explain } from './explain.js'
import { holds, keeps } from './fit.js'
import { introspectTable, keysUnchecked, tableNames } from './introspect.js'
import { texts } from './json-text.js'
import { changeSql, lockOf } from './migrate.js'
import { sameKey } from './same-key.js'
import { syntax } from './syntax.js'
import { textSearch } from './text-search.js'
import { formatOf } from './types.js'
import { uuidDefault } from './uuid.js'

const columnTypes: ColumnTypes = {
  format: formatOf,
  keeps,
  extra: { declaredType: 'TEXT', encode: encodeJson, decode: decodeExtra, bound: placeholder => placeholder },
  json: undefined,
  texts
}

const settingKeys = ['sqlite3', 'sqlite', 'sql']

const migration: TableMigration = {
  settingKeys,
  schemaKey: undefined,
  reservedColumns: new Set(),
  defaultMigration: 'update',
  indexName: name => name,
  rowColumn: undefined,
  catalogue,
  introspect: (connection, table) => introspectTable(connection as SqliteConnection, table.name),
  withExamples: (connection, table, model) =>
    withExamples(connection as SqliteConnection, table, model, settingKeys),
  tableNames: connection => tableNames(connection as SqliteConnection),
  migrate: changeSql,
  lockOf,
  altersKeys: false,
  keysUnchecked: connection => keysUnchecked(connection as SqliteConnection),
  holds,
  uuidDefault,
  canonicalType
}

const driver: Driver = {
  open: openDatabase,
  scans: false,
  translateError
}

const common = {
  name: 'sqlite' as const, sameKey, withinTransaction: undefined, ...syntax, ...aggregates, ...columnTypes, ...migration,
  explain, ...textSearch, ...driver
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
