/** The table of a model as the database's catalogue has it. */
import type { DescribedTable, StoredModel } from '@fastback/core'
import type { Dialect } from '../dialects/dialect.js'
import type { Connection } from '../dialects/driver.js'
import { columnName, tableName } from '../tables/naming.js'

export async function describeTable (
  connection: Connection, dialect: Dialect, model: StoredModel
): Promise<DescribedTable> {
  const { schema, name } = tableName(model, dialect)
  const table = schema === undefined ? name : `${schema}.${name}`
  const names = await dialect.tableNames(connection, schema)
  const actual = names.find(each => each === name) ?? names.find(each => each.toLowerCase() === name.toLowerCase())
  const [found] = actual === undefined
    ? []
    : await dialect.catalogue.tables(connection, { schema, tables: [actual] })
  const properties = new Map(model.properties.map(property =>
    [columnName(property, dialect.settingKeys).toLowerCase(), property.name]))
  return {
    table,
    columns: found?.columns.map(({ name: column, fullType, nullable }) => ({
      name: column,
      type: fullType,
      nullable,
      keyPosition: (found.primaryKey?.columns.indexOf(column) ?? -1) + 1,
      property: properties.get(column.toLowerCase())
    }))
  }
}
