/** What is made of texts before they are stored: `trim`, `lowercase` and `uppercase` of a property. */
import { invalidType, type TypeLocation } from './type-location.js'
import type { PropertyType, Row } from './types.js'
import type { TextTransform } from './text-transforms.js'

/** The keys, in a property of JSON or among the options of a TypeBox schema. */
export const transformKeys = ['trim', 'lowercase', 'uppercase'] as const

type Written = Readonly<Record<string, unknown>>

/**
 * The type with what its definition makes of texts; of a list the items have it. Conditions have it as well, so that
 * who asks for a text as it was sent finds the row (as in Mongoose).
 *
 * ```js
 * withTransform({ kind: 'string' }, { lowercase: true }, location).transform('Ann') // 'ann'
 * ```
 * @throws FBK_CORE_INVALID_DEFINITION for other types than texts, and for "lowercase" beside "uppercase"
 */
export function withTransform (type: PropertyType, written: Written, location: TypeLocation): PropertyType {
  const said = transformKeys.filter(key => written[key] === true)
  if (said.length === 0) return type
  if (type.kind === 'array' && type.items !== undefined) {
    return { ...type, items: withTransform(type.items, written, location) }
  }
  if (type.kind !== 'string' || type.calendar !== undefined) {
    throw invalidType(location, `says "${said.join('", "')}", which is of texts; take it away, or make the property a "string"`)
  }
  if (written.lowercase === true && written.uppercase === true) {
    throw invalidType(location, 'says "lowercase" and "uppercase"; take one of them away')
  }
  return { ...type, transform: transformOf(written) }
}

const transformOf = ({ trim, lowercase, uppercase }: Written): TextTransform => text => {
  const trimmed = trim === true ? text.trim() : text
  return lowercase === true ? trimmed.toLowerCase() : uppercase === true ? trimmed.toUpperCase() : trimmed
}

type Model = { readonly properties: ReadonlyArray<{ readonly name: string, readonly type: PropertyType }> }
type Lookup = (model: string) => Model | undefined

/**
 * A row as JSON has it, with its texts as they are stored: rules of a schema (`pattern`, `enum`, `minLength`) speak of
 * these. Undefined where no property makes anything of its texts.
 *
 * ```js
 * compileTextsOf(User.compiled, name => models[name]?.compiled)?.({ email: ' Ann@Example.com ' })
 * // { email: 'ann@example.com' }
 * ```
 */
export function compileTextsOf (model: Model, lookup: Lookup): ((row: Readonly<Row>) => Row) | undefined {
  const texts = ofMembers(model.properties.map(({ name, type }) => [name, type] as const), lookup, new Set([model]))
  return texts === undefined ? undefined : row => texts(row) as Row
}

type Change = (value: unknown) => unknown

/** @param within models around this one: rows that hold rows of their own kind are looked at where they are stored */
function ofType (type: PropertyType, lookup: Lookup, within: ReadonlySet<Model>): Change | undefined {
  const { kind, transform, items, members, model } = type
  if (transform !== undefined) return value => typeof value === 'string' ? transform(value) : value
  if (kind === 'array' && items !== undefined) {
    const ofItem = ofType(items, lookup, within)
    return ofItem === undefined ? undefined : value => Array.isArray(value) ? value.map(ofItem) : value
  }
  if (members !== undefined) return ofMembers(Object.entries(members), lookup, within)
  const nested = model === undefined ? undefined : lookup(model)
  if (nested === undefined || within.has(nested)) return undefined
  return ofMembers(nested.properties.map(each => [each.name, each.type] as const), lookup, new Set([...within, nested]))
}

function ofMembers (
  members: ReadonlyArray<readonly [string, PropertyType]>, lookup: Lookup, within: ReadonlySet<Model>
): Change | undefined {
  const changes = members.flatMap(([name, type]) => {
    const change = ofType(type, lookup, within)
    return change === undefined ? [] : [[name, change] as const]
  })
  if (changes.length === 0) return undefined
  return value => {
    if (value === null || typeof value !== 'object' || Array.isArray(value)) return value
    const row: Row = { ...value }
    for (const [name, change] of changes) if (Object.hasOwn(row, name)) row[name] = change(row[name])
    return row
  }
}
