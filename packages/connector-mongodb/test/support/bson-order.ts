/** BSON's order of values, as `sort` has it. */
import type { Document } from 'mongodb'

const typeOf = (value: unknown): string => (value as { _bsontype?: string } | null | undefined)?._bsontype ?? ''

function rankOf (value: unknown): number {
  if (value === undefined || value === null) return 1
  if (typeof value === 'number' || ['Long', 'Int32', 'Double', 'Decimal128'].includes(typeOf(value))) return 2
  if (typeof value === 'string') return 3
  if (typeOf(value) === 'Binary') return 6
  if (typeOf(value) === 'ObjectId') return 7
  if (typeof value === 'boolean') return 8
  if (value instanceof Date) return 9
  return Array.isArray(value) ? 5 : 4
}

/** Something that JavaScript compares in the same order, for values of one rank. */
function keyOf (value: unknown): number | string | Buffer {
  if (value instanceof Date) return value.getTime()
  if (typeof value === 'string') return value
  if (typeOf(value) === 'ObjectId') return String(value)
  if (typeOf(value) === 'Binary') return Buffer.from((value as { buffer: Uint8Array }).buffer).toString('latin1')
  return typeof value === 'object' && typeOf(value) === '' ? JSON.stringify(value) : Number(String(value === true ? 1 : value === false ? 0 : value))
}

export function compareBson (a: unknown, b: unknown): number {
  const rank = rankOf(a) - rankOf(b)
  if (rank !== 0 || rankOf(a) === 1) return rank
  if (typeof a === 'string' && typeof b === 'string') return Buffer.compare(Buffer.from(a), Buffer.from(b))
  const [first, second] = [keyOf(a), keyOf(b)]
  return first < second ? -1 : first > second ? 1 : 0
}

/** The value that a document is sorted by: of a list its least element, or its greatest when descending. */
export function sortValue (document: Document, path: string, direction: number): unknown {
  const values = valuesAt(document, path.split('.')).flatMap(value => Array.isArray(value) && value.length > 0 ? value : [value])
  const [first] = values
  return values.reduce((chosen: unknown, value) => compareBson(value, chosen) * direction < 0 ? value : chosen, first)
}

export function valuesAt (value: unknown, parts: readonly string[]): unknown[] {
  const [part, ...rest] = parts
  if (part === undefined) return [value]
  if (Array.isArray(value)) {
    const elements = value.filter(element => element !== null && typeof element === 'object' && !Array.isArray(element))
    return [...(/^\d+$/.test(part) ? valuesAt(value[Number(part)], rest) : []), ...elements.flatMap(element => valuesAt(element, parts))]
  }
  return value !== null && typeof value === 'object' ? valuesAt((value as Document)[part], rest) : [undefined]
}
