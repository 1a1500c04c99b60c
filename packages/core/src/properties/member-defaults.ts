/**
 * Defaults of an object's members (`{ address: { city: { type: 'string', default: 'Oslo' } } }`) in rows that were
 * stored without them: as in LoopBack an object that is there has them, whatever the model says of its own defaults.
 */
import type { PropertyType } from './types.js'

type Fill = (value: unknown) => unknown

/**
 * Compiles what gives a stored value the defaults of its members; undefined where no member has one. The value itself
 * stays as it is, as a store may hold it.
 *
 * ```js
 * compileMemberDefaults(address)?.({ street: 'Storgata' }) // { street: 'Storgata', city: 'Oslo' }
 * ```
 */
export function compileMemberDefaults ({ defaults, items, members }: PropertyType): Fill | undefined {
  const fillItem = items === undefined ? undefined : compileMemberDefaults(items)
  const fillMembers = Object.entries(members ?? {}).flatMap(([name, type]) => {
    const fill = compileMemberDefaults(type)
    const makeDefault = defaults?.get(name)
    return fill === undefined && makeDefault === undefined ? [] : [{ name, fill, makeDefault }]
  })
  if (fillItem === undefined && fillMembers.length === 0) return undefined
  return value => {
    if (value === null || typeof value !== 'object') return value
    if (Array.isArray(value)) return fillItem === undefined ? value : value.map(fillItem)
    if (fillMembers.length === 0) return value
    const filled: Record<string, unknown> = { ...value }
    for (const { name, fill, makeDefault } of fillMembers) {
      const own = filled[name]
      if (own === undefined) {
        if (makeDefault !== undefined) filled[name] = makeDefault()
      } else if (fill !== undefined) filled[name] = fill(own)
    }
    return filled
  }
}
