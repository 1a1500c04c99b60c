/** Schemas of models as Ajv takes them. */
import { Kind } from '@sinclair/typebox'
import { impliedKeywords, modelDateFormat } from './formats.js'

export type JsonSchema = Record<string, unknown>

/**
 * A copy of a schema in plain JSON Schema: numeric formats get the limits that they imply, and OpenAPI's `nullable`
 * becomes a type with null. Not so in the schemas of models (known by being TypeBox values): there Ajv's own `nullable`
 * reports the type alone, and dates may be full-dates.
 *
 * ```js
 * normaliseSchema({ type: 'string', nullable: true }) // { type: ['string', 'null'] }
 * ```
 */
export function normaliseSchema (schema: JsonSchema): JsonSchema {
  return normalise(schema) as JsonSchema
}

function normalise (schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(normalise)
  if (schema === null || typeof schema !== 'object') return schema
  const result: JsonSchema = {}
  for (const [key, value] of Object.entries(schema)) {
    result[key] = literalKeywords.has(key) ? value : mapKeywords.has(key) ? normaliseMap(value) : normalise(value)
  }
  const kind = (schema as { [Kind]?: string })[Kind]
  if (kind === undefined) {
    if (result.nullable === true && typeof result.type === 'string') result.type = [result.type, 'null']
    delete result.nullable
  } else if (result.format === 'date-time' && kind !== 'String') result.format = modelDateFormat
  return { ...impliedKeywords(result.format), ...result }
}

/* Keywords whose value is data, and those whose value maps names (which may look like keywords) to schemas. */
const literalKeywords = new Set(['enum', 'const', 'default', 'example', 'examples', 'required'])
const mapKeywords = new Set([
  'properties',
  'patternProperties',
  '$defs',
  'definitions',
  'dependentSchemas',
  'dependencies'
])

function normaliseMap (map: unknown): unknown {
  if (map === null || typeof map !== 'object') return map
  return Object.fromEntries(Object.entries(map).map(([name, schema]) => [name, normalise(schema)]))
}
