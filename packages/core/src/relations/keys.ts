/** Names and values of the keys that join models. */
import { camelize } from 'inflection'
import { withStoreIdType } from '../definition/store-id-type.js'
import type { ModelClass } from '../interfaces/model-class.js'

/** A value that can point at a row. Lists, objects and patterns never do (security.md, S-01). */
export type Key = string | number | bigint

export function isKey (value: unknown): value is Key {
  return typeof value === 'string' || typeof value === 'bigint' || (typeof value === 'number' && Number.isFinite(value))
}

/** One spelling per key: `1`, `1n` and `"1"` are the same row where a foreign key and an id are of different types. */
export const keyText = (key: unknown): string => typeof key === 'string' ? key : String(key)

/** Whether two keys mean the same row. Null, missing and whatever is no key mean none. */
export const sameKey = (a: unknown, b: unknown): boolean => isKey(a) && isKey(b) && keyText(a) === keyText(b)

/** `Customer` → `customer` */
export const nameFor = (modelName: string): string => camelize(modelName, true)
/** `OrderItem` → `orderItemId` */
export const keyFor = (modelName: string): string => camelize(`${modelName}_id`, true)
/** `Tag` → `tagIds` */
export const keysFor = (modelName: string): string => camelize(`${modelName}_ids`, true)

/** Name of a model's id property; `id` for models without one. */
export const idNameOf = (Model: ModelClass): string => Model.state.idName

/** The type that a property pointing at `property` of `Model` must have, as a definition writes it. */
export function keyTypeOf (Model: ModelClass, property: string): unknown {
  const definition = Model.state.definition.properties[property]
  return definition === undefined ? 'any' : withStoreIdType(definition, Model.state).type ?? 'any'
}
