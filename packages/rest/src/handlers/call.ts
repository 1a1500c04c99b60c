/**
 * A call with everything that an application may put around a method: hooks, own functions, instances, results of every
 * kind.
 */
import { errors, type ModelInstance, type OperationOptions, type SharedMethod } from '@fastback/core'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { notAcceptable } from '../errors/request-errors.js'
import { RemoteContext } from '../hooks/context.js'
import { runErrorHooks, runHooks, runRestHooks } from '../hooks/run.js'
import { RequestInput } from '../parse/input.js'
import { sourceOf } from '../parse/source.js'
import { pathValue } from '../parse/text.js'
import { hasBuiltinChangeStream, openChangeStream } from '../stream/change-stream.js'
import { sendStream } from '../stream/send-stream.js'
import { answerExists } from './exists.js'
import type { Format } from './format.js'
import { functionOf, invoke, loadInstance } from './invoke.js'
import { joinHeader } from './join-header.js'
import type { RemoteRoute } from './remote-route.js'
import { isFile, resultOf, type Targets } from './result.js'
import { isAnswered, sendResult, setHeader } from './send.js'
import { addTotal } from './total-count.js'

/**
 * Reads the arguments, runs `rest.before`, the instance, hooks, the method, hooks, `rest.after`, and sends the result.
 * Access was decided before. Errors of the arguments and of `rest` functions are not for error hooks; those of
 * everything in between are.
 */
export async function callMethod (
  route: RemoteRoute,
  format: Format,
  request: FastifyRequest,
  reply: FastifyReply
): Promise<unknown> {
  const { method, settings } = route
  const context = new RemoteContext(route.remoteMethod, request, reply, settings.application())
  const values = route.reader.read(new RequestInput(request, context, route.settings.readers.parseFields))
  context.args = Object.fromEntries(route.reader.names.map((name, index) => [name, values[index]]))
  const targets: Targets = { status: undefined, headers: [] }
  try {
    await runRestHooks(method.rest.before, context)
    await invokeWithHooks(route, context, targets)
    await runRestHooks(method.rest.after, context)
    refuseNothing(method, context)
  } catch (error) {
    throw withStatus(error, route)
  }
  if (isAnswered(reply)) return handOver(reply)
  if (request.method === 'HEAD' && method.builtin === 'exists') {
    return answerExists((context.result as { exists?: unknown } | undefined)?.exists, reply)
  }
  setTargets(reply, targets, route)
  if (route.totalCount !== false) await addTotal(method, context, route.totalCount, reply)
  if (route.streams) return sendStream(context, format, reply, settings.streams)
  if (format === 'event-stream') throw notAcceptable()
  if (settings.offered.length > 1) joinHeader(reply, 'vary', ['Accept'])
  return sendResult(reply, context.result, { format, file: isFile(method) })
}

async function invokeWithHooks (route: RemoteRoute, context: RemoteContext, targets: Targets): Promise<void> {
  const { method } = route
  try {
    if (!method.isStatic) context.instance ??= await instanceFor(method, context)
    await runHooks(route.hooks.before, context)
    const scope = context.getScope()
    const args = route.reader.names.map(name => context.args[name])
    context.result = hasBuiltinChangeStream(context)
      ? openChangeStream(context)
      : resultOf(method, await invoke(functionOf(method, scope), scope, args, writesByItself(method)), targets)
    await runHooks(route.hooks.after, context)
  } catch (error) {
    context.error = error
    await runErrorHooks(route.hooks.afterError, context)
    throw context.error
  }
}

async function instanceFor (method: SharedMethod, context: RemoteContext): Promise<ModelInstance> {
  const id = pathValue((context.request.params as { id: string }).id)
  context.ctorArgs = { id }
  return await loadInstance(method.model, id, context.options as OperationOptions)
}

/** Methods that get the response may use it at any time. */
const writesByItself = (method: SharedMethod): boolean =>
  method.accepts.some(argument => ['res', 'req', 'context'].includes(sourceOf(argument) as string))

/** A read of one row that found none: hooks see the empty result before it becomes a 404. */
function refuseNothing ({ builtin, modelName }: SharedMethod, { result, args }: RemoteContext): void {
  if ((builtin === 'findById' || builtin === 'findOne') && (result === null || result === undefined)) {
    throw errors.unknownId(modelName, args.id)
  }
}

/** `http.errorStatus`: the status of errors that have none. */
function withStatus (error: unknown, { http }: RemoteRoute): unknown {
  if (http.errorStatus === undefined || error === null || typeof error !== 'object') return error
  const given = error as { statusCode?: unknown, status?: unknown }
  if (given.statusCode === undefined && given.status === undefined && Object.isExtensible(error)) {
    given.statusCode = http.errorStatus
  }
  return error
}

function setTargets (reply: FastifyReply, { status, headers }: Targets, { http }: RemoteRoute): void {
  for (const [name, value] of headers) setHeader(reply, name, value)
  const code = status ?? http.status
  if (code !== undefined && Number.isInteger(code) && code >= 100 && code <= 599) reply.code(code)
}

/** Somebody answers through Express' response: Fastify has nothing left to do. */
function handOver (reply: FastifyReply): FastifyReply {
  return reply.sent ? reply : reply.hijack()
}
