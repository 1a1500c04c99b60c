/** A list in whose place there is a report of how the database finds it: `Prefer: explain`, for administrators. */
import type { MaybePromise, QueryReport, SharedMethod } from '@fastback/core'
import { accessReviewIn, explainWork } from '@fastback/core/remote'
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { CallRoute } from './call.js'
import { rowTypes } from '../rows/row-encoding.js'
import { joinHeader } from './join-header.js'
import { prefers } from './preferences.js'
import { isCountable } from './total-count.js'

/** The role whose members get reports; undefined: nobody does. */
export type Explaining = string | undefined

/** Whether a method gives a list, whose rows stores look for. */
export const isExplained = (method: SharedMethod): boolean =>
  isCountable(method) && method.returns.some(({ type }) => Array.isArray(type))

/** Whether a request would like a report in place of the rows. */
export const wantsExplanation = ({ method, headers }: FastifyRequest): boolean =>
  method === 'GET' && prefers(headers.prefer, /^explain$/i)

/**
 * Whether the caller is in the role. Where nobody guards the methods, nobody is known to be; where it cannot be found
 * out, nobody is: a list has no error for that.
 */
export async function isExplainedTo (
  role: string, method: SharedMethod, request: FastifyRequest, reply: FastifyReply
): Promise<boolean> {
  try {
    return await accessReviewIn(method.model.registry).isInRole?.(role, method, request, reply) ?? false
  } catch (err) {
    request.log.warn({ err }, 'whether a list may be explained cannot be said')
    return false
  }
}

export class ExplainedList {
  constructor (readonly method: SharedMethod, readonly reply: FastifyReply) {}

  /**
   * The report, as JSON text.
   * @param values the arguments, whose values the report may show
   * @param read gives the rows as JSON text
   */
  async text (values: readonly unknown[], read: () => MaybePromise<string | undefined>): Promise<string> {
    return JSON.stringify(await this.#report(values, read, text => rowsOf(JSON.parse(text ?? 'null'))))
  }

  /** The same route with the report as its result. */
  route (route: CallRoute): CallRoute {
    const { method, http, settings, reader, clientWrites } = route
    return {
      method,
      http,
      settings,
      reader,
      clientWrites,
      streams: false,
      totalCount: false,
      context: (request, reply) => route.context(request, reply),
      hasHooksBefore: () => route.hasHooksBefore(),
      // What is explained is the list itself, and not how it is written.
      offered: route.offered.filter(type => !rowTypes.some(each => each === type)),
      perform: async (context, targets, demand, format) => {
        const values = Object.entries(context.args).filter(([name]) => name !== 'options').map(([, value]) => value)
        context.result = await this.#report(
          values, () => route.perform(context, targets, demand, format), () => rowsOf(context.result))
      }
    }
  }

  async #report<T> (
    values: readonly unknown[], work: () => MaybePromise<T>, rowsIn: (result: T) => number
  ): Promise<QueryReport> {
    const { report } = await explainWork(this.method.model.registry, values, work, rowsIn)
    // A copy for anybody else would be one of something that nobody else gets.
    this.reply.header('preference-applied', 'explain').header('cache-control', 'no-store')
    joinHeader(this.reply, 'vary', ['Prefer'])
    return report
  }
}

const rowsOf = (result: unknown): number => Array.isArray(result) ? result.length : 0
