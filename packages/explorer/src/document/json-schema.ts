/** Schemas of core, rest and users as JSON Schema 2020-12. */
import type { Schema } from '@fastback/ui/openapi'

/* Keywords whose value is data, and those whose value maps names (which may look like keywords) to schemas. */
export const literalKeywords: ReadonlySet<string> = new Set([
  'enum',
  'const',
  'default',
  'example',
  'examples',
  'required'
])
export const mapKeywords: ReadonlySet<string> = new Set([
  'properties',
  'patternProperties',
  '$defs',
  'dependentSchemas'
])

/** Keywords that refer to places in another document than ours, or that say nothing to a client. */
const dropped: ReadonlySet<string> = new Set([
  '$id',
  '$schema',
  '$ref',
  '$anchor',
  '$dynamicRef',
  '$dynamicAnchor',
  'nullable',
  'example'
])

/**
 * A plain copy of a schema: TypeBox's symbols are gone, OpenAPI 3.0's `nullable` and `example` are said in JSON Schema,
 * a list of `items` becomes `prefixItems`.
 */
export function jsonSchema (schema: unknown): Schema {
  if (schema === true || schema === null || typeof schema !== 'object') return schema === false ? { not: {} } : {}
  const copy: Record<string, unknown> = {}
  for (const [keyword, value] of Object.entries(schema)) {
    if (
      dropped.has(keyword) ||
      value === undefined ||
      typeof value === 'function' ||
      (keyword === 'properties' && Object.keys(value as object).length === 0)
    ) { continue }
    if (keyword === 'items' && Array.isArray(value)) copy.prefixItems = value.map(jsonSchema)
    else copy[keyword] = copyOf(keyword, value)
  }
  const { nullable, example } = schema as { nullable?: unknown, example?: unknown }
  if (nullable === true) allowNull(copy)
  if (example !== undefined && copy.examples === undefined) copy.examples = [example]
  return copy
}

function copyOf (keyword: string, value: unknown): unknown {
  if (literalKeywords.has(keyword)) return value
  if (mapKeywords.has(keyword)) {
    return Object.fromEntries(Object.entries(value as object).map(([name, member]) => [name, jsonSchema(member)]))
  }
  if (Array.isArray(value)) {
    return value.map(item => (item !== null && typeof item === 'object' ? jsonSchema(item) : item))
  }
  return value !== null && typeof value === 'object' ? jsonSchema(value) : value
}

function allowNull (schema: Record<string, unknown>): void {
  if (typeof schema.type === 'string') schema.type = [schema.type, 'null']
}

/** The schema, with null allowed. */
export function orNull (schema: Schema): Schema {
  const { type, enum: values } = schema
  if (Object.keys(schema).length === 0) return schema
  if (typeof type === 'string' && values === undefined) return { ...schema, type: [type, 'null'] }
  return { anyOf: [schema, { type: 'null' }] }
}
