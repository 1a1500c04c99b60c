/** From what a store says of a table to the definition of a model. */

export interface DiscoveryOptions {
  readonly owner?: string
  readonly schema?: string
  /** True: the tables that foreign keys lead to as well. `associations` is its older name. */
  readonly relations?: boolean
  readonly associations?: boolean
  /** Makes names of models and properties; null leaves them as they are. */
  readonly nameMapper?: ((kind: string, name: string) => string) | null
  readonly [option: string]: unknown
}

/** A column as connectors describe it; members of the connector's own stand under its name. */
export interface DiscoveredColumn {
  readonly owner?: string
  readonly columnName: string
  readonly type?: unknown
  readonly dataType?: string
  readonly dataLength?: number | null
  readonly dataPrecision?: number | null
  readonly dataScale?: number | null
  readonly nullable?: unknown
  readonly [connector: string]: unknown
}
export interface DiscoveredKey { readonly columnName: string; readonly keySeq: number }
export interface DiscoveredForeignKey {
  readonly fkName?: string
  readonly fkColumnName: string
  readonly pkOwner?: string
  readonly pkTableName: string
}

export interface DiscoveredTable {
  readonly table: string
  readonly connector: string
  readonly columns: readonly DiscoveredColumn[]
  readonly keys: readonly DiscoveredKey[]
  readonly foreignKeys: readonly DiscoveredForeignKey[] | undefined
}

export interface Schema {
  readonly name: string
  readonly options: Record<string, unknown>
  readonly properties: Record<string, Record<string, unknown>>
}

/** A model that was made of a table, as it stands in a folder (discovery.md, DI-11). */
export interface DiscoveredModel {
  readonly name: string
  readonly base: string
  /** Where models are to be careful: the table has a place for what is declared, and for nothing else. */
  readonly strict?: true
  readonly idInjection: false
  readonly forceId?: false
  readonly description?: string
  readonly options: Record<string, unknown>
  readonly properties: Record<string, Record<string, unknown>>
  readonly relations: Record<string, Record<string, unknown>>
  readonly indexes?: Record<string, unknown>
  /** False: not to be published, as its routes would not address its rows, or it only joins two others. */
  readonly public?: false
  /** What the tables say and the model does not: rule and reason. */
  readonly notes?: readonly string[]
}

/** Names in the store become names in code: `('table' | 'column' | 'fk', name)`. */
export type NameMapper = (kind: string, name: string) => string

const capital = (part: string): string => part.charAt(0).toUpperCase() + part.slice(1).toLowerCase()

/** `PRODUCT_LINE` is the model `ProductLine`, and the property `productLine`. */
const usualNames: NameMapper = (kind, name) => {
  const parts = `${name}${kind === 'fk' ? 'Rel' : ''}`.split(/[-_]/).map(capital).join('')
  return kind === 'table' || kind === 'model' ? parts : lowerFirst(parts, name)
}

/** The whole first part is small. */
const lowerFirst = (camel: string, name: string): string => {
  const { length } = name.split(/[-_]/)[0] as string
  return camel.slice(0, length).toLowerCase() + camel.slice(length)
}

/** The option `nameMapper`: null leaves names as they are. */
export function nameMapperOf (given: unknown): NameMapper {
  if (given === null) return (_kind, name) => name
  return typeof given === 'function' ? given as NameMapper : usualNames
}

const neverNull: readonly unknown[] = ['N', 'NO', 0, false]

/** The schema of a table. */
export function schemaOf (table: DiscoveredTable, nameOf: NameMapper): Schema {
  const { connector, columns } = table
  const keys = new Map(table.keys.map(({ columnName, keySeq }) => [columnName, keySeq]))
  const relations = table.foreignKeys === undefined ? {} : { relations: relationsOf(table.foreignKeys, nameOf) }
  return {
    name: nameOf('table', table.table),
    options: { idInjection: false, [connector]: { schema: columns[0]?.owner, table: table.table }, ...relations },
    properties: Object.fromEntries(columns.map(column =>
      [nameOf('column', column.columnName), propertyOf(column, connector, keys.get(column.columnName))]))
  }
}

function propertyOf (
  column: DiscoveredColumn, connector: string, key: number | undefined
): Record<string, unknown> {
  const { type, nullable, columnName, dataType, dataLength, dataPrecision, dataScale } = column
  const own = column[connector] as object | undefined
  return {
    type,
    required: neverNull.includes(nullable),
    length: dataLength,
    precision: dataPrecision,
    scale: dataScale,
    ...(key === undefined ? {} : { id: key }),
    [connector]: { columnName, dataType, dataLength, dataPrecision, dataScale, nullable, ...own }
  }
}

function relationsOf (foreignKeys: readonly DiscoveredForeignKey[], nameOf: NameMapper): Record<string, unknown> {
  return Object.fromEntries(foreignKeys.map(({ fkName, pkTableName, fkColumnName }) => [
    nameOf('fk', fkName ?? pkTableName),
    { model: nameOf('table', pkTableName), type: 'belongsTo', foreignKey: nameOf('column', fkColumnName) }
  ]))
}
