import { GraphQLID, type GraphQLInputType, type GraphQLOutputType } from 'graphql'
import type { ModelEntry } from './entries.js'
import type { TypeParts } from './object-types.js'

/** The type of a model's ids. */
export function idType (
  entry: ModelEntry, { values }: Pick<TypeParts, 'values'>
): GraphQLInputType & GraphQLOutputType {
  const { id } = entry.Model.compiled
  return id === undefined ? GraphQLID : values.of(entry, id).input as GraphQLInputType & GraphQLOutputType
}
