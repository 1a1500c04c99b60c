/** The total of a list, in headers beside the rows of one page. */
import type { OperationOptions, SharedMethod } from '@fastback/core'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { RemoteContext } from '../hooks/context.js'
import { PagedResult } from '../rows/open-pages.js'
import { joinHeader } from './join-header.js'
import { prefers } from './preferences.js'

/** When lists are counted: never, when the request has `Prefer: count=exact`, or always. */
export type TotalCount = false | 'asked' | true

/**
 * Whether a method may give a list whose rows another method of the same object counts: `find`, and the lists of
 * relations and scopes.
 */
export const isCountable = (method: SharedMethod): boolean =>
  method.builtin === 'find' || method.name.startsWith('__get__')

/** Whether the total of this request's list is wanted. */
export const wantsTotal = (setting: TotalCount, { headers }: FastifyRequest): boolean =>
  setting === true || (setting === 'asked' && prefers(headers.prefer, /^count\s*=\s*"?exact"?$/i))

type Count = (where: unknown, options: OperationOptions) => Promise<number>

/**
 * Counts what the list's filter selects without its page, and sets `X-Total-Count`, `Content-Range` (`items 10-19/45`)
 * and what lets pages of other origins read them. Goes by the arguments as remote hooks left them; scopes and `access`
 * hooks of the model apply as they do to the rows.
 */
export async function addTotal (
  method: SharedMethod,
  context: RemoteContext,
  setting: TotalCount,
  reply: FastifyReply
): Promise<void> {
  if (setting === 'asked') joinHeader(reply, 'vary', ['Prefer'])
  const { result } = context
  const isPaged = result instanceof PagedResult
  if (!(isPaged || Array.isArray(result)) || !wantsTotal(setting, context.request)) return
  const target = context.getScope() as unknown as Record<string, Count | undefined>
  const name = method.builtin === 'find' ? 'count' : method.name.replace('__get__', '__count__')
  if (typeof target[name] !== 'function') return
  const { where, skip, offset } = (context.args.filter ?? {}) as { where?: unknown; skip?: unknown; offset?: unknown }
  const total = await target[name](where, context.args.options as OperationOptions)
  reply.header('x-total-count', String(total))
  // Of rows that are still to be read nobody knows how many they are.
  if (!isPaged) reply.header('content-range', rangeOf(Number(skip ?? offset ?? 0), result.length, total))
  joinHeader(reply, 'access-control-expose-headers', ['X-Total-Count', 'Content-Range'])
  if (setting === 'asked') reply.header('preference-applied', 'count=exact')
}

const rangeOf = (first: number, rows: number, total: number): string =>
  rows === 0 ? `items */${total}` : `items ${first}-${first + rows - 1}/${total}`
