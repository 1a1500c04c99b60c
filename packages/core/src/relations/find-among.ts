/** Related rows by a list of keys: one query, or several where the store is not to be given long lists (`inqLimit`). */
import type { CompiledModel } from '../interfaces/compiled-model.js'
import { eachInTurn, chain, type MaybePromise } from '../maybe-promise.js'
import type { OperationOptions } from '../interfaces/operation-options.js'
import { keysPerQuery } from '../operations/keys-per-query.js'
import { findRows } from '../operations/read.js'
import type { Row } from '../properties/types.js'
import { nearOf } from '../query/match.js'
import { mergeFilters } from '../query/merge.js'
import { compileOrder } from '../query/order.js'
import { parseFilter } from '../query/parse.js'
import { defaultQueryLimits } from '../query/limits.js'
import { WORK } from '../query/work.js'
import type { Page } from './group.js'
import { demanding, narrowed, type Filter } from './related-query.js'

export interface Among {
  /** The property that holds the key, and the keys. */
  readonly property: string
  readonly keys: readonly unknown[]
  /** What the rows must have besides. */
  readonly kind?: Row
  /** The relation's own filter. */
  readonly scope?: Filter | undefined
}

/**
 * Rows that have one of the keys, in the order of the filter. The key is among what is read, whatever `fields` the
 * caller asks for.
 * @param filter the caller's; what is in `among` is the framework's own
 */
export function findAmong (
  model: CompiledModel,
  filter: Filter | undefined,
  options: OperationOptions,
  among: Among
): MaybePromise<Row[]> {
  const { keys, property, kind, scope } = among
  if (keys.length === 0) return []
  const find = (asked: Filter | undefined, some: readonly unknown[]): MaybePromise<Row[]> =>
    findRows(model, asked, options, demanding(narrowed(scope, { [property]: { inq: some }, ...kind }), asked, property))
  const most = keysPerQuery(model)
  if (keys.length <= most) return find(filter, keys)
  const whole = parseFilter(model, mergeFilters({ ...filter }, demanding(scope ?? {}, filter, property)), {
    external: false,
    limits: defaultQueryLimits
  })
  // Nearness is an order that rows do not show.
  if (nearOf(whole.where) !== undefined) return find(filter, keys)
  // What `fields` leaves out may be what the rows are ordered by.
  const { fields: _, ...unpicked } = filter ?? {}
  const asked = whole.order.length === 0 ? filter : unpicked
  const rows: Row[] = []
  const parts = Array.from({ length: Math.ceil(keys.length / most) }, (_, index) =>
    keys.slice(index * most, (index + 1) * most)
  )
  return chain(
    eachInTurn(parts, part =>
      chain(find(asked, part), found => {
        for (const row of found) rows.push(row)
      })
    ),
    () => {
      rows.sort(compileOrder(whole.order, model))
      if (asked !== filter) {
        for (const row of rows) for (const name of Object.keys(row)) if (!isSelected(name)) delete row[name]
      }
      return rows
    }
  )

  function isSelected (name: string): boolean {
    const { names, extra } = whole.select
    return model.propertyByName.has(name)
      ? names.includes(name)
      : extra === 'all' || (extra !== 'none' && extra.includes(name))
  }
}

/** Rows that are read for pages without asking how many of them the pages need. */
const fewForPages = 1_000

/**
 * Likewise, where each key's rows are a list of which a page is wanted: at least the rows of every page, in the order
 * of the filter. One query gives them where they are not many more than the pages hold; otherwise each key has one of
 * its own, so that a small page of a long list costs little.
 */
export function findPagesAmong (
  model: CompiledModel, filter: Filter | undefined, options: OperationOptions, among: Among, { skip, limit }: Page
): MaybePromise<Row[]> {
  if (limit === undefined) return findAmong(model, filter, options, among)
  const perKey = skip + limit
  const limited = (to: number, keys: readonly unknown[]): MaybePromise<Row[]> =>
    findAmong(model, filter, options, { ...among, keys, scope: { ...among.scope, limit: to } })
  if (among.keys.length <= 1) return limited(perKey, among.keys)
  const most = Math.min(Math.max(fewForPages, 4 * perKey * among.keys.length), options[WORK]?.rows ?? Infinity)
  return chain(limited(most, among.keys), found => {
    if (found.length < most) return found
    const rows: Row[] = []
    const add = (some: Row[]): void => { for (const row of some) rows.push(row) }
    return chain(eachInTurn(among.keys, key => chain(limited(perKey, [key]), add)), () => rows)
  })
}
