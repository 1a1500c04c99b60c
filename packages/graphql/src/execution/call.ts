/** Calls of shared methods, in the name of the request's caller. */
import type { CalledRoute, CallsOfRequest, RouteArguments } from '@fastback/rest/calls'
import { errorOf } from '@fastback/rest/calls'
import type { FastifyReply, FastifyRequest } from 'fastify'

/** What resolvers know of the request. */
export interface CallContext {
  readonly calls: CallsOfRequest
  readonly request: FastifyRequest
  readonly reply: FastifyReply
}

export interface CallResult {
  /** Undefined for a response without a body. */
  readonly value: unknown
  readonly headers: Readonly<Record<string, unknown>>
}

/** A member of a response. */
export const memberOf = ({ value }: Pick<CallResult, 'value'>, name: string): unknown =>
  (value as Record<string, unknown> | undefined)?.[name]

/** A method refused, or failed: what its response says of that. */
export class MethodError extends Error {
  constructor (readonly shown: Readonly<Record<string, unknown>>, readonly statusCode: number) {
    const { message, detail } = shown
    super(typeof message === 'string' ? message : typeof detail === 'string' ? detail : 'The method failed.')
  }
}

/**
 * Calls a method through its route.
 * @throws MethodError for what the route refuses
 */
export async function callMethod (
  { calls }: Pick<CallContext, 'calls'>, route: CalledRoute, values: RouteArguments
): Promise<CallResult> {
  const { status, headers, text } = await calls.send(route, values)
  if (status >= 400) throw new MethodError(errorOf(text, status), status)
  return { value: text === '' ? undefined : JSON.parse(text) as unknown, headers }
}
