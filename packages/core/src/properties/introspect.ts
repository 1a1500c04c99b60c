/** What types the values of an example have. */

/**
 * The type of a value, as it stands in a definition: `'string'`, `['number']`, an object of members for an object.
 *
 * ```js
 * typeOfValue({ name: 'Ada', tags: ['a'] }) // { name: 'string', tags: ['string'] }
 * ```
 */
export function typeOfValue (value: unknown): unknown {
  if (value === null || value === undefined) return 'any'
  if (value instanceof Date) return 'date'
  if (Buffer.isBuffer(value)) return 'buffer'
  if (Array.isArray(value)) {
    const first: unknown = value.find(item => item !== null && item !== undefined)
    return first === undefined ? 'array' : [typeOfValue(first)]
  }
  if (typeof value !== 'object') return typeof value === 'function' ? 'any' : typeof value
  const members = Object.entries(value).map(([name, member]) => [name, typeOfValue(member)])
  return members.length === 0 ? 'object' : Object.fromEntries(members)
}
