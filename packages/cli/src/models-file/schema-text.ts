/** JSON Schemas of a description as types. */
import type { Schema } from '@fastback/explorer'
import { comment, identifier, json, key } from '../source-text.js'

const primitives: Readonly<Record<string, string>> = {
  string: 'string',
  number: 'number',
  integer: 'number',
  boolean: 'boolean',
  null: 'null'
}

/** Names that the client's own text uses, and that a model's type must not hide. */
const taken: ReadonlySet<string> = new Set([
  'Error',
  'Promise',
  'Record',
  'Array',
  'Response',
  'Headers',
  'RequestInit',
  'Blob',
  'URL',
  'URLSearchParams',
  'AbortSignal',
  'JSON',
  'Object',
  'Date',
  'String',
  'TypeError',
  'Readonly',
  'ApiError',
  'ApiErrorDetails',
  'Client',
  'ClientOptions',
  'CallOptions',
  'StreamOptions',
  'UploadProgress',
  'Upload',
  'UploadRequest',
  'WithFiles',
  'FormData',
  'Reflect',
  'createClient',
  'LoginProvider',
  'StartedLogin',
  'Place',
  'Entry',
  'CursorPage',
  'LiveChange',
  'LiveData',
  'LiveOptions',
  'Pick',
  'AsyncGenerator',
  'ReadableStream',
  'Uint8Array',
  'TextDecoder',
  'AggregateCall',
  'AggregateColumns',
  'AggregateCondition',
  'AggregateDated',
  'AggregateGiven',
  'AggregateGroup',
  'AggregateGroups',
  'AggregateHaving',
  'AggregateInner',
  'AggregateKind',
  'AggregateName',
  'AggregateNumber',
  'AggregateOrder',
  'AggregatePath',
  'AggregatePeriod',
  'AggregatePeriods',
  'AggregateRequest',
  'AggregateResult',
  'AggregateSummed',
  'AggregateTotal',
  'AggregateValue',
  'AggregatedRow'
])

/** The name of a schema's type: its own, unless that is taken. */
export const typeName = (schema: string): string => taken.has(schema) ? `${schema}Body` : identifier(schema)

/**
 * The type of a schema. Dates stay the texts that JSON has; what a schema does not say is `unknown`.
 * @param indent of the line that the type begins on
 */
export function schemaText (schema: Schema, indent: string): string {
  const {
    $ref,
    const: only,
    enum: values,
    anyOf,
    oneOf,
    allOf,
    type,
    format
  } = schema as {
    $ref?: string
    const?: unknown
    enum?: unknown[]
    anyOf?: Schema[]
    oneOf?: Schema[]
    allOf?: Schema[]
    type?: string | string[]
    format?: string
  }
  if ($ref !== undefined) return typeName($ref.slice($ref.lastIndexOf('/') + 1))
  if (only !== undefined) return json(only)
  if (values !== undefined) return union(values.map(json))
  const alternatives = anyOf ?? oneOf
  if (alternatives !== undefined) return union(alternatives.map(each => schemaText(each, indent)))
  if (allOf !== undefined) return allOf.map(each => bracketed(schemaText(each, indent))).join(' & ')
  if (format === 'binary') return 'Blob'
  if (Array.isArray(type)) return union(type.map(each => schemaText({ ...schema, type: each }, indent)))
  if (type === 'array') return `Array<${schemaText((schema.items ?? {}) as Schema, indent)}>`
  // Of an object or null, each alternative has the members.
  if (type === 'null') return 'null'
  return type === 'object' || schema.properties !== undefined
    ? objectText(schema, indent)
    : (primitives[type ?? ''] ?? 'unknown')
}

function objectText (schema: Schema, indent: string): string {
  const inner = `${indent}  `
  const required = new Set((schema.required ?? []) as string[])
  const members = Object.entries((schema.properties ?? {}) as Record<string, Schema>).map(
    ([name, each]) =>
      `${comment(each.description as string | undefined, inner)}${key(name)}${required.has(name) ? '' : '?'}: ${schemaText(each, inner)}`
  )
  const more = schema.additionalProperties
  if (members.length === 0) return more === false ? 'Record<string, never>' : 'Record<string, unknown>'
  if (more !== undefined && more !== false) members.push('[property: string]: unknown')
  return `{\n${members.map(member => `${inner}${member}\n`).join('')}${indent}}`
}

const bracketed = (type: string): string => type.includes(' | ') && !type.startsWith('{') ? `(${type})` : type

const union = (types: readonly string[]): string => [...new Set(types)].join(' | ')
