/** The cursors of a page, in headers beside its rows. */
import type { OperationOptions, SharedMethod } from '@fastback/core'
import { PAGE_ENDS, type PageEnds } from '@fastback/core/remote'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { joinHeader } from './join-header.js'
import { isCountable } from './total-count.js'
import { pageUrls } from './page-urls.js'

/** Which argument of a method is the filter of a list that has pages: of `find`, and of relations and scopes. */
export const filterOfPages = (method: SharedMethod): number =>
  isCountable(method) ? method.accepts.findIndex(({ arg }) => arg === 'filter') : -1

/** Whether a filter asks for a page with cursors, as far as it is one. */
export const asksForPage = (filter: unknown): boolean => {
  if (filter === null || typeof filter !== 'object') return false
  const { after, before } = filter as { after?: unknown, before?: unknown }
  return after !== undefined || before !== undefined
}

/** What the operation of these options tells the cursors of its page, where its filter asks for them. */
export function watchPage (options: OperationOptions): PageEnds {
  const ends: PageEnds = {}
  options[PAGE_ENDS] = ends
  return ends
}

/**
 * Sets `X-Next-Cursor`, `X-Prev-Cursor` and `Link` (RFC 8288), whose addresses are that of the request with another
 * cursor, and what lets pages of other origins read them.
 */
export function addCursors (ends: PageEnds, { originalUrl }: FastifyRequest, reply: FastifyReply): void {
  // Nobody has told anything: no page was read.
  if (!('next' in ends)) return
  const { next, prev } = ends
  if (next !== undefined) reply.header('x-next-cursor', next)
  if (prev !== undefined) reply.header('x-prev-cursor', prev)
  const urlWith = pageUrls(originalUrl)
  const links = [
    ...(next === undefined ? [] : [`<${urlWith('after', next)}>; rel="next"`]),
    ...(prev === undefined ? [] : [`<${urlWith('before', prev)}>; rel="prev"`])
  ]
  if (links.length > 0) {
    const given = reply.getHeader('link')
    reply.header('link', [...(given === undefined ? [] : [given].flat()), ...links].join(', '))
  }
  joinHeader(reply, 'access-control-expose-headers', ['X-Next-Cursor', 'X-Prev-Cursor', 'Link'])
}
