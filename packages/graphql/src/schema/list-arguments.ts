/** What a list is asked with. */
import { GraphQLInt, GraphQLList, GraphQLNonNull, type GraphQLFieldConfigArgumentMap } from 'graphql'
import type { ModelEntry } from './entries.js'
import { whereOf, type FilterTypes } from './filter-types.js'

/** Which rows, in which order. */
export function rowsArguments (entry: ModelEntry, filters: FilterTypes): GraphQLFieldConfigArgumentMap {
  const order = filters.order(entry)
  return {
    where: { type: filters.where(entry) },
    ...(order === undefined ? {} : { order: { type: new GraphQLList(new GraphQLNonNull(order)) } })
  }
}

export const listArguments = (entry: ModelEntry, filters: FilterTypes): GraphQLFieldConfigArgumentMap => ({
  ...rowsArguments(entry, filters),
  limit: { type: GraphQLInt },
  skip: { type: GraphQLInt }
})

/** The same as members of a filter. */
export function listFilter (entry: ModelEntry, args: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const { where, order, limit, skip } = args
  return {
    ...(where === undefined || where === null ? {} : { where: whereOf(entry, where as Record<string, unknown>) }),
    ...(order === undefined || order === null || (order as unknown[]).length === 0 ? {} : { order }),
    ...(limit === undefined || limit === null ? {} : { limit }),
    ...(skip === undefined || skip === null ? {} : { skip })
  }
}
