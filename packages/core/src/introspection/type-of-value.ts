/** What types the values of an example have (discovery.md, IN-1 to IN-3). */
import { TooDeepError } from '../errors.js'
import { GeoPoint } from '../properties/geo-point.js'

/** Levels that an example may have (IN-10). */
const maxDepth = 32

/**
 * The type of a value, as it stands in a definition: `'string'`, `['number']`, an object of members for an object. Of a
 * list the first item that is not null counts.
 *
 * ```js
 * typeOfValue({ name: 'Ada', tags: ['a'] }) // { name: 'string', tags: ['string'] }
 * ```
 * @throws FBK_CORE_TOO_DEEP
 */
export function typeOfValue (value: unknown, depth = 0): unknown {
  if (depth > maxDepth) throw new TooDeepError(maxDepth)
  if (value === null || value === undefined) return 'Any'
  if (value instanceof Date) return 'date'
  if (Buffer.isBuffer(value)) return 'binary'
  if (value instanceof GeoPoint) return 'geopoint'
  if (Array.isArray(value)) {
    const first: unknown = value.find(item => item !== null && item !== undefined)
    return first === undefined ? 'array' : [typeOfValue(first, depth + 1)]
  }
  if (typeof value === 'function') return 'Function'
  if (typeof value !== 'object') return typeof value
  const members = Object.entries(value)
    .filter(([name]) => name !== '__proto__')
    .map(([name, member]) => [name, typeOfValue(member, depth + 1)])
  return members.length === 0 ? 'object' : Object.fromEntries(members)
}
