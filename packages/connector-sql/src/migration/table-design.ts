/** The table that a model asks for. */
import type { CompiledProperty, StoredIndex, StoredModel } from '@fastback/core'
import type { Dialect } from '../dialects/dialect.js'
import { columnName, dataType, extraName, refuseSharedColumns, tableName } from '../tables/naming.js'
import type { ColumnDesign, IndexDesign, TableDesign } from './design.js'

/** @param extraColumn wanted name of the extra column */
export function designTable (model: StoredModel, dialect: Dialect, extraColumn: string): TableDesign {
  const keys = dialect.settingKeys
  const { schema, name } = tableName(model, dialect)
  const idProperties = model.properties.filter(({ idPosition }) => idPosition > 0)
  const columns = model.properties.map((property): ColumnDesign => {
    const type = dataType(property, keys)
    const format = dialect.format(property.type, type)
    // A number that is the whole id is given out by the database unless the row brings one, also where the definition
    // does not say "generated".
    const generated =
      idProperties.length === 1 && idProperties[0] === property && (format.name === 'real' || format.name === 'integer')
    return {
      name: columnName(property, keys),
      format,
      type: type ?? format.declaredType,
      keyPosition: property.idPosition,
      generated
    }
  })
  refuseSharedColumns(
    model.name,
    columns.map(({ name }, i) => ({ name, property: (model.properties[i] as CompiledProperty).name }))
  )
  const names = new Map(model.properties.map((property, i) => [property.name, (columns[i] as ColumnDesign).name]))
  return {
    modelName: model.name,
    schema,
    name,
    columns,
    extra: extraName(model, extraColumn, keys),
    needsExtra: model.open,
    indexes: model.indexes.flatMap(index => designIndex(index, name, names, dialect))
  }
}

/** Names of indexes are one space per database: the table's name stands before them. */
function designIndex (
  index: StoredIndex,
  table: string,
  names: ReadonlyMap<string, string>,
  dialect: Dialect
): IndexDesign[] {
  const columns = index.columns.map(({ property, descending }) => ({ name: names.get(property), descending }))
  if (
    columns.length === 0 ||
    !columns.every((column): column is { name: string; descending: boolean } => column.name !== undefined)
  ) { return [] }
  const name = dialect.indexName(index.name.startsWith(`${table}_`) ? index.name : `${table}_${index.name}`)
  return [{ name, unique: index.unique, ...(index.exceptBlank === true ? { exceptBlank: true } : {}), columns }]
}
