/** Pages of a list by cursors. */
import type { PublishedRoute } from '@fastback/rest'
import { GraphQLBoolean, GraphQLInt, GraphQLList, GraphQLNonNull, GraphQLObjectType, GraphQLString } from 'graphql'
import { selectedFields } from '../execution/collect.js'
import { planOf } from '../execution/plan.js'
import { builtinRoute, readRows } from '../execution/read.js'
import { listOf, type ReadRow } from '../execution/related.js'
import { invalidRequest } from '../request/errors.js'
import { countOf } from '../execution/count.js'
import { described } from './data-types.js'
import type { ModelEntry } from './entries.js'
import { listFilter, rowsArguments } from './list-arguments.js'
import type { Field, TypeParts } from './object-types.js'

interface Page {
  readonly nodes: readonly ReadRow[]
  readonly next: string | undefined
  readonly prev: string | undefined
  readonly where: Record<string, unknown> | null | undefined
}

interface PageArguments {
  readonly where?: Record<string, unknown> | null
  readonly first?: number | null
  readonly last?: number | null
  readonly after?: string | null
  readonly before?: string | null
}

/** The type of `pageInfo`, one for a schema. */
export const pageInfoType = (): GraphQLObjectType => new GraphQLObjectType<Page>({
  name: 'PageInfo',
  fields: {
    hasNextPage: { type: new GraphQLNonNull(GraphQLBoolean), resolve: ({ next }) => next !== undefined },
    hasPreviousPage: { type: new GraphQLNonNull(GraphQLBoolean), resolve: ({ prev }) => prev !== undefined },
    startCursor: { type: GraphQLString, description: 'For "before"; null on the first page.', resolve: ({ prev }) => prev },
    endCursor: { type: GraphQLString, description: 'For "after"; null on the last page.', resolve: ({ next }) => next }
  }
})

export function connectionField (entry: ModelEntry, route: PublishedRoute, parts: TypeParts): Field {
  const count = builtinRoute(entry, 'count')
  const node = new GraphQLNonNull(entry.type)
  const edge = new GraphQLObjectType({
    name: parts.names.take(`${entry.name}Edge`),
    fields: {
      node: { type: node },
      cursor: { type: GraphQLString, description: 'Of the last row for "after", of the first one for "before".' }
    }
  })
  const type = new GraphQLObjectType<Page, any>({
    name: parts.names.take(`${entry.name}Connection`),
    fields: {
      nodes: { type: new GraphQLNonNull(new GraphQLList(node)) },
      edges: {
        type: new GraphQLNonNull(new GraphQLList(new GraphQLNonNull(edge))),
        resolve: ({ nodes, next, prev }) => nodes.map((row, i) => (
          { node: row, cursor: i === nodes.length - 1 ? next ?? (i === 0 ? prev : undefined) : i === 0 ? prev : undefined }
        ))
      },
      pageInfo: { type: new GraphQLNonNull(parts.pageInfo), resolve: page => page },
      ...(count === undefined
        ? {}
        : {
            totalCount: {
              type: parts.values.common.SafeInt,
              description: 'How many rows all pages have.',
              resolve: async ({ where }, _args, context) => await countOf(entry, count, where, context)
            }
          })
    }
  })
  return {
    type,
    ...described(route),
    args: {
      ...rowsArguments(entry, parts.filters),
      first: { type: GraphQLInt, description: 'Rows of the page. Default: 100, or "maxLimit" of the model.' },
      after: { type: GraphQLString },
      last: { type: GraphQLInt },
      before: { type: GraphQLString }
    },
    resolve: async (_, args: PageArguments, context, info): Promise<Page> => {
      const selected = selectedFields(info, type, info.fieldNodes)
      const nodes = selected.flatMap(({ name, nodes }) => name === 'nodes'
        ? nodes
        : name === 'edges' ? selectedFields(info, edge, nodes).flatMap(each => each.name === 'node' ? each.nodes : []) : [])
      const { value, headers } = await readRows(context, route, planOf(info, entry, nodes), {
        filter: { ...listFilter(entry, { ...args }), ...pageOf(args) }
      })
      return {
        nodes: listOf(value), where: args.where,
        next: headers['x-next-cursor'] as string | undefined, prev: headers['x-prev-cursor'] as string | undefined
      }
    }
  }
}

/** @throws RequestError 400 GRAPHQL_INVALID_REQUEST for a page in two directions */
function pageOf ({ first, last, after, before }: PageArguments): Record<string, unknown> {
  const isSet = (value: unknown): boolean => value !== undefined && value !== null
  const isBackwards = isSet(last) || isSet(before)
  if (isBackwards && (isSet(first) || isSet(after))) {
    throw invalidRequest('A page goes in one direction: "first" and "after", or "last" and "before".')
  }
  const limit = isBackwards ? last : first
  return {
    ...(isBackwards ? { before: before ?? '' } : { after: after ?? '' }), ...(isSet(limit) ? { limit } : {})
  }
}
