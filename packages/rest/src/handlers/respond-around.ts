/** Calls of built-in operations that something stands around: conditions on a row, pages, plans, values of clients. */
import type { MaybePromise, OperationOptions } from '@fastback/core'
import { chain, isPromise } from '@fastback/core/connector'
import type { PageEnds } from '@fastback/core/remote'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { RowCall } from '../conditions/row-call.js'
import type { ClientWrites } from './client-writes.js'
import { respondExists, respondHead } from './exists.js'
import type { ExplainedList } from './explained-list.js'
import { joinHeader } from './join-header.js'
import { addCursors } from './page-cursors.js'
import { respondText, sendNotModified } from './send.js'

type Text = MaybePromise<string | undefined>

/** What a request has around its call; undefined where it does not have it. */
export interface Around {
  readonly request: FastifyRequest
  readonly reply: FastifyReply
  readonly values: unknown[]
  readonly options: OperationOptions
  readonly ends: PageEnds | undefined
  readonly row: RowCall | undefined
  /** Whether the request is HEAD of `exists`. */
  readonly isHead: boolean
  readonly explained: ExplainedList | undefined
}

/** What a route has around each of its calls. */
export interface AroundRoute {
  readonly offered: readonly string[]
  readonly clientWrites: ClientWrites | undefined
}

/** Makes a call with what stands around it; what Fastify gets of it. */
export function respondAround (
  { offered, clientWrites }: AroundRoute,
  call: () => Text,
  { request, reply, values, options, ends, row, isHead, explained }: Around
): unknown {
  if (row !== undefined && isHead) return respondHead(row, reply)
  const written = (): Text => clientWrites === undefined
    ? explained?.text(values, call) ?? call()
    : chain(clientWrites(values, request, options), call)
  const text = row === undefined ? written() : row.around(written)
  if (offered.length > 1) joinHeader(reply, 'vary', ['Accept'])
  if (isHead) return respondExists(text, reply)
  if (isPromise(text)) {
    return text.then(value => {
      if (ends !== undefined) addCursors(ends, request, reply)
      return respondRow(row, value, reply)
    })
  }
  if (ends !== undefined) addCursors(ends, request, reply)
  return respondAtOnce(row, text, reply)
}

/** A text with the headers of the row that it is, or 304. */
export const respondRow = (row: RowCall | undefined, text: string | undefined, reply: FastifyReply): unknown =>
  row?.finish(text) === true ? sendNotModified(reply) : respondText(text, reply)

/**
 * The same in the handler itself. A reply is a promise of its end: Fastify would wait for that, where nobody does. Who
 * awaits the handler gives the reply all the same: for a promise of nothing Fastify sends a response of its own.
 */
export function respondAtOnce (row: RowCall | undefined, text: string | undefined, reply: FastifyReply): unknown {
  const sent = respondRow(row, text, reply)
  return sent === reply ? undefined : sent
}
