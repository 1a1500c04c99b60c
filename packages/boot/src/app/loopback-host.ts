/** What LoopBack's middleware needs of an application. */
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { MaybePromise } from '@fastback/core'

/** What middleware of the framework asks of the application that it was added to. */
export interface LoopbackHost {
  /** Says that REST is mounted here; its paths. */
  restMounted (paths: ReadonlyArray<string | RegExp>): void
  /** Notes the parameters of a token middleware. */
  tokenUsed (params: Readonly<Record<string, unknown>>): void
  /** The token of a request, read once. */
  accessToken (request: FastifyRequest, reply: FastifyReply): MaybePromise<unknown>
  answerError (error: unknown, request: FastifyRequest, reply: FastifyReply, options: Record<string, unknown>): void
}
