/** Ids from outside and from code. */
import type { QueriedModel } from './queried-model.js'
import type { StoredModel } from '../definition/stored-model.js'
import type { Id } from '../data-source/connector.js'
import type { Condition } from './ast.js'
import { propertyPath } from './path.js'

/**
 * The id as the store has it, or undefined when no row can have it: an object, a list, text that is no number for a
 * number id, a number that a double does not hold exactly (security.md, S-01 to S-03). An id is one value, never JSON,
 * an operator or a pattern.
 *
 * ```js
 * coerceId(Note.compiled, '7') // 7, where ids are numbers
 * coerceId(Note.compiled, { gt: 0 }) // undefined
 * ```
 */
export function coerceId (model: StoredModel, id: unknown): Id | undefined {
  switch (model.id?.type.kind) {
    case 'number':
    case 'integer':
      return numberId(id)
    case 'long':
      return longId(id)
    case 'string':
      return typeof id === 'string' ? id : typeof id === 'number' || typeof id === 'bigint' ? String(id) : textOf(id)
    default:
      return typeof id === 'string' || typeof id === 'bigint' || (typeof id === 'number' && !Number.isNaN(id))
        ? id
        : undefined
  }
}

function numberId (id: unknown): Id | undefined {
  const number =
    typeof id === 'string' ? (id.trim() === '' ? NaN : Number(id)) : typeof id === 'bigint' ? Number(id) : id
  if (typeof number !== 'number' || !Number.isFinite(number)) return undefined
  return Number.isInteger(number) && !Number.isSafeInteger(number) ? undefined : number
}

/** Whole numbers of any size; those beyond the safe range as bigints, exactly. */
function longId (id: unknown): Id | undefined {
  if (typeof id === 'string' && /^\s*[+-]?\d{1,30}\s*$/.test(id)) return narrow(BigInt(id))
  if (typeof id === 'bigint') return narrow(id)
  const number = numberId(id)
  return Number.isInteger(number) ? number : undefined
}

const narrow = (id: bigint): Id => Number.isSafeInteger(Number(id)) ? Number(id) : id

/** Ids of a class of their own (ObjectID and its like), which in-process code may hand in. */
function textOf (id: unknown): string | undefined {
  if (id === null || typeof id !== 'object' || Array.isArray(id) || id instanceof Date || id instanceof Uint8Array) {
    return undefined
  }
  const { toString } = id
  return typeof toString === 'function' && toString !== Object.prototype.toString && !Object.hasOwn(id, 'toString')
    ? String(id)
    : undefined
}

/**
 * The condition that the row with this id meets, and no other.
 *
 * ```js
 * await connector.deleteAll(model, idCondition(model, 7), {})
 * ```
 */
export function idCondition (model: QueriedModel, id: Id): Condition {
  if (model.id === undefined) return { kind: 'or', conditions: [] }
  return { kind: 'compare', path: propertyPath(model, model.id.name), op: 'eq', value: id }
}
