/** What a write is made for: the state of the row that it expects, and the key of its repeats. */
import type { PublishedRoute } from '@fastback/rest'
import { GraphQLInt, GraphQLNonNull, GraphQLString, type GraphQLFieldConfigArgumentMap } from 'graphql'
import type { ModelEntry } from './entries.js'

/** Arguments of a mutation in addition to those of its method. */
export function writeArguments (entry: ModelEntry, route: PublishedRoute): GraphQLFieldConfigArgumentMap {
  const { state } = route.response
  const { version } = entry.Model.compiled
  return {
    ...(state?.compares === true && version !== undefined
      ? {
          ifVersion: {
            type: state.requires ? new GraphQLNonNull(GraphQLInt) : GraphQLInt,
            description: `Writes only where "${version.name}" of the row is this.`
          }
        }
      : {}),
    ...(route.idempotencyKey === undefined
      ? {}
      : {
          idempotencyKey: {
            type: route.idempotencyKey === 'required' ? new GraphQLNonNull(GraphQLString) : GraphQLString,
            description: 'Of repeats with one key only the first is done.'
          }
        })
  }
}

/** The same arguments, as REST has them. */
export function writeHeaders (args: Readonly<Record<string, unknown>>): Record<string, string> {
  const { ifVersion, idempotencyKey } = args
  return {
    ...(typeof ifVersion === 'number' ? { 'if-match': `"${ifVersion}"` } : {}),
    ...(typeof idempotencyKey === 'string' ? { 'idempotency-key': idempotencyKey } : {})
  }
}
