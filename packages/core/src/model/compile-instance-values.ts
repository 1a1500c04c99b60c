/**
 * What instances hold where a row has plain values: lists, instances of nested models, points. Rows that stores and
 * hooks see stay plain.
 */
import type { CompiledProperty } from '../definition/stored-model.js'
import { instantiate, isInstance } from '../instances/instance.js'
import { List } from '../instances/list.js'
import type { CompiledModel, InstanceValues } from '../interfaces/compiled-model.js'
import { toGeoPoint } from '../properties/convert.js'
import { GeoPoint } from '../properties/geo-point.js'
import type { PropertyType, Row } from '../properties/types.js'

type Hold = (value: unknown) => unknown
type Lookup = (name: string) => CompiledModel | undefined

/**
 * Compiles what instances hold of each property whose value is not the row's own; undefined where there is none.
 *
 * ```js
 * const held = compileInstanceValues(properties, name => registry.findModel(name)?.compiled)
 * held?.get('tags')?.(['a']) // a List
 * ```
 */
export function compileInstanceValues (
  properties: readonly CompiledProperty[], lookup: Lookup
): InstanceValues | undefined {
  const entries = properties.flatMap(({ name, type }) => {
    const hold = holderOf(type, lookup)
    return hold === undefined ? [] : [[name, hold] as const]
  })
  return entries.length === 0 ? undefined : new Map(entries)
}

function holderOf (type: PropertyType, lookup: Lookup): Hold | undefined {
  switch (type.kind) {
    case 'array': return listHolder(type, lookup)
    case 'model': return modelHolder(type.model as string, lookup)
    case 'geopoint': return holdPoint
    default: return undefined
  }
}

function listHolder ({ items }: PropertyType, lookup: Lookup): Hold {
  const toItem = items === undefined ? undefined : holderOf(items, lookup)
  return value => Array.isArray(value) && !(value instanceof List) ? List.holding(value, toItem) : value
}

const modelHolder = (name: string, lookup: Lookup): Hold => value => {
  if (!isObject(value) || isInstance(value)) return value
  const model = lookup(name)
  return model === undefined ? value : instantiate(model, value)
}

/** What is no point on the globe stays as it is, for validation to find. */
const holdPoint: Hold = value =>
  isObject(value) && !(value instanceof GeoPoint) && typeof toGeoPoint(value) === 'object'
    ? new GeoPoint(value as unknown as GeoPoint)
    : value

const isObject = (value: unknown): value is Row => value !== null && typeof value === 'object' && !Array.isArray(value)
