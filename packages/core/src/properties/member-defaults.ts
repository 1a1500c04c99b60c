/**
 * Defaults of an object's members (`{ address: { city: { type: 'string', default: 'Oslo' } } }`) in rows that were
 * stored without them: as in LoopBack an object that is there has them, whatever the model says of its own defaults.
 */
import type { PropertyType } from './types.js'

/**
 * Whether values of a type may lack what a member begins with.
 *
 * ```js
 * hasMemberDefaults({ kind: 'array', items: address }) // true where `address` has them
 * ```
 */
export function hasMemberDefaults ({ defaults, items, members }: PropertyType): boolean {
  return defaults !== undefined ||
    (items !== undefined && hasMemberDefaults(items)) ||
    (members !== undefined && Object.values(members).some(hasMemberDefaults))
}

/**
 * A stored value with the defaults of its members; the value itself stays as it is, as a store may hold it.
 *
 * ```js
 * withMemberDefaults(address, { street: 'Storgata' }) // { street: 'Storgata', city: 'Oslo' }
 * ```
 */
export function withMemberDefaults (type: PropertyType, value: unknown): unknown {
  if (value === null || typeof value !== 'object' || !hasMemberDefaults(type)) return value
  const { defaults, items, members } = type
  if (Array.isArray(value)) {
    return items === undefined ? value : value.map(item => withMemberDefaults(items, item))
  }
  if (members === undefined) return value
  const filled: Record<string, unknown> = { ...value }
  for (const [name, member] of Object.entries(members)) {
    const own = filled[name]
    if (own !== undefined) filled[name] = withMemberDefaults(member, own)
    else if (defaults?.has(name) === true) filled[name] = defaults.get(name)?.()
  }
  return filled
}
