/** From an example to the properties of a model (discovery.md, IN-3 to IN-6). */
import { Type, type TSchema } from '@sinclair/typebox'
import { UnsafeNameError } from '../errors.js'
import { unsafeNames } from './shape.js'
import { typeOfValue } from './type-of-value.js'

/**
 * The properties that an example has. Its `id`, or its `_id`, is the id, with its own type; `idInjection: true` asks
 * for an id that the store makes.
 * @throws FBK_UNSAFE_NAME
 */
export function propertiesOfExample (
  example: object, { idInjection }: { readonly idInjection?: unknown } = {}
): Record<string, unknown> {
  mustBeSafe(example)
  const properties = Object.fromEntries(Object.entries(typeOfValue(example) as Record<string, unknown>)
    .map(([name, type]) => [name, { type: definedType(type) }]))
  if (idInjection === true) return { ...properties, id: { type: 'number', id: 1, generated: true } }
  const id = idInjection === undefined ? ['id', '_id'].find(name => Object.hasOwn(properties, name)) : undefined
  return id === undefined ? properties : { ...properties, [id]: { ...properties[id] as object, id: 1 } }
}

/** Of a list of lists the inner items count (IN-2). A member called `type` is a member, and no type (IN-4). */
function definedType (type: unknown): unknown {
  if (Array.isArray(type)) return Array.isArray(type[0]) ? definedType(type[0]) : [definedType(type[0])]
  if (type === 'Function') return 'Any'
  if (type === null || typeof type !== 'object') return type
  if (Object.hasOwn(type, 'type')) return schemaOf(type)
  return Object.fromEntries(Object.entries(type).map(([name, member]) => [name, definedType(member)]))
}

/** As a schema, where nothing has two meanings. */
function schemaOf (type: unknown): TSchema {
  if (Array.isArray(type)) return Type.Array(schemaOf(type[0]))
  if (type !== null && typeof type === 'object') {
    return Type.Object(Object.fromEntries(Object.entries(type).map(([name, member]) =>
      [name, Type.Optional(schemaOf(member))])))
  }
  return (schemas[type as string] ?? Type.Any)()
}

const schemas: Readonly<Record<string, () => TSchema>> = {
  string: Type.String,
  number: Type.Number,
  boolean: Type.Boolean,
  date: () => Type.Date(),
  binary: () => Type.Uint8Array(),
  array: () => Type.Array(Type.Any()),
  object: () => Type.Record(Type.String(), Type.Any())
}

function mustBeSafe (value: unknown): void {
  if (value === null || typeof value !== 'object') return
  if (Array.isArray(value)) {
    for (const item of value) mustBeSafe(item)
    return
  }
  for (const name of Object.keys(value)) {
    if (unsafeNames.includes(name)) throw new UnsafeNameError(name)
    mustBeSafe((value as Record<string, unknown>)[name])
  }
}
