/** Values of rows in cursors: JSON from which they come back exactly. */
import type { PropertyOrder } from './ast.js'
import type { Row } from '../properties/types.js'

/** A value that JSON does not have: its kind, and a text or number of which it is made again. */
type Tagged = readonly ['date', number] | readonly ['bigint' | 'number', string]

/**
 * What rows are ordered by, of one row.
 *
 * ```js
 * writeValues(terms, { id: 7, at: new Date(0) }) // [["date", 0], 7]
 * ```
 */
export const writeValues = (terms: readonly PropertyOrder[], row: Row): unknown[] =>
  terms.map(({ path }) => written(row[path.property]))

/**
 * A row that has these values, and no others. Undefined: it is not of as many terms.
 *
 * ```js
 * readValues(terms, [["date", 0], 7]) // { id: 7, at: new Date(0) }
 * ```
 */
export function readValues (terms: readonly PropertyOrder[], values: unknown): Row | undefined {
  if (!Array.isArray(values) || values.length !== terms.length) return undefined
  return Object.fromEntries(terms.map(({ path }, i) => [path.property, read(values[i])]))
}

function written (value: unknown): unknown {
  if (value instanceof Date) return ['date', value.getTime()] satisfies Tagged
  if (typeof value === 'bigint') return ['bigint', String(value)] satisfies Tagged
  if (typeof value === 'number' && !Number.isFinite(value)) return ['number', String(value)] satisfies Tagged
  return value ?? null
}

function read (value: unknown): unknown {
  if (!Array.isArray(value)) return value
  const [kind, of] = value as unknown as Tagged
  return kind === 'date' ? new Date(of) : kind === 'bigint' ? BigInt(of) : Number(of)
}
