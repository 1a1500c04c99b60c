/** What there is to read of a schema: the objects that it may be, their properties, limits. */
import type { Schema } from '../../contracts/openapi.js'
import type { ApiDescription } from '../api/description.js'

export type Properties = Readonly<Record<string, Schema>>

export interface Shape {
  /** Name of a component; undefined for what is described where it is used. */
  readonly name: string | undefined
  readonly properties: Properties
  readonly required: readonly string[]
}

/** The objects that a schema may be: what it refers to, each of several, the items of a list. */
export function shapesOf (schema: Schema, description: ApiDescription, name?: string): Shape[] {
  const { $ref, items, anyOf, allOf } = schema as {
    $ref?: string, items?: Schema, anyOf?: readonly Schema[], allOf?: readonly Schema[]
  }
  if ($ref !== undefined) return shapesOf(description.schema(schema), description, $ref.split('/').at(-1))
  if (items !== undefined) return shapesOf(items, description)
  if (allOf !== undefined) return merged(allOf.flatMap(each => shapesOf(each, description)))
  if (anyOf !== undefined) return distinct(anyOf.flatMap(each => shapesOf(each, description)))
  const { properties, required } = schema as { properties?: Properties, required?: readonly string[] }
  if (properties === undefined || Object.keys(properties).length === 0) return []
  return [{ name, properties, required: required ?? [] }]
}

/** A row and a list of such rows are one thing to read. */
const distinct = (shapes: readonly Shape[]): Shape[] => shapes.filter(({ name, properties }, index) =>
  shapes.findIndex(other => other.properties === properties || (name !== undefined && other.name === name)) === index)

const merged = (shapes: readonly Shape[]): Shape[] =>
  shapes.length === 0
    ? []
    : [{
        name: shapes.find(({ name }) => name !== undefined)?.name,
        properties: Object.assign({}, ...shapes.map(({ properties }) => properties)) as Properties,
        required: [...new Set(shapes.flatMap(({ required }) => required))]
      }]

/** Limits are often on what a value is where it is not null. */
export function limited (schema: Schema): Schema {
  const branches = (schema.anyOf as Schema[] | undefined)?.filter(({ type }) => type !== 'null')
  return branches?.length === 1 ? { ...branches[0], ...schema } : schema
}

const limits: ReadonlyArray<readonly [keyword: string, say: (value: unknown) => string]> = [
  ['minimum', value => `≥ ${String(value)}`],
  ['exclusiveMinimum', value => `> ${String(value)}`],
  ['maximum', value => `≤ ${String(value)}`],
  ['exclusiveMaximum', value => `< ${String(value)}`],
  ['multipleOf', value => `a multiple of ${String(value)}`],
  ['minLength', value => `at least ${String(value)} characters`],
  ['maxLength', value => `at most ${String(value)} characters`],
  ['minItems', value => `at least ${String(value)}`],
  ['maxItems', value => `at most ${String(value)}`],
  ['pattern', value => `like ${String(value)}`],
  ['enum', value => `one of ${(value as unknown[]).map(each => JSON.stringify(each)).join(', ')}`],
  ['const', value => `always ${JSON.stringify(value)}`],
  ['default', value => `default ${JSON.stringify(value)}`],
  ['readOnly', () => 'read only']
]

export function limitsOf (schema: Schema): string {
  const found = limits.flatMap(([keyword, say]) => schema[keyword] === undefined ? [] : [say(schema[keyword])])
  return [...found, ...Array.isArray(schema.type) && schema.type.includes('null') ? ['or null'] : []].join(', ')
}

export const textOf = (description: unknown): string => typeof description === 'string' ? description : ''
