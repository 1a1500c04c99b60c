/** From discovery's definition of a table to what is written of it in TypeBox (discovery.md, DW-2). */
import type { WrittenModel } from './definition-module.js'

type Property = Readonly<Record<string, unknown>>
interface Column { readonly columnName: string, readonly dataType: string, readonly nullable: string }

/** Bounds of whole numbers that are smaller than 32 bits. */
const bounds: ReadonlyArray<readonly [type: RegExp, minimum: number, maximum: number]> = [
  [/^(?:smallint|int2|smallserial)\b/i, -32768, 32767],
  [/^tinyint\b/i, -128, 127],
  [/^mediumint\b/i, -8388608, 8388607]
]

/**
 * TypeBox says more of a value than LoopBack's types: whole numbers, lengths. Of a column only a name is written that
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
  if (property.type === 'string' && length !== undefined) return { ...property, maxLength: length }
  if (property.type !== 'number' || !/^(?:(?:big|small|medium|tiny)?int|(?:big|small)?serial|year)/i.test(dataType)) return property
  const [, minimum, maximum] = bounds.find(([type]) => type.test(dataType)) ?? []
  return { ...(minimum === undefined ? {} : { minimum, maximum }), ...property, type: 'integer' }
}
