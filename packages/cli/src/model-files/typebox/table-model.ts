/** From discovery's definition of a table to what is written of it in TypeBox (discovery.md, DW-2). */
import type { WrittenModel } from './definition-module.js'

type Property = Readonly<Record<string, unknown>>
interface Column { readonly columnName: string, readonly dataType: string, readonly nullable: string }

/**
 * TypeBox says more of a value than LoopBack's types: whole numbers. Of a column only a name is written that
 * is not the property's.
 * @param settingsKey where settings of the database stand: `postgresql`
 */
export function tableModel (definition: WrittenModel['definition'], settingsKey: string): WrittenModel {
  const properties = definition.properties as Readonly<Record<string, Property>>
  const { validateUpsert, ...options } = definition.options as Property
  const { schema, table } = options[settingsKey] as { readonly schema: string, readonly table: string }
  const columnOf = (name: string): Column => properties[name]?.[settingsKey] as Column
  return {
    definition: {
      ...definition,
      options,
      properties: Object.fromEntries(Object.entries(properties).map(([name, { [settingsKey]: _, ...property }]) => {
        const column = columnOf(name)
        const own = column.columnName === name ? {} : { [settingsKey]: { columnName: column.columnName } }
        return [name, { ...closer(property, column), ...own }]
      }))
    },
    about: `${'remoting' in options ? 'View or table' : 'Table'} "${schema}"."${table}".`,
    mayBeNull: name => /^y/i.test(columnOf(name).nullable)
  }
}

function closer ({ length, ...property }: Property, { dataType }: Column): Property {
  if (property.type === 'string' && length !== undefined) return { maxLength: length, ...property }
  if (property.type !== 'number' || !/^(?:(?:big|small|medium|tiny)?int|(?:big|small)?serial|year)/i.test(dataType)) return property
  return { ...property, type: 'integer' }
}
