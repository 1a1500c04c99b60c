/**
 * How large a response gets by what is included: a row that a hundred others show is there once in memory, but stands
 * in the answer a hundred times, with all that is included with it.
 */
import { includedOf } from '../instances/included.js'
import type { Row } from '../properties/types.js'
import type { Work } from './work.js'
import type { Weight } from './row-weight.js'

/**
 * Weighs rows with what was included with them last.
 * @throws RequestError 400 QUERY_TOO_EXPENSIVE when the rows together are more than a response may have
 */
export function weigh (rows: readonly Row[], work: Work): void {
  let sum = 0
  let bytes = 0
  for (const row of rows) {
    const weight = add(row, work.weights.get(row)?.own ?? charactersOf(row), work)
    sum += weight.rows
    bytes += weight.bytes
  }
  work.spend(rows.length)
  work.mustHold(sum, bytes)
}

function add (row: Row, own: number, work: Work): Weight {
  const weight = { rows: 1, bytes: own, own }
  const included = includedOf(row)
  if (included !== undefined) {
    for (const name of Object.keys(included)) {
      const found = included[name]
      if (found === undefined || found === null) continue
      for (const related of Array.isArray(found) ? found : [found]) {
        const { rows, bytes } = work.weights.get(related) ?? add(related, charactersOf(related), work)
        weight.rows += rows
        weight.bytes += bytes
      }
    }
  }
  work.weights.set(row, weight)
  return weight
}

/**
 * About as many characters as a value has in JSON.
 *
 * ```js
 * charactersOf({ title: 'hello' }) // 18
 * ```
 */
export function charactersOf (value: unknown): number {
  if (typeof value === 'string') return value.length + 2
  if (value === null || typeof value !== 'object') return 8
  if (value instanceof Uint8Array) return 4 * value.length
  if (value instanceof Date) return 26
  let characters = 2
  if (Array.isArray(value)) for (const item of value as unknown[]) characters += 1 + charactersOf(item)
  else for (const key of Object.keys(value)) characters += key.length + 4 + charactersOf((value as Row)[key])
  return characters
}
