import { isPromise } from '@fastback/core/connector'
import type { FastifyReply } from 'fastify'
import { commonHeaders } from './send.js'

/** `HEAD /:id`: 200 or 404, nothing else. */
export function respondExists (answer: unknown, reply: FastifyReply): unknown {
  if (isPromise(answer)) return answer.then(value => respondExists(value, reply))
  return commonHeaders(reply).code(answer === '{"exists":true}' || answer === true ? 200 : 404).send()
}
