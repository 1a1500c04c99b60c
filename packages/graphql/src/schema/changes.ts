/** Subscriptions to the changes of models. */
import type { PublishedRoute } from '@fastback/rest'
import { GraphQLEnumType, GraphQLNonNull, GraphQLObjectType } from 'graphql'
import { planOf } from '../execution/plan.js'
import { withRelations } from '../execution/read.js'
import { changesOf, type ShownChange } from '../subscriptions/changes.js'
import { described } from './data-types.js'
import type { ModelEntry } from './entries.js'
import { whereOf } from './filter-types.js'
import { idType } from './id-type.js'
import type { Field, TypeParts } from './object-types.js'

/** The type of what happened, one for a schema. */
export const changeType = (): GraphQLEnumType => new GraphQLEnumType({
  name: 'ChangeType',
  values: {
    create: {},
    update: {},
    remove: { description: 'The row is deleted, or the caller may not see it any more.' },
    gap: { description: 'Changes were missed: read the rows again.' }
  }
})

/** The field of a model's changes. */
export function changesField (
  entry: ModelEntry, route: PublishedRoute, type: GraphQLEnumType, parts: TypeParts
): Field {
  return {
    type: new GraphQLNonNull(new GraphQLObjectType<ShownChange, any>({
      name: parts.names.take(`${entry.name}Change`),
      fields: {
        type: { type: new GraphQLNonNull(type) },
        id: { type: idType(entry, parts), resolve: ({ target }) => target },
        row: {
          type: entry.type,
          description: 'The row as it is now; none where it was removed.',
          resolve: async ({ data }, _args, context, info) => data === undefined
            ? null
            : await withRelations(context, planOf(info, entry, info.fieldNodes), data)
        }
      }
    })),
    ...described(route),
    args: { where: { type: parts.filters.where(entry) } },
    subscribe: async (_, { where }: { where?: Record<string, unknown> | null }, context) =>
      await changesOf(context, route, where === undefined || where === null ? undefined : whereOf(entry, where)),
    resolve: (change: ShownChange) => change
  }
}
