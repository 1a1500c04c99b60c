/** Requests and responses of the studio: JSON that is checked, and JSON that is sent. */
import { RequestError } from '@fastback/core'
import { optionsFault } from '@fastback/core/connector'
import type { Static, TSchema } from '@sinclair/typebox'
import type { FastifyReply } from 'fastify'

/**
 * What a request says, checked: its query or its body.
 *
 * ```js
 * const { model } = given(Type.Object({ model: Type.String() }), request.query)
 * ```
 * @throws RequestError 400 that names what is wrong
 */
export function given<S extends TSchema> (schema: S, value: unknown): Static<S> {
  const fault = optionsFault(schema, value ?? {}, 'parameter')
  if (fault !== undefined) throw new RequestError(400, fault, { code: 'INVALID_PARAMETER' })
  return (value ?? {}) as Static<S>
}

/** Ids may be larger than numbers are exact. */
export const sendJson = (reply: FastifyReply, value: unknown): FastifyReply =>
  reply.type('application/json; charset=utf-8').send(JSON.stringify(value, (_, each: unknown) =>
    typeof each === 'bigint' ? String(each) : each))
