/** Names and values of the keys that join models. */
import { camelize } from 'inflection'
import { withStoreIdType } from '../definition/store-id-type.js'
import { locationOf } from '../definition/location.js'
import { InvalidDefinitionError } from '../errors.js'
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

/**
 * The plural after which relations and embedded lists are named where nothing says otherwise. As in LoopBack it is the
 * base's where the model has none of its own, unlike the model's path.
 */
export const inheritedPlural = ({ state, pluralModelName }: ModelClass): string =>
  state.chain().findLast(({ own }) => own.plural !== undefined)?.own.plural ?? pluralModelName

/**
 * Name of the id property of a model that a relation points at; `id` for models without one.
 * @param relation what is at fault where no one property is the id
 * @param remedy what to do then
 * @throws FBK_CORE_INVALID_DEFINITION for a compound id: one key cannot point at it
 */
export function idNameOf (
  Model: ModelClass,
  relation: { readonly name: string, readonly model: ModelClass },
  remedy = 'name the property that the key points at as "primaryKey"'
): string {
  const { idName, idNames } = Model.state
  if (idNames.length < 2) return idName
  throw new InvalidDefinitionError(
    locationOf(relation.model.state.definition, `relations.${relation.name}`),
    `"${Model.modelName}" has a compound id (${idNames.join(', ')}), at which one key cannot point; ${remedy}`
  )
}

/** The type that a property pointing at `property` of `Model` must have, as a definition writes it. */
export function keyTypeOf (Model: ModelClass, property: string): unknown {
  const definition = Model.state.definition.properties[property]
  return definition === undefined ? 'any' : withStoreIdType(definition, Model.state).type ?? 'any'
}
