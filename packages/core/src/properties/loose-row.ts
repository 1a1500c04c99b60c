/** Rows from outside where an application takes them as LoopBack 3 does (the setting `coercion`). */
import { invalid, parseJson, toBoolean, toDate, toNumber, toText } from './convert.js'
import type { ModelLookup } from './coerce.js'
import type { RowModel } from './row-model.js'
import type { PropertyType, Row } from './types.js'

/**
 * The values of a row as JSON has them for the types of its properties: `"12.5"` for a number, `5` for a text,
 * milliseconds for a date. What cannot become a value of its type stays, and is refused where the row is judged.
 *
 * ```js
 * looseRow(Note.compiled, { stars: '4', at: 0 }, name => models[name].compiled)
 * // { stars: 4, at: '1970-01-01T00:00:00.000Z' }
 * ```
 */
export function looseRow (model: Pick<RowModel, 'properties'>, row: Readonly<Row>, lookup: ModelLookup): Row {
  const loose: Row = { ...row }
  for (const { name, type } of model.properties) {
    if (Object.hasOwn(row, name)) loose[name] = looseValue(type, row[name], lookup)
  }
  return loose
}

function looseValue (type: PropertyType, value: unknown, lookup: ModelLookup): unknown {
  if (value === null || value === undefined) return value
  switch (type.kind) {
    case 'model': {
      const nested = lookup(type.model as string)
      return nested !== undefined && isObject(value) ? looseRow(nested, value, lookup) : value
    }
    case 'array': {
      const items = typeof value === 'string' ? parseJson(value) : value
      const { items: itemType } = type
      if (!Array.isArray(items)) return value
      return itemType === undefined ? items : items.map(item => looseValue(itemType, item, lookup))
    }
    default: return isObject(value) || Array.isArray(value) ? value : looseScalar(type, value)
  }
}

const isObject = (value: unknown): value is Row => typeof value === 'object' && value !== null && !Array.isArray(value)

function looseScalar ({ kind, calendar }: PropertyType, value: unknown): unknown {
  switch (kind) {
    case 'string': return calendar === undefined ? unlessInvalid(toText(value), value) : value
    case 'number': case 'integer': case 'long': case 'bigint': return unlessInvalid(toNumber(value), value)
    case 'boolean': return unlessInvalid(toBoolean(value), value)
    case 'date': {
      const date = toDate(value)
      return date === invalid ? value : date.toISOString()
    }
    default: return value
  }
}

/** What no double holds stays the text that it is. */
const unlessInvalid = (converted: unknown, value: unknown): unknown =>
  converted === invalid || typeof converted === 'bigint' ? value : converted
