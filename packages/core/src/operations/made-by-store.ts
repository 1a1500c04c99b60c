/** What a store makes of a row that it is given: values that it works out, rounds or writes another way. */
import type { Row } from '../properties/types.js'
import { deepEqual } from '../query/equal.js'

/**
 * The values of a stored row that are not those that were handed in; undefined where all are.
 *
 * ```js
 * madeByStore({ price: 1.239 }, { id: 1, price: 1.24 }) // { id: 1, price: 1.24 }
 * ```
 * @param names of the properties that are looked at. Default: all that the stored row has
 */
export function madeByStore (
  given: Readonly<Row>, stored: Readonly<Row>, names: readonly string[] = Object.keys(stored)
): Row | undefined {
  let made: Row | undefined
  for (const name of names) {
    const value = stored[name]
    if (value === undefined || value === given[name] || deepEqual(value, given[name])) continue
    made ??= {}
    made[name] = value
  }
  return made
}
