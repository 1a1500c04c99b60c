/** The route of GraphQL. */
import { charactersOf } from '@fastback/core/connector'
import { parseJson, type RouteCalls } from '@fastback/rest/calls'
import type { FastifyInstance, FastifyReply, FastifyRequest, RouteShorthandOptions } from 'fastify'
import type { CallContext } from '../execution/call.js'
import type { Settings } from '../options.js'
import type { ErrorFormat } from './error-format.js'
import { responseTooLarge } from './errors.js'
import type { Operation, Operations } from './operations.js'

/** What a request needs. */
export interface Endpoint {
  readonly calls: RouteCalls
  readonly operations: Operations
  readonly errors: ErrorFormat
  /** Characters that a response may have. */
  readonly most: () => number
}

/** Adds the route, for queries by GET, and for all operations by POST. */
export function addEndpoint (app: FastifyInstance, settings: Settings, endpoint: Endpoint, more: object = {}): void {
  const { operations, errors, most } = endpoint
  addJsonBodies(app, settings)
  app.addHook('onSend', endpoint.calls.onSend)
  app.setErrorHandler((error, request, reply) => {
    const { status, shown } = errors.refusal(error, request.log)
    return send(reply, status, { errors: shown })
  })
  const run = async (operation: Operation, context: CallContext, budget: ResponseBudget): Promise<Result> => {
    try {
      const { document, variables, operationName } = operation
      // Who runs it looks for this at the request that it came by.
      const { data, errors: found } = await app.graphql(document, { ...context }, variables, operationName)
      if (data !== undefined && !budget.takes(data)) {
        const { shown } = errors.refusal(responseTooLarge(most()), context.request.log)
        return { status: 200, body: { data: null, errors: shown } }
      }
      const ran = data === undefined ? {} : { data }
      return { status: data === undefined ? 400 : 200, body: found === undefined ? ran : { ...ran, errors: found } }
    } catch (error) {
      const { status, shown } = errors.refusal(error, context.request.log)
      return { status, body: { errors: shown } }
    }
  }
  const contextOf = (request: FastifyRequest, reply: FastifyReply): CallContext =>
    ({ calls: endpoint.calls.of(request), request, reply })
  const options: RouteShorthandOptions = { bodyLimit: settings.limits.body, exposeHeadRoute: false, ...more }

  app.get(settings.path, options, async (request, reply) => {
    const context = contextOf(request, reply)
    const { status, body } = await run(operations.ofQuery(request), context, new ResponseBudget(most()))
    return await send(reply, status, body)
  })
  app.post(settings.path, { ...options, ...noStream }, async (request, reply) => {
    const given = operations.ofBody(request)
    const context = contextOf(request, reply)
    const budget = new ResponseBudget(most())
    if (!Array.isArray(given)) {
      const { status, body } = await run(given, context, budget)
      return await send(reply, status, body)
    }
    const results = await Promise.all(given.map(async each => (await run(each, context, budget)).body))
    return await send(reply, 200, results)
  })
}

/**
 * What all operations of a request may have in their responses. What is read for them is counted where it is read; one
 * text may stand there under many names (security.md, S-180).
 */
class ResponseBudget {
  #left: number

  constructor (most: number) {
    this.#left = most
  }

  takes (data: unknown): boolean {
    this.#left -= charactersOf(data)
    return this.#left >= 0
  }
}

/** A connection is opened by GET. */
const noStream = { wsHandler: undefined }

interface Result {
  readonly status: number
  readonly body: object
}

const send = (reply: FastifyReply, status: number, body: object): FastifyReply =>
  reply.code(status).header('cache-control', 'no-store').type('application/json; charset=utf-8').send(JSON.stringify(body))

/** JSON as bodies of REST have it: strict, and at most so deep. */
function addJsonBodies (app: FastifyInstance, { limits }: Settings): void {
  app.removeAllContentTypeParsers()
  app.addContentTypeParser('application/json', { parseAs: 'string' }, (_request, text, done) => {
    try {
      done(null, parseJson(String(text), limits.json))
    } catch (error) {
      done(Object.assign(error as Error, { statusCode: 400, code: 'MALFORMED_JSON' }))
    }
  })
}
