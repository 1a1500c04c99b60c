/** Keys of an application's own in filters (`deleted`, `page`), which its `access` hooks read. */
import { isPlainObject } from '../query/parse-context.js'
import { unknownKeys, type PartsOf } from '../query/parse.js'

/**
 * A filter as it is judged before `access` hooks have it: its other keys may be theirs.
 *
 * ```js
 * withoutOwnKeys(Note.compiled, { where: { stars: 5 }, deleted: true }) // { where: { stars: 5 } }
 * ```
 */
export function withoutOwnKeys (model: PartsOf, filter: unknown): unknown {
  if (!isPlainObject(filter)) return filter
  const own = unknownKeys(model, filter)
  return own.length === 0 ? filter : Object.fromEntries(Object.entries(filter).filter(([key]) => !own.includes(key)))
}

/**
 * Watches who reads keys of an application's own in a query that hooks get.
 *
 * ```js
 * const forget = watchOwnKeys(Note.compiled, query)
 * if (query.deleted === true) query.where = { gone: true }
 * forget() // query has no "deleted" any more
 * ```
 * @returns takes those that were read out of it; the others are nobody's
 */
export function watchOwnKeys (model: PartsOf, query: Record<string, unknown>): () => void {
  const read = new Set<string>()
  for (const key of unknownKeys(model, query)) {
    let value = query[key]
    Object.defineProperty(query, key, {
      get: () => { read.add(key); return value },
      set: (given: unknown) => { value = given },
      enumerable: true,
      configurable: true
    })
  }
  return () => { for (const key of read) Reflect.deleteProperty(query, key) }
}
