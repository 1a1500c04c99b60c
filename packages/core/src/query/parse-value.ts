/** Values of conditions, in the type of their property. */
import { isBase64Type } from '../properties/bytes.js'
import { invalid, readBase64 } from '../properties/convert.js'
import { notFinite, plainCopy, tooDeep } from '../properties/plain-copy.js'
import { coerceQueryValue, unmatchable } from '../properties/coerce-query-value.js'
import type { PropertyType } from '../properties/types.js'
import type { Condition, ConditionValue, PropertyPath } from './ast.js'
import { checkOperatorKeys } from './extended-operators.js'
import { refuseSecretMembers } from './nested-secrets.js'
import { badClause, isPlainObject, type ParseContext } from './parse-context.js'

export { unmatchable }

/** A condition that no row meets, and one that every row meets. */
export const never: Condition = Object.freeze({ kind: 'or', conditions: Object.freeze([]) as readonly Condition[] })
export const always: Condition = Object.freeze({ kind: 'and', conditions: Object.freeze([]) as readonly Condition[] })

/**
 * The value a row's value (or an element of it) is compared with. `unmatchable` when no value of that type equals it.
 * @throws RequestError 400 for text that is no date, for values that are no data, and, where "matches nothing" would
 * turn into "matches everything" (below `neq`, `nin`, `nor`), for values that cannot be converted (security.md, S-24),
 * and for hidden members of nested models (S-78)
 */
export function queryValue (
  context: ParseContext,
  path: PropertyPath,
  value: unknown,
  negated = context.negated
): ConditionValue | typeof unmatchable {
  if (value === null || value === undefined) return null
  refuseSecretMembers(context, path.type, value)
  const converted = convert(context, path.type, value)
  if (converted === unmatchable && negated) {
    throw badClause(nameOf(path), value, `Expected a value of type ${path.type.kind}`)
  }
  return converted
}

function convert (context: ParseContext, type: PropertyType, value: unknown): ConditionValue | typeof unmatchable {
  switch (type.kind) {
    case 'any':
    case 'object':
    case 'model':
      return freeValue(context, value)
    case 'array':
      return Array.isArray(value)
        ? list(context, type.items, value)
        : convert(context, type.items ?? { kind: 'any' }, value)
    case 'buffer':
      return context.outside && typeof value === 'string' && isBase64Type(type)
        ? base64Value(value)
        : coerceQueryValue(type, value)
    default:
      return typeof value === 'object' && isStructure(type, value) ? unmatchable : coerceQueryValue(type, value)
  }
}

/** A text from outside is what answers have; in the process it stands for its letters. */
function base64Value (text: string): ConditionValue | typeof unmatchable {
  const bytes = readBase64(text)
  return bytes === invalid ? unmatchable : bytes
}

/** Whether a value is an object or list where the type has neither. */
function isStructure (type: PropertyType, value: object | null): boolean {
  return type.kind !== 'geopoint' && type.kind !== 'buffer' && (Array.isArray(value) || isPlainObject(value))
}

function list (
  context: ParseContext,
  items: PropertyType | undefined,
  values: readonly unknown[]
): ConditionValue | typeof unmatchable {
  const result: ConditionValue[] = []
  for (const value of values) {
    const converted = value === null || value === undefined ? null : convert(context, items ?? { kind: 'any' }, value)
    if (converted === unmatchable) return unmatchable
    result.push(converted)
  }
  return result
}

/** Data of no particular type, copied, so that nobody after the parser holds the client's objects. */
function freeValue (context: ParseContext, value: unknown): ConditionValue | typeof unmatchable {
  if (typeof value !== 'object') {
    return typeof value === 'function' || typeof value === 'symbol' || Number.isNaN(value)
      ? unmatchable
      : (value as ConditionValue)
  }
  if (context.external) checkOperatorKeys(context, value as object)
  const copy = plainCopy(value, context.limits.depth)
  return copy === tooDeep || copy === notFinite || copy === undefined ? unmatchable : copy as ConditionValue
}

/** The name that a path was written with. */
export const nameOf = (path: PropertyPath): string =>
  path.path.length === 0 ? path.property : `${path.property}.${path.path.join('.')}`
