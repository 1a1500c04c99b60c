/** Conditions as people would write them. */
import type { Where } from './template.js'

const always: Where = { and: [] }

const isAlways = (where: Where): boolean =>
  Object.keys(where).length === 0 || (Array.isArray(where.and) && where.and.length === 0)

/**
 * The same condition without the `and`, `or` and `nor` that say nothing.
 *
 * ```js
 * tidyWhere({ and: [{ ownerId: 7 }, { nor: [] }] }) // { ownerId: 7 }
 * ```
 */
export function tidyWhere (where: Where): Where {
  const [[key, value] = [], ...others] = Object.entries(where)
  if (others.length > 0 || !Array.isArray(value)) return where
  const parts = (value as Where[]).map(tidyWhere)
  switch (key) {
    case 'and': {
      const left = parts.filter(part => !isAlways(part))
      return left.length === 1 ? left[0] as Where : { and: left }
    }
    case 'or': return parts.length === 1 ? parts[0] as Where : { or: parts }
    case 'nor': return parts.length === 0 ? always : { nor: parts }
    default: return where
  }
}
