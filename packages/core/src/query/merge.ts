/** Puts filters together, as they are written (juggler's `mergeQuery`) and as they have been read. */
import type { Condition } from './ast.js'
import { isPlainObject } from './parse-context.js'

type Filter = Record<string, unknown>

/**
 * A filter with a scope on top, both as JSON; neither is changed. Conditions must both hold, includes are put together
 * (the scope's win), the scope's `fields`, `limit`, `skip` and `offset` replace the filter's, its `order` counts only
 * where the filter has none.
 *
 * ```js
 * mergeFilters({ where: { a: 1 }, limit: 5 }, { where: { b: 2 }, limit: 1 })
 * // { where: { and: [{ a: 1 }, { b: 2 }] }, limit: 1 }
 * ```
 */
export function mergeFilters (base: object | undefined, scope: object | undefined): object | undefined {
  if (scope === undefined) return base
  if (base === undefined) return { ...scope }
  const filter = base as Filter
  const added = scope as Filter
  const merged: Filter = { ...filter }
  const where = mergeWhere(filter.where, added.where)
  if (where !== undefined) merged.where = where
  if (isGiven(added.include)) merged.include = mergeIncludes(filter.include, added.include)
  if (!isGiven(filter.order) && isGiven(added.order)) merged.order = added.order
  for (const key of ['fields', 'limit', 'skip', 'offset']) if (added[key] !== undefined) merged[key] = added[key]
  return merged
}

function mergeWhere (where: unknown, added: unknown): unknown {
  if (isEmpty(added)) return where
  return isEmpty(where) ? added : { and: [where, added] }
}

const isEmpty = (where: unknown): boolean =>
  where === undefined || where === null || (typeof where === 'object' && Object.keys(where).length === 0)

/** Whether a member of a filter says anything. */
export const isGiven = (value: unknown): boolean => value !== undefined && value !== null && value !== ''

function mergeIncludes (base: unknown, added: unknown): unknown {
  if (!isGiven(base)) return added
  const entries = entriesOf(added)
  const names = new Set(entries.map(nameOf))
  return [...entries, ...entriesOf(base).filter(entry => !names.has(nameOf(entry)))]
}

/** An include as a list of its relations. */
function entriesOf (include: unknown): unknown[] {
  if (Array.isArray(include)) return include.flatMap(entriesOf)
  if (typeof include === 'string') return include.split(',').map(name => name.trim())
  if (!isPlainObject(include) || isRelation(include)) return [include]
  return Object.keys(include).map(name => ({ [name]: include[name] }))
}

const isRelation = (include: Filter): boolean => typeof (include.relation ?? include.rel) === 'string'

function nameOf (entry: unknown): unknown {
  if (!isPlainObject(entry)) return entry
  return isRelation(entry) ? entry.relation ?? entry.rel : Object.keys(entry)[0]
}

/**
 * Both conditions, where there are two.
 *
 * ```js
 * const where = bothConditions(query.where, idCondition(model, 7))
 * ```
 */
export function bothConditions (a: Condition | undefined, b: Condition | undefined): Condition | undefined {
  if (a === undefined || b === undefined) return a ?? b
  return { kind: 'and', conditions: [a, b] }
}
