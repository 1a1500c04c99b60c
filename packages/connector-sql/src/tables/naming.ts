/** Names of tables and columns: the model's own, unless its settings for this database say otherwise. */
import type { CompiledProperty, StoredModel } from '@fastback/core'
import type { TableMigration } from '../dialects/table-migration.js'
import { ColumnConflictError, UnknownKeyError } from '../errors.js'
import type { TableName } from './table-name.js'

type OwnSettings = Readonly<Record<string, unknown>>

/** The settings object of a model or property for this kind of database, e.g. `{ "sqlite3": { "table": "items" } }`. */
function ownSettings (holder: Readonly<Record<string, unknown>>, keys: readonly string[]): OwnSettings {
  for (const key of keys) {
    const value = holder[key]
    if (value !== null && typeof value === 'object') return value as OwnSettings
  }
  return {}
}

const text = (...candidates: unknown[]): string | undefined =>
  candidates.find((name): name is string => typeof name === 'string' && name !== '')

export function tableName (
  model: StoredModel, { settingKeys, schemaKey }: Pick<TableMigration, 'settingKeys' | 'schemaKey'>
): TableName {
  const own = ownSettings(model.settings, settingKeys)
  return {
    schema: schemaKey === undefined ? undefined : text(own[schemaKey]),
    name: text(own.table, own.tableName) ?? model.name
  }
}

/** The name as statements have it; also of what else a schema holds, an index. */
export const quotedName = ({ schema, name }: TableName, quote: (name: string) => string): string =>
  schema === undefined ? quote(name) : `${quote(schema)}.${quote(name)}`

export function columnName (property: CompiledProperty, keys: readonly string[]): string {
  const own = ownSettings(property.definition, keys)
  return text(own.columnName, own.column) ?? property.name
}

/**
 * The property that is the key of the table instead of the id.
 * @throws FBK_SQL_UNKNOWN_KEY where the model has no such property of its own
 */
export function keyName (model: StoredModel, keys: readonly string[]): string | undefined {
  const name = text(ownSettings(model.settings, keys).key)
  if (name !== undefined && !model.propertyByName.has(name)) throw new UnknownKeyError(model.name, name)
  return name === model.id?.name ? undefined : name
}

/** Whether a text can be a `dataType`: only letters, digits and a size in brackets. */
export const isDataType = (type: string): boolean => /^[a-z][a-z0-9_ ]*(?:\(\d+(?:, ?\d+)?\))?$/i.test(type)

/** A type that the definition asks for in CREATE TABLE. */
export function dataType (
  { definition }: Pick<CompiledProperty, 'definition'>, keys: readonly string[]
): string | undefined {
  const type = text(ownSettings(definition, keys).dataType)
  return type !== undefined && isDataType(type) ? type : undefined
}

/** Whether a declared type of any of the databases is one of numbers. */
export const isNumberType = (type: string): boolean =>
  /^(?:(?:unsigned big |big|small|medium|tiny)?int(?:eger|\d)?|(?:big|small)?serial|numeric|number|decimal|dec|fixed|real|float\d?|double(?: precision)?|bit|bool(?:ean)?|year)\b/i.test(type)

/** The extra column's name; a property of that name makes it longer. */
export function extraName (model: StoredModel, wanted: string, keys: readonly string[]): string {
  const taken = new Set(model.properties.map(property => columnName(property, keys).toLowerCase()))
  let name = wanted
  while (taken.has(name.toLowerCase())) name = `_${name}`
  return name
}

/**
 * Databases do not mind the case of column names; models do.
 * @throws FBK_SQL_COLUMN_CONFLICT when two properties would share a column
 */
export function refuseSharedColumns (
  modelName: string,
  columns: ReadonlyArray<{ readonly name: string; readonly property: string }>
): void {
  const seen = new Map<string, string>()
  for (const { name, property } of columns) {
    const other = seen.get(name.toLowerCase())
    if (other !== undefined) throw new ColumnConflictError(modelName, other, property)
    seen.set(name.toLowerCase(), property)
  }
}
