/** From OpenAPI 3.1 to 3.0, whose schemas are a dialect of an older JSON Schema. */
import { literalKeywords, mapKeywords } from './json-schema.js'
import type { OpenApiDocument, Schema } from '@fastback/ui/openapi'

/** Keywords of JSON Schema that 3.0 does not have: a description without them says less, and nothing false. */
const missing: ReadonlySet<string> = new Set([
  'prefixItems',
  'contains',
  'minContains',
  'maxContains',
  'patternProperties',
  'propertyNames',
  'dependentSchemas',
  'dependentRequired',
  'dependencies',
  'if',
  'then',
  'else',
  'unevaluatedItems',
  'unevaluatedProperties',
  'contentEncoding',
  'contentMediaType',
  'contentSchema',
  '$comment',
  '$defs',
  'definitions',
  'additionalItems',
  'const',
  'examples',
  'exclusiveMinimum',
  'exclusiveMaximum',
  'type'
])

export function toOpenApi30 (document: OpenApiDocument): OpenApiDocument {
  return { ...convert(document) as OpenApiDocument, openapi: '3.0.3', info: document.info }
}

/** Schemas stand under `schema`, and by name under `schemas`. */
function convert (node: unknown): unknown {
  if (Array.isArray(node)) return node.map(convert)
  if (node === null || typeof node !== 'object') return node
  return Object.fromEntries(Object.entries(node).map(([key, value]) => {
    if (key === 'schema' || key === 'x-itemSchema') return [key, schema30(value as Schema)]
    if (key === 'schemas') return [key, mapOf(value as Record<string, Schema>)]
    return [key, convert(value)]
  }))
}

const mapOf = (schemas: Readonly<Record<string, Schema>>): Record<string, Schema> =>
  Object.fromEntries(Object.entries(schemas).map(([name, schema]) => [name, schema30(schema)]))

/** A schema of 3.0. */
function schema30 (schema: Schema): Schema {
  const { $ref, ...beside } = schema
  if ($ref !== undefined) return Object.keys(beside).length === 0 ? schema : { allOf: [{ $ref }], ...schema30(beside) }
  const branches = schema.anyOf as Schema[] | undefined
  const others = branches?.filter(branch => branch.type !== 'null')
  if (branches !== undefined && others !== undefined && others.length < branches.length) {
    return nullBranch(schema, others)
  }
  const result: Record<string, unknown> = {}
  for (const [keyword, value] of Object.entries(schema)) {
    if (!missing.has(keyword)) result[keyword] = valueOf(keyword, value)
  }
  return Object.assign(result, typeOf(schema), encodingOf(schema), limits(schema), literals(schema))
}

/** One of several, or null: one of them takes it, which has a type of its own where there is such a one. */
function nullBranch ({ anyOf, ...beside }: Schema, others: readonly Schema[]): Schema {
  const [only] = others
  if (others.length === 1 && only !== undefined) return { ...orNull30(only), ...schema30(beside) }
  const taker = Math.max(0, others.findIndex(({ type, enum: values }) => type !== undefined && values === undefined))
  const branches = others.map((branch, index) => index === taker ? orNull30(branch) : schema30(branch))
  return { ...schema30(beside), anyOf: branches }
}

/**
 * A schema of 3.0 that takes null: `nullable` holds for the type beside it only, and there is no type of null. Beside a
 * reference it is what generators of code read as "or null"; a branch with null as its only value breaks some of them.
 */
function orNull30 (schema: Schema): Schema {
  const { $ref, type, enum: values, anyOf } = schema
  if ($ref !== undefined) return { type: 'object', nullable: true, allOf: [schema] }
  if (anyOf !== undefined) return nullBranch(schema, anyOf as Schema[])
  if (type === undefined) return schema30(schema)
  const given = values === undefined ? {} : { enum: [...values as unknown[], null] }
  return { ...schema30({ ...schema, type: [type, 'null'].flat() }), ...given }
}

function valueOf (keyword: string, value: unknown): unknown {
  if (literalKeywords.has(keyword)) return value
  if (mapKeywords.has(keyword)) return mapOf(value as Record<string, Schema>)
  if (Array.isArray(value)) {
    return value.map(item => (item !== null && typeof item === 'object' ? schema30(item as Schema) : item))
  }
  return value !== null && typeof value === 'object' ? schema30(value as Schema) : value
}

/** One type, and `nullable`; lists must say what is in them. */
function typeOf ({ type, items }: Schema): Schema {
  const types = (Array.isArray(type) ? type : type === undefined ? [] : [type]) as string[]
  const others = types.filter(each => each !== 'null')
  const takesNull = others.length < types.length
  const [only] = others
  const nullable = takesNull ? { nullable: true } : {}
  // Null alone.
  if (only === undefined) return takesNull ? { type: 'object', ...nullable, enum: [null] } : {}
  if (others.length === 1) {
    const listed = only === 'array' && items === undefined ? { items: {} } : {}
    return { type: only, ...listed, ...nullable }
  }
  // What is in a list is said where the list is: 3.0 refuses a list without it.
  const ofLists = { items: items === undefined ? {} : schema30(items as Schema) }
  return {
    anyOf: others.map((each, index) => ({
      type: each, ...(each === 'array' ? ofLists : {}), ...(index === 0 ? nullable : {})
    }))
  }
}

/** Base64 is a format there. */
const encodingOf = ({ contentEncoding, format }: Schema): Schema =>
  contentEncoding === 'base64' && format === undefined ? { format: 'byte' } : {}

/** Exclusive limits are flags beside `minimum` and `maximum`. */
function limits ({ exclusiveMinimum, exclusiveMaximum, minimum, maximum }: Schema): Schema {
  const lower = typeof exclusiveMinimum === 'number' && (typeof minimum !== 'number' || exclusiveMinimum >= minimum)
  const upper = typeof exclusiveMaximum === 'number' && (typeof maximum !== 'number' || exclusiveMaximum <= maximum)
  return {
    ...(lower ? { minimum: exclusiveMinimum, exclusiveMinimum: true } : {}),
    ...(upper ? { maximum: exclusiveMaximum, exclusiveMaximum: true } : {})
  }
}

function literals (schema: Schema): Schema {
  const [example] = (schema.examples ?? []) as unknown[]
  return {
    ...(example === undefined ? {} : { example }),
    ...(schema.const === undefined ? {} : { enum: [schema.const] })
  }
}
