/** A schema for reading: its properties with types, limits and descriptions, those of nested models when opened. */
import type { Schema } from '@fastback/ui/openapi'
import type { ApiDescription } from './description.js'
import { element, lazyDetails, type Child } from './dom.js'

type Properties = Readonly<Record<string, Schema>>

interface Shape {
  /** Name of a component; undefined for what is described in place. */
  readonly name: string | undefined
  readonly properties: Properties
  readonly required: readonly string[]
}

/** What a schema says, as a list of its properties; a line where it has none. */
export function schemaView (schema: Schema | undefined, description: ApiDescription): HTMLElement {
  const shapes = shapesOf(schema ?? {}, description)
  const lines = [limitsOf(description.schema(schema)), textOf(description.schema(schema).description)]
  if (shapes.length === 0) {
    return element('p', { class: 'hint' }, [description.typeName(schema), ...lines].filter(line => line !== '').join(' · '))
  }
  return element('div', { class: 'shapes' }, ...shapes.map(shape => shapeView(shape, shapes.length > 1, description)))
}

function shapeView ({ name, properties, required }: Shape, named: boolean, description: ApiDescription): HTMLElement {
  const rows = Object.entries(properties).map(([each, schema]) =>
    propertyRow(each, schema, required.includes(each), description))
  return element(
    'div',
    {},
    named || name !== undefined ? element('p', { class: 'kind' }, name === undefined ? 'or' : schemaLink(name)) : undefined,
    element('ul', { class: 'properties' }, ...rows)
  )
}

function propertyRow (name: string, schema: Schema, required: boolean, description: ApiDescription): HTMLElement {
  const resolved = description.schema(schema)
  const said = textOf(schema.description ?? (schema.$ref === undefined ? resolved.description : undefined))
  const limits = limitsOf(schema.$ref === undefined ? limited(schema) : resolved)
  const nested = shapesOf(schema, description).length > 0
  return element(
    'li',
    {},
    element('code', {}, schema.deprecated === true ? element('s', { title: 'deprecated' }, name) : name),
    required ? element('span', { class: 'required', title: 'required' }, ' *') : undefined,
    ' ',
    nested ? undefined : element('span', { class: 'kind' }, description.typeName(schema)),
    limits === '' ? undefined : element('span', { class: 'limits' }, limits),
    said === '' ? undefined : element('span', { class: 'hint' }, said),
    nested
      ? lazyDetails({ class: 'nested' }, [element('span', { class: 'kind' }, description.typeName(schema))], () => [
        schemaView(schema, description)
      ])
      : undefined
  )
}

/** Leads to the schema in the list of all. */
const schemaLink = (name: string): Child => element('a', { href: `#schema.${encodeURIComponent(name)}` }, name)

/** The objects that a schema may be: what it refers to, each of several, the items of a list. */
function shapesOf (schema: Schema, description: ApiDescription, name?: string): Shape[] {
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
function limited (schema: Schema): Schema {
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

function limitsOf (schema: Schema): string {
  const found = limits.flatMap(([keyword, say]) => schema[keyword] === undefined ? [] : [say(schema[keyword])])
  return [...found, ...Array.isArray(schema.type) && schema.type.includes('null') ? ['or null'] : []].join(', ')
}

const textOf = (description: unknown): string => typeof description === 'string' ? description : ''
