/** PostgreSQL. */
import { encodeJson } from '../../tables/json-text.js'
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
import { explain } from './explain.js'
import { comparisonExpression } from './expressions.js'
import { holds, keeps } from './fit.js'
import { introspectTable, tableNames } from './introspect.js'
import { orderExpression } from './json-expressions.js'
import { json } from './json.js'
import { changeSql, lockOf, rowColumn } from './migrate.js'
import { indexName } from './quote.js'
import { replication } from './replication.js'
import { sameKey } from './same-key.js'
import { syntax } from './syntax.js'
import { textSearch } from './text-search.js'
import { codeJson, parseJson } from './text-code.js'
import { formatOf } from './types.js'
import { uuidDefault } from './uuid.js'

const expressions: QueryExpressions = {
  exact: false,
  withoutCallbacks: undefined,
  withinTransaction: undefined,
  comparisonExpression,
  sameKey,
  orderExpression,
  distanceExpression: () => undefined
}

const columnTypes: ColumnTypes = {
  format: formatOf,
  keeps,
  extra: {
    declaredType: 'jsonb',
    encode: members => codeJson(encodeJson(members)),
    decode (raw) {
      const members = parseJson(raw as string)
      return members !== null && typeof members === 'object' && !Array.isArray(members)
        ? (members as Record<string, unknown>)
        : {}
    },
    bound: placeholder => `${placeholder}::jsonb`
  },
  json,
  texts: json
}

const migration: TableMigration = {
  settingKeys: ['postgresql', 'postgres', 'sql'],
  schemaKey: 'schema',
  // https://www.postgresql.org/docs/current/ddl-system-columns.html
  reservedColumns: new Set(['tableoid', 'xmin', 'cmin', 'xmax', 'cmax', 'ctid']),
  defaultMigration: 'none',
  indexName,
  rowColumn,
  catalogue,
  introspect: introspectTable,
  tableNames,
  migrate: changeSql,
  lockOf,
  altersKeys: true,
  keysUnchecked: () => undefined,
  holds,
  uuidDefault,
  canonicalType
}

const driver: Driver = {
  open: openDatabase,
  scans: true,
  translateError,
  replication
}

export const postgres: Dialect = {
  name: 'postgres', ...syntax, ...aggregates, ...expressions, ...columnTypes, ...migration, explain, ...textSearch,
  ...driver
}
