/** How many rows match a condition. */
import type { PublishedRoute } from '@fastback/rest'
import type { ModelEntry } from '../schema/entries.js'
import { whereOf } from '../schema/filter-types.js'
import { callMethod, memberOf, type CallContext } from './call.js'

export async function countOf (
  entry: ModelEntry, route: PublishedRoute, where: Readonly<Record<string, unknown>> | null | undefined,
  context: CallContext
): Promise<unknown> {
  const query = where === undefined || where === null ? {} : { where: whereOf(entry, where) }
  return memberOf(await callMethod(context, route, { query }), 'count')
}
