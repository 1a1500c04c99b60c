/** Comparisons as filters of MongoDB. Values stand behind operators always, so that none becomes one. */
import type { Comparison, ConditionValue } from '@fastback/core'
import { holdsDecimals } from '@fastback/core/connector'
import { encodeValue } from '../documents/encode.js'
import type { DocumentMap } from '../documents/document-map.js'
import { isObjectIdText, leastObjectId } from '../documents/object-ids.js'
import type { Document } from '../driver.js'
import { boxOf } from './geo.js'
import { canMatchObjectId, likePattern } from './pattern.js'
import { shapeOf, type Shape } from './shape.js'

/** A filter that every matching document passes; others may pass as well unless it is `exact`. */
export interface Translated {
  readonly filter: Document
  readonly exact: boolean
}

export const never: Document = { _id: { $in: [] } }
const exactly = (filter: Document): Translated => ({ filter, exact: true })
const atLeast = (filter: Document): Translated => ({ filter, exact: false })

/** The positive form of a comparison: `neq` as `eq`. The caller negates it. */
export function translatePositive (comparison: Comparison, map: DocumentMap): Translated {
  const shape = shapeOf(map, comparison.path)
  // No document has such a field, so that only a test for nothing is met: the reference decides.
  if (shape.name === undefined || comparison.path.visible !== undefined) return atLeast({})
  // Those within objects are texts of digits, which the database would compare as texts.
  const { keys, decimal } = shape.rule
  if (holdsDecimals(shape.type) && (!keys || (decimal && isBeyond(comparison)))) return atLeast({})
  const { name } = shape
  switch (comparison.kind) {
    case 'compare':
      return comparison.op === 'eq' || comparison.op === 'neq'
        ? equal(name, comparison.value, shape, map)
        : range(name, comparison.op, comparison.value, shape, map)
    case 'in':
      return anyOf(name, comparison, shape, map)
    case 'between':
      return between(name, comparison, shape, map)
    case 'like':
      return like(name, comparison, shape)
    case 'regexp':
      return walked(shape, atLeast({ $or: textTypes(shape).map(type => ({ [name]: { $type: type } })) }))
    case 'near':
      return walked(shape, atLeast(boxOf(comparison, shape, name)))
    case 'exists':
      return exists(name, shape)
    case 'element':
      return atLeast({ [name]: { $exists: true } })
  }
}

/** Whether a value may have more digits than a Decimal128. */
const isBeyond = (comparison: Comparison): boolean =>
  [...('value' in comparison ? [comparison.value] : 'values' in comparison ? comparison.values : []),
    ...(comparison.kind === 'between' ? [comparison.from, comparison.to] : [])]
    .flat().some(value => typeof value === 'string' && value.length > 34)

/**
 * Documents where a path leads through a list within a list, which MongoDB does not walk into and the reference does,
 * are let through; the reference looks at everything that a path leads to.
 */
function walked ({ kind, prefixes }: Shape, { filter, exact }: Translated): Translated {
  if (kind !== 'walk') return { filter, exact }
  const listInList = { $elemMatch: { $elemMatch: { $exists: true } } }
  return atLeast({ $or: [filter, ...prefixes.map(name => ({ [name]: listInList }))] })
}

function equal (name: string, value: ConditionValue, shape: Shape, map: DocumentMap): Translated {
  // Nothing, on the way through lists, is where a list is empty for MongoDB and where it is not for the reference.
  if (value === null) return shape.kind === 'walk' ? atLeast({}) : exactly({ [name]: { $eq: null } })
  if (isScalar(value) || (Array.isArray(value) && value.every(isScalar))) {
    const encoded = stored(value, shape, map)
    return encoded === undefined ? exactly(never) : walked(shape, exactly({ [name]: { $eq: encoded } }))
  }
  return walked(shape, atLeast({ [name]: { $exists: true } }))
}

/** What a row would have for the value; undefined where none could have it. */
function stored (value: ConditionValue, { rule, type }: Shape, map: DocumentMap): unknown {
  if ((Array.isArray(value) ? value : [value]).some(isTooLarge)) return undefined
  return encodeValue(map.driver, value, rule, map.model.name, type.kind)
}

/** Whether a number has more than 64 bits. */
const isTooLarge = (value: unknown): boolean => typeof value === 'bigint' && BigInt.asIntN(64, value) !== value

const isScalar = (value: unknown): boolean =>
  value === null || typeof value !== 'object' || value instanceof Date || value instanceof Uint8Array

function anyOf (name: string, { values }: Comparison & { kind: 'in' }, shape: Shape, map: DocumentMap): Translated {
  if (values.length === 0) return exactly(never)
  if (values.every(isScalar) && (shape.kind !== 'walk' || !values.includes(null))) {
    const encoded = values.map(value => value === null ? null : stored(value, shape, map))
    return walked(shape, exactly({ [name]: { $in: encoded.filter(value => value !== undefined) } }))
  }
  const parts = values.map(value => equal(name, value, shape, map))
  return { filter: { $or: parts.map(({ filter }) => filter) }, exact: parts.every(({ exact }) => exact) }
}

type RangeOperator = 'gt' | 'gte' | 'lt' | 'lte'

/** BSON orders binary data by its length first: the reference compares it. Null, lists and objects have no order. */
function range (name: string, op: RangeOperator, value: ConditionValue, shape: Shape, map: DocumentMap): Translated {
  if (value === null || (typeof value === 'object' && !(value instanceof Date) && !(value instanceof Uint8Array))) {
    return exactly(never)
  }
  if (value instanceof Uint8Array || isTooLarge(value)) {
    return walked(shape, atLeast({ [name]: { $exists: true } }))
  }
  if (typeof value === 'string' && !shape.rule.decimal && !shape.rule.keys) {
    return walked(shape, exactly(textRange(name, op, value, shape, map)))
  }
  return walked(shape, exactly({ [name]: { [`$${op}`]: stored(value, shape, map) } }))
}

/** Texts, and ObjectIDs as the texts that they stand for. */
function textRange (name: string, op: RangeOperator, text: string, { rule }: Shape, { driver }: DocumentMap): Document {
  const texts = { [name]: { [`$${op}`]: text } }
  if (rule.objectIds === 'never') return texts
  const least = leastObjectId(text)
  const above = op === 'gt' || op === 'gte'
  if (least === undefined) return above ? texts : { $or: [texts, { [name]: { $type: 'objectId' } }] }
  const bound = isObjectIdText(text) ? op : above ? 'gte' : 'lt'
  return { $or: [texts, { [name]: { [`$${bound}`]: new driver.ObjectId(least) } }] }
}

/** Of a list, one element must be between both; MongoDB would take two of them. */
function between (
  name: string,
  { from, to }: Comparison & { kind: 'between' },
  shape: Shape,
  map: DocumentMap
): Translated {
  const parts = [range(name, 'gte', from, shape, map), range(name, 'lte', to, shape, map)]
  const both = { $and: parts.map(({ filter }) => filter) }
  const exact = shape.kind === 'scalar' && parts.every(({ exact }) => exact)
  return { filter: both, exact: exact || parts.some(({ filter }) => filter === never) }
}

const textTypes = ({ rule }: Shape): string[] => rule.objectIds === 'never' ? ['string'] : ['string', 'objectId']

function like (name: string, { pattern, ignoreCase }: Comparison & { kind: 'like' }, shape: Shape): Translated {
  if (shape.rule.decimal || shape.rule.keys) return atLeast({ [name]: { $exists: true } })
  const texts = { [name]: { $regex: likePattern(pattern, ignoreCase), $options: 's' } }
  const canBeObjectId = shape.rule.objectIds !== 'never' && canMatchObjectId(pattern, ignoreCase)
  return walked(shape, canBeObjectId ? atLeast({ $or: [texts, { [name]: { $type: 'objectId' } }] }) : exactly(texts))
}

/** A list is something, also one with nothing but nulls in it. */
function exists (name: string, shape: Shape): Translated {
  if (shape.kind === 'walk') return atLeast({})
  const something = { [name]: { $ne: null } }
  return exactly(shape.kind === 'scalar' ? something : { $or: [something, { [`${name}.0`]: { $exists: true } }] })
}
