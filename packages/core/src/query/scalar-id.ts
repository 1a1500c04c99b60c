/** Ids that are one value. */
import type { Id } from '../data-source/connector.js'
import { invalid } from '../properties/convert.js'
import { decimalText } from '../properties/decimal.js'
import type { PropertyType } from '../properties/types.js'

/** A value as an id of this type, or undefined when no row can have it. */
export function coerceScalarId (type: PropertyType | undefined, id: unknown): Id | undefined {
  switch (type?.kind) {
    case 'number':
    case 'integer':
      return numberId(id)
    case 'long':
    case 'bigint':
      return longId(id)
    case 'decimal': {
      const text = decimalText(id, type.limits?.scale)
      return text === invalid ? undefined : text
    }
    case 'string':
      return typeof id === 'string' ? id : typeof id === 'number' || typeof id === 'bigint' ? String(id) : textOf(id)
    default:
      return typeof id === 'string' || typeof id === 'bigint' || (typeof id === 'number' && !Number.isNaN(id))
        ? id
        : undefined
  }
}

function numberId (id: unknown): Id | undefined {
  // A double has not all the digits: stores with 64 bits compare them.
  if (isBeyondDouble(id)) return BigInt(id as string | bigint)
  const number =
    typeof id === 'string' ? (id.trim() === '' ? NaN : Number(id)) : typeof id === 'bigint' ? Number(id) : id
  if (typeof number !== 'number' || !Number.isFinite(number)) return undefined
  return Number.isInteger(number) && !Number.isSafeInteger(number) ? undefined : number
}

const isBeyondDouble = (id: unknown): boolean => typeof id === 'bigint'
  ? !Number.isSafeInteger(Number(id))
  : typeof id === 'string' && /^-?\d{16,20}$/.test(id) && !Number.isSafeInteger(Number(id))

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
