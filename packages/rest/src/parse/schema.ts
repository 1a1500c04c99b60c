/** Types of arguments, and the JSON Schemas that go with them. */
import type { JsonSchema, ModelClass, ModelRegistry } from '@fastback/core'
import { textCoercers, type ScalarType } from './text.js'

export type { JsonSchema }

/** A type that the application adds, with its own way to read values; errors are thrown. */
export interface OwnType {
  readonly read: (found: unknown, place: ValueSource, allowArray?: boolean) => unknown
  /** What it was made of. */
  readonly definition: any
}

/** Where a value was found; a form and a query have texts that are converted, JSON has values that are not. */
export type ValueSource = 'text' | 'path' | 'query' | 'json' | 'form'

/** What names of types may stand for: models, and types of the application by their names in small letters. */
export type TypeNames = Pick<ModelRegistry, 'models'> & {
  readonly types?: ReadonlyMap<string, OwnType>
  /** What points are made with. Default: core's `GeoPoint`. */
  readonly Point?: PointClass | undefined
}

/** A class of points on the globe that is not core's. */
export type PointClass = new (point: { readonly lat: number, readonly lng: number }) => object

/** The resolved type of an argument. */
export type ArgumentType =
  | { readonly kind: ScalarType | 'object' | 'any' | 'buffer' | 'file' }
  | { readonly kind: 'geopoint', readonly Point?: PointClass | undefined }
  | { readonly kind: 'array', readonly items: ArgumentType }
  | { readonly kind: 'model', readonly Model: ModelClass }
  | { readonly kind: 'own', readonly own: OwnType }

const otherNames: Readonly<Record<string, string>> = {
  text: 'string',
  bool: 'boolean',
  datestring: 'date',
  datetime: 'date-time',
  timestamp: 'date-time',
  array: 'array',
  readablestream: 'file',
  point: 'geopoint'
}
const otherKinds = new Set(['object', 'any', 'buffer', 'file', 'geopoint'])

/**
 * Resolves the `type` of an argument: a name in any case, a constructor, `[type]`, the name or class of a model, or
 * members of an inline object.
 */
export function resolveArgumentType (type: unknown, registry: TypeNames): ArgumentType {
  if (Array.isArray(type)) {
    return { kind: 'array', items: type.length === 0 ? { kind: 'any' } : resolveArgumentType(type[0], registry) }
  }
  if (typeof type === 'function') return resolveName((type as { modelName?: string }).modelName ?? type.name, registry)
  if (typeof type === 'string') return resolveName(type, registry)
  return { kind: type !== null && typeof type === 'object' ? 'object' : 'any' }
}

function resolveName (name: string, registry: TypeNames): ArgumentType {
  const list = /^\[(.*)\]$/.exec(name) ?? /^array<(.*)>$/i.exec(name)
  if (list !== null) return { kind: 'array', items: resolveName(list[1] as string, registry) }
  const Model = Object.hasOwn(registry.models, name) ? registry.models[name] : undefined
  if (Model !== undefined) return { kind: 'model', Model }
  const lower = name.toLowerCase()
  const own = registry.types?.get(lower)
  if (own !== undefined) return { kind: 'own', own }
  const kind = otherNames[lower] ?? lower
  if (kind === 'array') return { kind: 'array', items: { kind: 'any' } }
  if (kind === 'geopoint') return registry.Point === undefined ? { kind } : { kind, Point: registry.Point }
  return { kind: isScalar(kind) || otherKinds.has(kind) ? kind as ScalarType : 'any' }
}

export const isScalar = (kind: string): kind is ScalarType => Object.hasOwn(textCoercers, kind)

const scalarSchemas: Readonly<Record<ScalarType, JsonSchema>> = {
  string: { type: 'string' },
  number: { type: 'number' },
  integer: { type: 'integer' },
  long: { type: 'integer', format: 'int64' },
  boolean: { type: 'boolean' },
  date: { type: 'string', format: 'date' },
  'date-time': { type: 'string', format: 'date-time' }
}

/**
 * The schema of a type in JSON, with the keywords that the argument adds. A model is its schema for new rows, its id
 * allowed.
 * @param allowArray whether a list of objects does where one is wanted
 */
export function argumentSchema (type: ArgumentType, keywords?: JsonSchema, allowArray?: boolean): JsonSchema {
  const one = { ...bareSchema(type), ...keywords }
  return allowArray === true && (type.kind === 'object' || type.kind === 'model')
    ? { ...one, type: ['object', 'array'], items: one }
    : one
}

function bareSchema (type: ArgumentType): JsonSchema {
  switch (type.kind) {
    case 'object': return { type: 'object' }
    case 'array': return { type: 'array', items: bareSchema(type.items) }
    case 'model': return type.Model.compiled.schemas.replace as unknown as JsonSchema
    case 'any': case 'buffer': case 'file': case 'geopoint': case 'own': return {}
    default: return { ...scalarSchemas[type.kind] }
  }
}
