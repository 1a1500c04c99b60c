/** Queries as the filters that services of LoopBack's form read (service-connectors.md, SC-C3). */
import type { Condition, Id, Query, StoredModel, StoreOptions } from '@fastback/core'
import { filterJson, nameOf } from '@fastback/core/connector'

type Json = Record<string, unknown>

/** The filter of a query. */
export const filterOf = (query: Query, options: StoreOptions, model: StoredModel): Json =>
  filterJson({ ...query, limit: askedLimit(query, options) }, model)

/** The limit that somebody asked for: requests from outside are bound by one more than a response may have. */
function askedLimit ({ limit }: Query, { work }: StoreOptions): number | undefined {
  return work !== undefined && limit === work.rows + 1 ? undefined : limit
}

/** The id of a query for one row and nothing else (SC-C5). */
export function onlyId (query: Query, model: StoredModel): Id | undefined {
  const { limit, skip, order, where } = query
  return limit === 1 && skip === 0 && order.length === 0 ? idOf(where, model) : undefined
}

/** The id that a condition is about, if it is about nothing else. */
export function idOf (where: Condition | undefined, model: StoredModel): Id | undefined {
  if (where === undefined || model.id === undefined) return undefined
  const only = where.kind === 'and' && where.conditions.length === 1 ? where.conditions[0] as Condition : where
  if (only.kind !== 'compare' || only.op !== 'eq' || nameOf(only.path) !== model.id.name) return undefined
  const { value } = only
  return typeof value === 'string' || typeof value === 'number' || typeof value === 'bigint' ? value : undefined
}

/** A condition in two parts: what rules of access say of rows, and all else. */
export interface PartedWhere { readonly rules: Condition | undefined, readonly others: Condition | undefined }

/** A service may know no conditions: what rules say is looked at again in the rows that come back (S-200). */
export function partedWhere (where: Condition | undefined): PartedWhere {
  if (where?.kind !== 'and') return { rules: undefined, others: where }
  if (where.byRules === true) return { rules: where, others: undefined }
  const parts = where.conditions.map(partedWhere)
  if (parts.every(({ rules }) => rules === undefined)) return { rules: undefined, others: where }
  const all = (found: ReadonlyArray<Condition | undefined>): Condition | undefined => {
    const conditions = found.filter(each => each !== undefined)
    return conditions.length > 1 ? { kind: 'and', conditions } : conditions[0]
  }
  return { rules: all(parts.map(({ rules }) => rules)), others: all(parts.map(({ others }) => others)) }
}
