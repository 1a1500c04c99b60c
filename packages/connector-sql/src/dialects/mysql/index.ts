/** MySQL (from 8.0.17) and MariaDB (from 10.6). */
import { decodeExtra } from '../../tables/extra.js'
import { encodeWellFormedJson as encodeJson } from '../../tables/json-text.js'
import type { ColumnTypes } from '../column-types.js'
import type { Dialect } from '../dialect.js'
import type { Driver } from '../driver.js'
import type { QueryExpressions } from '../query-expressions.js'
import type { TableMigration } from '../table-migration.js'
import { aggregates } from './aggregates.js'
import { catalogue } from './catalogue.js'
import { openDatabase } from './database.js'
import { canonicalType } from './declared-types.js'
import { translateError } from './errors.js'
import { planReaderOf } from './explain.js'
import { comparisonExpression } from './expressions.js'
import { holds, keeps } from './fit.js'
import { Server } from './flavour.js'
import { introspectTable, tableNames } from './introspect.js'
import { changeSql, lockOf, rowColumn } from './migrate.js'
import { indexName } from './quote.js'
import { sameKey } from './same-key.js'
import { syntaxOf } from './syntax.js'
import { textSearchOf } from './text-search.js'
import { formatOf } from './types.js'
import { uuidDefault } from './uuid.js'

const expressions: Omit<QueryExpressions, 'withinTransaction'> = {
  exact: false,
  withoutCallbacks: undefined,
  comparisonExpression,
  sameKey,
  orderExpression: () => undefined,
  distanceExpression: () => undefined
}

/** Each connector has one of its own: what the server is shows when it is open. */
export function createMysql (): Dialect {
  const server = new Server()
  const columnTypes: ColumnTypes = {
    format: (type, declaredType) => formatOf(type, declaredType, server),
    keeps,
    extra: { declaredType: 'LONGTEXT', encode: encodeJson, decode: decodeExtra, bound: placeholder => placeholder },
    json: undefined,
    // What it puts together is cut at `group_concat_max_len`.
    texts: undefined
  }
  const migration: TableMigration = {
    settingKeys: ['mysql', 'mariadb', 'sql'],
    schemaKey: 'database',
    reservedColumns: new Set(),
    defaultMigration: 'none',
    indexName,
    rowColumn,
    catalogue,
    introspect: introspectTable,
    tableNames,
    migrate: (change, design) => changeSql(change, design, server),
    lockOf,
    altersKeys: true,
    keysUnchecked: () => undefined,
    holds,
    uuidDefault,
    canonicalType
  }
  const driver: Driver = {
    open: (settings, context) => openDatabase(settings, context, server),
    scans: true,
    translateError
  }
  const common = {
    name: 'mysql' as const, ...syntaxOf(server), ...aggregates, ...expressions, ...columnTypes, ...migration,
    ...planReaderOf(server), ...driver
  }
  const withinTransaction: Dialect = { ...common, ...textSearchOf(true), withinTransaction: undefined }
  return { ...common, ...textSearchOf(false), withinTransaction }
}
