/** What LoopBack's own functions of discovery answer (discovery.md, DI-1 to DI-5): rows of the catalogue. */
import type { CatalogueColumn, CatalogueForeignKey, CatalogueTable } from '../dialects/catalogue.js'
import type { Dialect } from '../dialects/dialect.js'

type Row = Record<string, unknown>

/** Options of MySQL (DO-6): which narrow columns are what. */
export interface TypeOptions {
  /** Default: false, `char(1)` is Boolean. */
  readonly treatCHAR1AsString?: boolean | undefined
  /** Default: true, `bit(1)` is Binary. */
  readonly treatBIT1AsBit?: boolean | undefined
  /** Default: true, `tinyint(1)` is Number. */
  readonly treatTINYINT1AsTinyInt?: boolean | undefined
}

export const modelDefinition = ({ kind, name, schema }: CatalogueTable): Row => ({ type: kind, name, owner: schema })

export function modelProperties (
  { schema, name, columns }: CatalogueTable, dialect: Dialect, options: TypeOptions
): Row[] {
  const isMysql = dialect.name === 'mysql'
  return columns.map(column => ({
    owner: schema,
    tableName: name,
    columnName: column.name,
    dataType: column.loopbackType ?? column.dataType,
    dataLength: column.length,
    dataPrecision: column.precision,
    dataScale: column.scale,
    ...(isMysql ? { columnType: column.fullType } : {}),
    nullable: isMysql ? (column.nullable ? 'Y' : 'N') : (column.nullable ? 'YES' : 'NO'),
    ...(isMysql ? { generated: column.generated === 'counted' ? 1 : 0 } : {}),
    type: isMysql ? mysqlType(column, options) : standardType(column)
  }))
}

export const primaryKeys = ({ schema, name, primaryKey }: CatalogueTable): Row[] =>
  (primaryKey?.columns ?? []).map((columnName, at) =>
    ({ owner: schema, tableName: name, columnName, keySeq: at + 1, pkName: primaryKey?.name }))

export function foreignKeys (
  { schema, name }: CatalogueTable, keys: readonly CatalogueForeignKey[], dialect: Dialect
): Row[] {
  return keys.flatMap(({ name: fkName, columns, onDelete, onUpdate, target }) => columns.map((fkColumnName, at) => ({
    fkOwner: schema,
    fkName,
    fkTableName: name,
    fkColumnName,
    keySeq: at + 1,
    ...(dialect.name === 'mysql' ? {} : { onDelete, onUpdate }),
    pkOwner: target.schema,
    pkName: target.keyName,
    pkTableName: target.table,
    pkColumnName: target.columns[at]
  })))
}

/** The types of `loopback-connector-postgresql`, and of SQLite, which has the same names. */
function standardType ({ dataType, loopbackType = dataType }: CatalogueColumn): string {
  if (/^bool/.test(loopbackType)) return 'Boolean'
  if (/^(?:smallint|integer|int|bigint|tinyint|mediumint|float|real|double|numeric|decimal|number)\b/.test(loopbackType)) return 'Number'
  if (/^(?:date|timestamp|time)/.test(loopbackType)) return 'Date'
  if (/^(?:bytea|blob)/.test(loopbackType)) return 'Binary'
  return loopbackType === 'point' ? 'GeoPoint' : 'String'
}

/** Those of `loopback-connector-mysql`. */
function mysqlType ({ dataType, fullType }: CatalogueColumn, options: TypeOptions): string {
  const type = dataType.toLowerCase()
  if (type === 'char') return fullType.toLowerCase() === 'char(1)' && options.treatCHAR1AsString !== true ? 'Boolean' : 'String'
  if (type === 'bit') return fullType.toLowerCase() === 'bit(1)' && options.treatBIT1AsBit === false ? 'Boolean' : 'Binary'
  if (type === 'tinyint') return /^tinyint\(1\)/i.test(fullType) && options.treatTINYINT1AsTinyInt === false ? 'Boolean' : 'Number'
  if (/^(?:tiny|medium|long)?blob$|binary$/.test(type)) return 'Binary'
  if (/^(?:smallint|mediumint|int|integer|bigint|year|float|double|decimal|numeric)$/.test(type)) return 'Number'
  if (/^(?:date|timestamp|datetime)$/.test(type)) return 'Date'
  return type === 'point' ? 'GeoPoint' : 'String'
}
