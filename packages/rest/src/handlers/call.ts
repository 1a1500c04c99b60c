/**
 * A call with everything that an application may put around a method: hooks, own functions, instances, results of every
 * kind.
 */
import { errors, isInstance, type OperationOptions, type Row, type SharedMethod } from '@fastback/core'
import { compiledOf, readableResult } from '@fastback/core/remote'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { notAcceptable } from '../errors/request-errors.js'
import type { RemoteContext } from '../hooks/context.js'
import { runRestHooks } from '../hooks/run.js'
import type { XmlOptions } from '../errors/xml.js'
import { ReceivedFiles } from '../multipart/file-arguments.js'
import { RequestInput } from '../parse/input.js'
import { sendStream } from '../stream/send-stream.js'
import type { ClientWrites } from './client-writes.js'
import { respondExists } from './exists.js'
import type { Format } from './format.js'
import { isRowFormat } from '../rows/row-encoding.js'
import { sendRows } from '../rows/send-rows.js'
import { isReached, jsonText } from './json.js'
import { joinHeader } from './join-header.js'
import type { MethodReader } from '../parse/arguments.js'
import type { RouteHttp, RouteSettings } from './route-settings.js'
import { addCursors, watchPage } from './page-cursors.js'
import { isFile, type Targets } from './result.js'
import { isReplySent, sendNotModified, sendResult, setHeader } from './send.js'
import type { RowCall } from '../conditions/row-call.js'
import { addTotal, type TotalCount } from './total-count.js'

/** What a call needs of its route. */
export interface CallRoute {
  readonly method: SharedMethod
  readonly http: RouteHttp
  readonly settings: Pick<RouteSettings, 'readers' | 'streams' | 'forms'>
  /** Media types on offer. */
  readonly offered: readonly string[]
  readonly reader: MethodReader
  /** Whether the result is a stream of objects. */
  readonly streams: boolean
  readonly totalCount: TotalCount
  /** Whether it gives lists whose pages have cursors. */
  readonly hasPages?: boolean
  /** Judges the data of a row that a client sends, where clients may not say everything. */
  readonly clientWrites?: ClientWrites | undefined
  /** The conditions of a request on one row, where rows have tags. */
  row? (
    request: FastifyRequest, reply: FastifyReply, values: unknown[], options: OperationOptions
  ): RowCall | undefined
  /** What hooks and the method see of the call. */
  context (request: FastifyRequest, reply: FastifyReply): RemoteContext
  /** Whether hooks stand before the method, which may fill in what is required. */
  hasHooksBefore (): boolean
  /**
   * Runs the method with what stands around it; its result is `context.result` then.
   * @param demand asks, right before the method, whether everything is there that it requires
   * @param format of the response
   */
  perform (context: RemoteContext, targets: Targets, demand: () => void, format: Format): Promise<void>
}

/**
 * Reads the arguments, runs `rest.before`, the instance, hooks, the method, hooks, `rest.after`, and sends the result.
 * Access was decided before. Errors of the arguments and of `rest` functions are not for error hooks; those of
 * everything in between are.
 */
export function callMethod (
  route: CallRoute,
  format: Format,
  request: FastifyRequest,
  reply: FastifyReply
): Promise<unknown> {
  const context = route.context(request, reply)
  const { files } = route.reader
  return files === undefined
    ? answer(route, format, context, undefined, request, reply)
    : answerWithFiles(route, format, context, files, request, reply)
}

/** The form is read before the arguments are; its files are there until the response is on its way. */
async function answerWithFiles (
  route: CallRoute,
  format: Format,
  context: RemoteContext,
  taken: NonNullable<MethodReader['files']>,
  request: FastifyRequest,
  reply: FastifyReply
): Promise<unknown> {
  const files = await ReceivedFiles.from(request, taken, route.settings.forms)
  try {
    return await answer(route, format, context, files, request, reply)
  } finally {
    // The response may be a stream of what came.
    if (reply.sent && !reply.raw.writableEnded) reply.raw.once('close', () => { files.dispose().catch(() => {}) })
    else await files.dispose()
  }
}

async function answer (
  route: CallRoute,
  format: Format,
  context: RemoteContext,
  files: ReceivedFiles | undefined,
  request: FastifyRequest,
  reply: FastifyReply
): Promise<unknown> {
  const { method, settings } = route
  const input = new RequestInput(request, context, settings.readers.parseFields, files)
  const values = route.reader.read(route.hasHooksBefore() ? input.waitForHooks() : input)
  const row = route.row?.(request, reply, values, context.options as OperationOptions)
  if (route.clientWrites !== undefined) await route.clientWrites(values, request, context.options as OperationOptions)
  context.args = Object.fromEntries(route.reader.names.map((name, index) => [name, values[index]]))
  const ends = route.hasPages === true ? watchPage(context.args.options as OperationOptions) : undefined
  const targets: Targets = { status: undefined, headers: [] }
  try {
    const { before, after } = method.rest
    if (before.length > 0) await runRestHooks(before, context)
    const perform = (): Promise<void> => route.perform(context, targets, () => { input.demand(context.args) }, format)
    await (row === undefined ? perform() : row.around(perform))
    if (after.length > 0) await runRestHooks(after, context)
    refuseNothing(method, context)
  } catch (error) {
    throw withStatus(error, route)
  }
  if (isReplySent(reply)) return handOver(reply)
  const options = context.options as OperationOptions
  if (options.rowRules !== undefined) context.result = await readableResult(context.result, options)
  if (request.method === 'HEAD' && method.builtin === 'exists') {
    return respondExists((context.result as { exists?: unknown } | undefined)?.exists, reply)
  }
  setTargets(reply, targets, route)
  if (ends !== undefined) addCursors(ends, request, reply)
  if (route.totalCount !== false) await addTotal(method, context, route.totalCount, reply)
  if (route.streams) return sendStream(context, format, reply, settings.streams)
  if (format === 'event-stream') throw notAcceptable()
  if (route.offered.length > 1) joinHeader(reply, 'vary', ['Accept'])
  if (isRowFormat(format)) return await sendRows(method, format, context, reply)
  if (row !== undefined && await isNotModified(row, format, method, context.result)) return sendNotModified(reply)
  const xml = method.returns[0]?.xml as XmlOptions | undefined
  const typesNothing = settings.readers.standsAlone === true
  return sendResult(
    reply, context.result, { format, file: isFile(method), xml, reached: isReached(method), typesNothing }
  )
}

/** Whether the client has the row already; sets the headers that say which state of it this is. */
async function isNotModified (
  row: RowCall, format: Format, method: SharedMethod, result: unknown
): Promise<boolean> {
  if (result !== null && typeof result === 'object' && !Array.isArray(result)) {
    const model = isInstance(result) ? compiledOf(result) : row.method.Target.compiled
    row.sees(model, result as Row)
  }
  return row.finish(format === 'json' ? await jsonText(result, isReached(method)) : undefined)
}

/** A read of one row that found none: hooks see the empty result before it becomes a 404. */
function refuseNothing ({ builtin, modelName }: SharedMethod, { result, args }: RemoteContext): void {
  if ((builtin === 'findById' || builtin === 'findOne') && (result === null || result === undefined)) {
    throw errors.unknownId(modelName, args.id)
  }
}

/** `http.errorStatus`: the status of errors that have none. */
function withStatus (error: unknown, { http }: CallRoute): unknown {
  if (http.errorStatus === undefined || error === null || typeof error !== 'object') return error
  const given = error as { statusCode?: unknown, status?: unknown }
  if (given.statusCode === undefined && given.status === undefined && Object.isExtensible(error)) {
    given.statusCode = http.errorStatus
  }
  return error
}

function setTargets (reply: FastifyReply, { status, headers }: Targets, { http }: CallRoute): void {
  for (const [name, value] of headers) setHeader(reply, name, value)
  const code = status ?? http.status
  if (code !== undefined && Number.isInteger(code) && code >= 100 && code <= 599) reply.code(code)
}

/** Somebody answers through Express' response: Fastify has nothing left to do. */
function handOver (reply: FastifyReply): FastifyReply {
  return reply.sent ? reply : reply.hijack()
}
