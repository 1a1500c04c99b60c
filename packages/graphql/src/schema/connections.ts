/** Pages of a list by cursors. */
import type { PublishedRoute } from '@fastback/rest'
import {
  GraphQLBoolean, GraphQLInt, GraphQLList, GraphQLNonNull, GraphQLObjectType, GraphQLString, type FieldNode
} from 'graphql'
import { selectedFields, type Info, type Selected } from '../execution/collect.js'
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
        resolve: page => page.nodes.map((node, i) => ({ node, cursor: cursorAt(page, i) }))
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
      const nodes = rowFields(info, edge, selectedFields(info, type, info.fieldNodes))
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

/** The cursors of a page stand at its ends. */
const cursorAt = ({ nodes, next, prev }: Page, position: number): string | undefined =>
  (position === nodes.length - 1 ? next : undefined) ?? (position === 0 ? prev : undefined)

/** The fields that give the rows of a page: `nodes`, and `node` of `edges`. */
const rowFields = (info: Info, edge: GraphQLObjectType, selected: readonly Selected[]): FieldNode[] =>
  selected.flatMap(({ name, nodes }) => {
    if (name === 'nodes') return nodes
    return name === 'edges' ? selectedFields(info, edge, nodes).flatMap(each => each.name === 'node' ? each.nodes : []) : []
  })

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
