/** Rows and instances as plain objects, by the rules of `stringify.ts`. */
import type { RowModel } from './row-model.js'
import { includedOf, type IncludedValues } from '../instances/included.js'
import { isInstance } from '../instances/instance.js'
import type { ModelLookup } from './coerce.js'
import { modelOfRelated, visibleUnknownNames } from './visible-properties.js'
import type { StringifiedModel } from './stringified-model.js'
import type { PropertyType, Row } from './types.js'

export interface PlainOptions {
  /** Whether hidden properties are kept (for in-process use). */
  readonly hidden: boolean
  /** Whether the row is shown within another one: protected properties are left out. */
  readonly included: boolean
}

/**
 * Compiles `RowModel.toPlain`. Values are those of the row (dates stay dates, free-form objects are not copied);
 * nested rows and what include loaded become plain objects of their own.
 */
export function compileToPlain (model: StringifiedModel, lookup: ModelLookup): RowModel['toPlain'] {
  const properties = model.properties.filter(({ internal }) => !internal).map(({ name, type, ...property }) => ({
    name,
    convert: converterOf(type, lookup),
    hidden: property.hidden || model.hidden.has(name),
    protected: property.protected || model.protectedNames.has(name),
    relation: model.relations.has(name)
  }))
  return (row, options) => {
    const plain: Row = {}
    const related = includedOf(row)
    for (let i = 0; i < properties.length; i++) {
      const property = properties[i] as typeof properties[number]
      const value = row[property.name]
      // A function is never data: it is a method, or what a property called `toString` inherits.
      if (value === undefined || typeof value === 'function' || typeof value === 'symbol') continue
      if ((property.hidden && !options.hidden) || (property.protected && options.included)) continue
      if (property.relation && related?.[property.name] !== undefined) continue
      plain[property.name] = property.convert === undefined ? value : property.convert(value, options)
    }
    if (model.open || isInstance(row)) {
      for (const name of visibleUnknownNames(model, row, related, options.included, options.hidden)) {
        const value = row[name]
        if (value !== undefined && typeof value !== 'function' && typeof value !== 'symbol') plain[name] = value
      }
    }
    if (related !== undefined) addRelated(model, row, related, plain, options, lookup)
    return plain
  }
}

type Converter = (value: unknown, options: PlainOptions) => unknown

/** Only nested models need converting. */
function converterOf (type: PropertyType, lookup: ModelLookup): Converter | undefined {
  if (type.kind === 'model') {
    return (value, { hidden }) => {
      if (value === null || typeof value !== 'object' || Array.isArray(value)) return value
      return lookup(type.model as string)?.toPlain(value as Row, { hidden, included: true }) ?? value
    }
  }
  if (type.members !== undefined) return membersConverter(type.members, lookup)
  const convert = type.items === undefined ? undefined : converterOf(type.items, lookup)
  return convert && ((value, options) => Array.isArray(value) ? value.map(item => convert(item, options)) : value)
}

function membersConverter (
  members: Readonly<Record<string, PropertyType>>, lookup: ModelLookup
): Converter | undefined {
  const converters = Object.entries(members).flatMap(([name, type]) => {
    const convert = converterOf(type, lookup)
    return convert === undefined ? [] : [[name, convert] as const]
  })
  if (converters.length === 0) return undefined
  return (value, options) => {
    if (value === null || typeof value !== 'object' || Array.isArray(value)) return value
    const plain: Row = { ...value }
    for (const [name, convert] of converters) {
      if (Object.hasOwn(plain, name)) plain[name] = convert(plain[name], options)
    }
    return plain
  }
}

function addRelated (
  model: StringifiedModel,
  row: Row,
  related: IncludedValues,
  plain: Row,
  { hidden }: PlainOptions,
  lookup: ModelLookup
): void {
  const convert = (name: string, value: Row): Row | null =>
    modelOfRelated(model, row, name, value, lookup)?.toPlain(value, { hidden, included: true }) ?? null
  for (const name of Object.keys(related)) {
    const value = related[name]
    if (value === undefined || (!hidden && model.hidden.has(name))) continue
    plain[name] =
      value === null ? null : Array.isArray(value) ? value.map(each => convert(name, each)) : convert(name, value)
  }
}
