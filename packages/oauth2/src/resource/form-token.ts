/** Looks for a token in a form body before anybody else has read the body, and gives the body back. */
import { parse } from 'node:querystring'
import { Readable } from 'node:stream'
import type { FastifyRequest, RequestPayload } from 'fastify'
import { InvalidRequest } from '../errors.js'
import { Parameters } from '../http/parameters.js'

const kRead = Symbol('fastback.oauth2.body')
const limit = 1_048_576
const methods = new Set(['POST', 'PUT', 'PATCH'])

type Reading = FastifyRequest & { [kRead]?: Buffer }

export const hasForm = ({ method, headers }: FastifyRequest): boolean =>
  methods.has(method) && headers['content-encoding'] === undefined &&
    /^application\/x-www-form-urlencoded\s*(;|$)/i.test(headers['content-type'] ?? '')

/** The parameters of the form. @throws InvalidRequest for more than 1 MiB */
export async function readForm (request: FastifyRequest): Promise<Parameters> {
  const parts: Buffer[] = []
  let size = 0
  for await (const part of request.raw as AsyncIterable<Buffer>) {
    size += part.length
    if (size > limit) throw new InvalidRequest('The body is too large.')
    parts.push(part)
  }
  const bytes = Buffer.concat(parts)
  ;(request as Reading)[kRead] = bytes
  // Express code finds the form where a body parser leaves it.
  Object.assign(request.raw, { body: { ...parse(bytes.toString()) }, _body: true })
  return Parameters.parse(bytes.toString())
}

/** Hook `preParsing`. */
export function giveBack (
  request: FastifyRequest,
  _reply: unknown,
  payload: RequestPayload,
  done: (error: null, payload: RequestPayload) => void
): void {
  const bytes = (request as Reading)[kRead]
  done(
    null,
    bytes === undefined
      ? payload
      : Object.assign(Readable.from([bytes], { objectMode: false }), { receivedEncodedLength: bytes.length })
  )
}
