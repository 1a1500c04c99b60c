/** What conditions may be about, by the schema of a model's conditions, and the operators that fit it. */
import type { Schema } from '../../contracts/openapi.js'
import type { ApiDescription } from '../api/description.js'

export type Where = Readonly<Record<string, unknown>>

/** Operators whose value is a list. */
export const listOperators: ReadonlySet<string> = new Set(['inq', 'nin', 'between'])
/** Operators whose value is one that rows have; '' is the value alone. */
export const equalities: ReadonlySet<string> = new Set(['', 'eq', 'neq'])
/** Operators of one condition on a point, which go together. */
export const distances: ReadonlySet<string> = new Set(['near', 'maxDistance', 'minDistance', 'unit'])
const combining: ReadonlySet<string> = new Set(['and', 'or', 'nor'])

/** The condition on words, which is about no single property. */
export const searchName = '$search'

/** A property that a condition may be about: one of the rows, or one of a relation's rows. */
export interface ConditionSubject {
  /** As it is offered: `title`, `author.name`, `books (some).title`. */
  readonly label: string
  /** Where its test is within a condition: `['title']`, `['books', 'some', 'title']`. */
  readonly path: readonly string[]
  readonly schema: Schema
  /** The only values that the property may have, where these are few. */
  readonly choices: readonly unknown[] | undefined
  /** Types of its plain values: `string`, `date`, `number`; empty for anything. */
  readonly types: readonly string[]
  readonly operators: readonly string[]
}

/**
 * The properties that conditions may be about, by the schema of a model's conditions.
 *
 * ```js
 * conditionProperties({ $ref: '#/components/schemas/NoteWhere' }, description).map(([name]) => name) // ['title', 'id']
 * ```
 */
export const conditionProperties = (where: Schema, description: ApiDescription): Array<readonly [string, Schema]> =>
  membersOf(where, description).filter(([, { 'x-related': model }]) => model === undefined)

const membersOf = (where: Schema, description: ApiDescription): Array<readonly [string, Schema]> =>
  Object.entries((description.schema(where).properties ?? {}) as Readonly<Record<string, Schema>>)
    .filter(([name]) => !combining.has(name) && name !== searchName)

/**
 * The subjects of a model's conditions, and those one relation away.
 *
 * ```js
 * subjectsOf({ $ref: '#/components/schemas/NoteWhere' }, description, 'Note').map(({ label }) => label)
 * ```
 * @param model whose rows they are about: values of its properties that are known are a choice
 */
export function subjectsOf (where: Schema, description: ApiDescription, model: string): ConditionSubject[] {
  const subject = (
    label: string, path: readonly string[], schema: Schema, of: string, name: string
  ): ConditionSubject => ({
    label, path, schema,
    choices: choicesIn(description, of, name),
    types: typesOf(schema, description),
    operators: operatorsOf(schema, description)
  })
  const own = conditionProperties(where, description)
    .map(([name, schema]) => subject(name, [name], schema, model, name))
  const related = membersOf(where, description).flatMap(([name, { 'x-related': to, properties }]) => {
    if (typeof to !== 'string') return []
    const isList = properties !== undefined
    return conditionProperties(description.component(`${to}Where`), description).map(([inner, schema]) =>
      subject(`${name}${isList ? ' (some)' : ''}.${inner}`, [name, ...isList ? ['some'] : [], inner], schema, to, inner))
  })
  return [...own, ...related]
}

/** Whether the model of conditions has a text index. */
export const hasWords = (where: Schema, description: ApiDescription): boolean =>
  Object.hasOwn(description.schema(where).properties ?? {}, searchName)

/** The only values that a property may have, or the items of its lists. */
function choicesIn (description: ApiDescription, model: string, name: string): readonly unknown[] | undefined {
  const { properties = {} } = description.component(model) as { readonly properties?: Readonly<Record<string, Schema>> }
  if (!Object.hasOwn(properties, name)) return undefined
  const property = description.schema(properties[name])
  const { enum: values, type } = property.items === undefined ? property : description.schema(property.items as Schema)
  if (Array.isArray(values)) return values.filter(each => each !== null)
  return [type].flat().includes('boolean') ? [true, false] : undefined
}

/** The operators of a property's type; '' is the value alone. Anything has all of them. */
function operatorsOf (schema: Schema, description: ApiDescription): string[] {
  const branches = [schema, ...(schema.anyOf ?? []) as Schema[]].map(branch => description.schema(branch))
  const named = branches.map(({ properties }) => Object.keys(properties ?? {})).find(names => names.length > 0)
  const isPoint = schema.$ref !== undefined
  return named === undefined
    ? ['', 'neq', 'inq', 'nin', 'exists', 'gt', 'gte', 'lt', 'lte', 'like', 'regexp']
    : [...isPoint ? [] : [''], ...named.filter(name => name !== 'eq' && name !== 'options')]
}

/** Types of the plain value next to the operators. */
function typesOf (schema: Schema, description: ApiDescription): string[] {
  const plain = ((schema.anyOf ?? []) as Schema[])
    .map(branch => description.schema(branch))
    .filter(({ properties }) => properties === undefined)
  return plain
    .flatMap(({ type, format }) => [type].flat().map(each => format === 'date-time' ? 'date' : String(each)))
    .filter(type => type !== 'null' && type !== 'undefined')
}
