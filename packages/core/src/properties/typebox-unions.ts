/** Unions as TypeBox writes them: choices (a union of literals), and what takes null. */
import { Kind, Type, type TSchema } from '@sinclair/typebox'

/** Values that a JSON Schema's `enum` of one type has. */
type Value = string | number | boolean

/**
 * A union of literals as the `enum` that JSON has for it, so that anyone who reads schemas (descriptions, pages,
 * clients) meets one form of a choice. `Type.Enum`, unions within unions and null are such unions as well; of null
 * `nullable` tells. Undefined for every other schema, and for literals of several types, which no single `type`
 * describes.
 *
 * ```js
 * enumerated(Type.Union([Type.Literal('open'), Type.Literal('done'), Type.Null()]))
 * // { schema: { type: 'string', enum: ['open', 'done'] }, nullable: true }
 * enumerated(Type.Union([Type.Literal('open'), Type.Number()])) // undefined
 * ```
 */
export function enumerated (written: TSchema): { readonly schema: TSchema, readonly nullable: boolean } | undefined {
  if (written[Kind] !== 'Union') return undefined
  const branches = branchesOf(written)
  const literals = branches.filter(branch => branch[Kind] === 'Literal')
  const values = [...new Set(literals.map(branch => branch.const as Value))]
  const [type, ...others] = new Set(values.map(value => typeof value))
  const isChoice = branches.every(branch => branch[Kind] === 'Literal' || branch[Kind] === 'Null')
  if (!isChoice || type === undefined || others.length > 0) return undefined
  // What the union says of itself (`description`, `default`, whether it is optional) is said of the choice.
  const { anyOf, [Kind]: kind, ...said } = written
  return { schema: { ...said, ...Type.Unsafe<Value>({ type, enum: values }) }, nullable: takesNull(written) }
}

/**
 * Whether null is among what a schema takes.
 *
 * ```js
 * takesNull(Type.Union([Type.Number(), Type.Null()])) // true
 * ```
 */
export const takesNull = (schema: TSchema): boolean => branchesOf(schema).some(branch => branch[Kind] === 'Null')

const branchesOf = (schema: TSchema): TSchema[] =>
  schema[Kind] === 'Union' ? (schema.anyOf as TSchema[]).flatMap(branchesOf) : [schema]
