import { chain, isPromise } from '@fastback/core/connector'
import type { FastifyReply } from 'fastify'
import type { RowCall } from '../conditions/row-call.js'
import { commonHeaders, sendNotModified } from './send.js'

/** `HEAD /:id`: 200 or 404, nothing else. */
export function respondExists (answer: unknown, reply: FastifyReply): unknown {
  if (isPromise(answer)) return answer.then(value => respondExists(value, reply))
  return commonHeaders(reply).code(answer === '{"exists":true}' || answer === true ? 200 : 404).send()
}

/** The same of rows with tags: the headers of `GET /:id`. */
export const respondHead = (row: RowCall, reply: FastifyReply): unknown => chain(row.head(), text =>
  text === undefined
    ? commonHeaders(reply).code(404).send()
    : row.finish(text) ? sendNotModified(reply) : commonHeaders(reply).code(200).send())
