/** Types of arguments, and the JSON Schemas that go with them. */
import type { ModelClass, ModelRegistry } from '@fastback/core'
import { Kind } from '@sinclair/typebox'
import { impliedKeywords, modelDateFormat } from './formats.js'
import { textCoercers, type ScalarType } from './text.js'

export type JsonSchema = Record<string, unknown>

/** The resolved type of an argument. */
export type ArgumentType =
  | { readonly kind: ScalarType | 'object' | 'any' | 'buffer' | 'file' | 'geopoint' }
  | { readonly kind: 'array', readonly items: ArgumentType }
  | { readonly kind: 'model', readonly Model: ModelClass }

const otherNames: Readonly<Record<string, string>> = {
  text: 'string', bool: 'boolean', datestring: 'date', datetime: 'date-time', timestamp: 'date-time', array: 'array', readablestream: 'file', point: 'geopoint'
}
const otherKinds = new Set(['object', 'any', 'buffer', 'file', 'geopoint'])

/** Resolves the `type` of an argument: a name in any case, a constructor, `[type]`, the name or class of a model, or members of an inline object. */
export function resolveArgumentType (type: unknown, registry: Pick<ModelRegistry, 'models'>): ArgumentType {
  if (Array.isArray(type)) return { kind: 'array', items: type.length === 0 ? { kind: 'any' } : resolveArgumentType(type[0], registry) }
  if (typeof type === 'function') return resolveName((type as { modelName?: string }).modelName ?? type.name, registry)
  if (typeof type === 'string') return resolveName(type, registry)
  return { kind: type !== null && typeof type === 'object' ? 'object' : 'any' }
}

function resolveName (name: string, registry: Pick<ModelRegistry, 'models'>): ArgumentType {
  const list = /^\[(.*)\]$/.exec(name) ?? /^array<(.*)>$/i.exec(name)
  if (list !== null) return { kind: 'array', items: resolveName(list[1] as string, registry) }
  const Model = Object.hasOwn(registry.models, name) ? registry.models[name] : undefined
  if (Model !== undefined) return { kind: 'model', Model }
  const lower = name.toLowerCase()
  const kind = otherNames[lower] ?? lower
  if (kind === 'array') return { kind: 'array', items: { kind: 'any' } }
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

/** The schema of a type in JSON, with the keywords that the argument adds. A model is its schema for new rows, its id allowed. */
export function argumentSchema (type: ArgumentType, keywords?: JsonSchema): JsonSchema {
  return { ...bareSchema(type), ...keywords }
}

function bareSchema (type: ArgumentType): JsonSchema {
  switch (type.kind) {
    case 'object': return { type: 'object' }
    case 'array': return { type: 'array', items: bareSchema(type.items) }
    case 'model': return type.Model.compiled.schemas.replace as unknown as JsonSchema
    case 'any': case 'buffer': case 'file': case 'geopoint': return {}
    default: return { ...scalarSchemas[type.kind] }
  }
}

/**
 * A copy of a schema in plain JSON Schema: numeric formats get the limits that they imply, and OpenAPI's `nullable` becomes a type with null. Not so in
 * the schemas of models (known by being TypeBox values): there Ajv's own `nullable` reports the type alone, and dates may be full-dates.
 */
export function normaliseSchema (schema: JsonSchema): JsonSchema {
  return normalise(schema) as JsonSchema
}

function normalise (schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(normalise)
  if (schema === null || typeof schema !== 'object') return schema
  const result: JsonSchema = {}
  for (const [key, value] of Object.entries(schema)) result[key] = literalKeywords.has(key) ? value : mapKeywords.has(key) ? normaliseMap(value) : normalise(value)
  const kind = (schema as { [Kind]?: string })[Kind]
  if (kind === undefined) {
    if (result.nullable === true && typeof result.type === 'string') result.type = [result.type, 'null']
    delete result.nullable
  } else if (result.format === 'date-time' && kind !== 'String') result.format = modelDateFormat
  return { ...impliedKeywords(result.format), ...result }
}

/* Keywords whose value is data, and those whose value maps names (which may look like keywords) to schemas. */
const literalKeywords = new Set(['enum', 'const', 'default', 'example', 'examples', 'required'])
const mapKeywords = new Set(['properties', 'patternProperties', '$defs', 'definitions', 'dependentSchemas', 'dependencies'])

function normaliseMap (map: unknown): unknown {
  if (map === null || typeof map !== 'object') return map
  return Object.fromEntries(Object.entries(map).map(([name, schema]) => [name, normalise(schema)]))
}
