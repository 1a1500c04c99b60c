/** One route of one shared method, and the handler that fits what the application has put around the method. */
import type { CompiledModel, OperationOptions, Row, SharedMethod } from '@fastback/core'
import { coerceId, isPromise } from '@fastback/core/connector'
import { createInstances, createsPlainly, isInStore, isWithdrawn, patchesBlindly } from '@fastback/core/remote'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { RemoteContext, remoteMethod, type RemoteMethod } from '../hooks/context.js'
import { hooksOf, type HookLists } from '../hooks/match.js'
import { externalOptions, hasOwnOptions } from '../hooks/options.js'
import { compileReader, type MethodReader } from '../parse/arguments.js'
import { keySupportOf } from '../idempotency/methods.js'
import { RequestInput, type CallParts } from '../parse/input.js'
import { noMethodOfModel, unsupportedMediaType } from '../errors/request-errors.js'
import { isForm } from '../multipart/read-form.js'
import { pathValue } from '../parse/text.js'
import { respondAround, respondAtOnce, respondRow } from './respond-around.js'
import { callMethod, type CallRoute } from './call.js'
import { clientWritesOf, type ClientWrites } from './client-writes.js'
import { directCall, hasOwnFunctions, type DirectCall } from './direct.js'
import { ExplainedList, isExplained, isExplainedTo, wantsExplanation, type Explaining } from './explained-list.js'
import { chooseFormat, type Format } from './format.js'
import { joinHeader } from './join-header.js'
import { RowCall, tagSourceOf, type TagSource } from '../conditions/row-call.js'
import { rowMethodOf, type RowMethod } from '../conditions/row-method.js'
import { bodyKind, setBodyKind } from '../parse/body-kind.js'
import { createLines, isLines, linesType, takesLines } from '../lines/create-lines.js'
import { acceptPatch, isPatch, respondPatched, seenRowOf, takesPatches } from '../patches/row-patch.js'
import { performWithHooks, writesByItself } from './perform.js'
import { asksForPage, filterOfPages, watchPage } from './page-cursors.js'
import { isObjectStream, type Targets } from './result.js'
import { respondText } from './send.js'
import { filterCheckOf } from './unread-filters.js'
import { headerCheckOf, type RequestCheck } from './unsupported-headers.js'
import { isCountable, wantsTotal, type TotalCount } from './total-count.js'
import type { RouteHttp, RouteSettings } from './route-settings.js'
import { rowTypes } from '../rows/row-encoding.js'
import { streamingOf, type StreamingLimits } from '../rows/streaming.js'

export class RemoteRoute implements CallRoute {
  readonly reader: MethodReader
  readonly streams: boolean
  /** When this route's lists are counted. */
  readonly totalCount: TotalCount
  readonly hasPages: boolean
  /** Which of the arguments is the filter of its pages; -1: none. */
  readonly #filter: number
  /** Within which limits its lists are written row by row; undefined: they are not. */
  readonly streaming: StreamingLimits | undefined
  readonly offered: readonly string[]
  /** Whom this route's lists are explained to. */
  readonly #explaining: Explaining
  hooks: HookLists
  readonly remoteMethod: RemoteMethod
  /** Whether the method may answer through the response that it gets. */
  readonly writesByItself: boolean
  clientWrites: ClientWrites | undefined
  readonly #call: CallParts
  readonly #checkHeaders: RequestCheck
  readonly #checkFilters: RequestCheck
  #model: CompiledModel | undefined
  #applicationHooks = -1
  #phases = -1
  /** Nested methods: the related model, whose hooks they have as well. */
  #inner: CompiledModel | undefined
  #direct: DirectCall | undefined
  /** What the method does with one row, and what that row's tags are made of. */
  #row: RowMethod | undefined
  #tagSource: TagSource | undefined
  #takesPatches = false
  #takesLines = false
  /** Whether the method was disabled, or its model removed, after the route was made. */
  #isWithdrawn = false

  constructor (readonly method: SharedMethod, readonly http: RouteHttp, readonly settings: RouteSettings) {
    this.reader = compileReader(method, http.path, settings.readers)
    this.streams = isObjectStream(method)
    this.totalCount = isCountable(method) && settings.totalCount
    this.#filter = filterOfPages(method)
    this.hasPages = this.#filter !== -1
    this.streaming = streamingOf(method, settings.streaming, settings.registry.models)
    this.offered = this.streaming === undefined ? settings.offered : [...settings.offered, ...rowTypes]
    this.#explaining = isExplained(method) ? settings.explaining : undefined
    this.remoteMethod = remoteMethod(method)
    this.writesByItself = writesByItself(method)
    this.hooks = hooksOf(method, settings.registry)
    this.#call = withoutContext(method)
    this.#checkHeaders = headerCheckOf(method, {
      comparesMatch: () => this.#comparesMatch(), keys: keySupportOf(method, http.verb, settings.idempotency)
    })
    this.#checkFilters = filterCheckOf(method)
  }

  /** The route's handler. Fastify gets text or a promise of it, or what a reply's `send` returns. */
  readonly handle = (request: FastifyRequest, reply: FastifyReply): unknown => {
    const model = this.#current()
    if (this.#isWithdrawn) return reply.callNotFound()
    this.#checkHeaders(request)
    this.#checkFilters(request)
    if (this.#takesPatches) {
      if (isPatch(request)) return this.#patch(model, request, reply)
      if (bodyKind(request) === 'other') reply.header('accept-patch', acceptPatch)
    }
    if (this.#takesLines && isLines(request)) return this.#createLines(model, request, reply)
    return this.#explaining !== undefined && wantsExplanation(request)
      ? this.#explain(this.#explaining, model, request, reply)
      : this.#respond(model, request, reply)
  }

  /** Whether a request creates or changes one row and waits for nothing but the store. */
  isPlainWrite (request: FastifyRequest): boolean {
    const model = this.#current()
    const { method } = this
    const { body, headers } = request
    if (this.#direct === undefined || this.#isWithdrawn || !this.#isUntouched() || !isInStore(model)) return false
    const isOfRow = bodyKind(request) === 'json' && body !== null && typeof body === 'object' && !Array.isArray(body)
    if (!isOfRow || headers['if-match'] !== undefined || headers['if-none-match'] !== undefined) return false
    if (this.#format(model, request) !== 'json') return false
    const options = externalOptions(method.model, request)
    return (method.builtin === 'create' && createsPlainly(model, options)) ||
      (method.builtin === 'patchAttributes' && patchesBlindly(model, options))
  }

  /** Code of the application that wants to see a call sees one row, or a list: not lines that are still coming. */
  async #createLines (model: CompiledModel, request: FastifyRequest, reply: FastifyReply): Promise<unknown> {
    const { method, settings, clientWrites } = this
    if (this.#direct === undefined || !this.#isUntouched()) {
      throw unsupportedMediaType(linesType, settings.readers.mediaTypes)
    }
    const text = await createLines(method.model, request, settings.lines, async rows => {
      request.body = rows
      setBodyKind(request, 'json')
      const values = this.reader.read(new RequestInput(request, this.#call, settings.readers.parseFields))
      const options = values.pop() as OperationOptions
      await clientWrites?.(values, request, options)
      await createInstances(model, values[0] as Row[], options)
    })
    return respondText(text, reply)
  }

  async #patch (model: CompiledModel, request: FastifyRequest, reply: FastifyReply): Promise<unknown> {
    const { method, settings } = this
    const options = externalOptions(method.model, request)
    return await respondPatched(request, reply, method, options, settings.patches, () =>
      this.#respond(model, request, reply)) ?? reply
  }

  /** Who is not in the role gets the rows, and is told nothing. */
  async #explain (role: string, model: CompiledModel, request: FastifyRequest, reply: FastifyReply): Promise<unknown> {
    const isTold = await isExplainedTo(role, this.method, request, reply)
    const explained = isTold ? new ExplainedList(this.method, reply) : undefined
    return await this.#respond(model, request, reply, explained) ?? reply
  }

  #respond (model: CompiledModel, request: FastifyRequest, reply: FastifyReply, explained?: ExplainedList): unknown {
    const format = explained === undefined ? this.#format(model, request) : 'json'
    const counts = explained === undefined && this.#counts(request)
    return format === 'json' && this.#direct !== undefined && this.#isUntouched() && !counts &&
      (this.reader.files === undefined || !isForm(request.headers))
      ? this.#answer(this.#direct, model, request, reply, explained)
      : callMethod(explained?.route(this) ?? this, format, request, reply)
  }

  /**
   * A path that ends in an id is not known where its last part can be none: who asks there for what is not on offer is
   * told of the path, and so is who asks for a stream of events, for which rows have no path.
   */
  #format (model: CompiledModel, request: FastifyRequest): Format {
    try {
      return chooseFormat(request, this.offered, this.streams)
    } catch (error) {
      const { id } = request.params as { id?: string }
      if (this.method.builtin !== 'findById' || id === undefined) throw error
      const asksForEvents = request.headers.accept?.includes('text/event-stream') === true
      if (coerceId(model, id) !== undefined && (!asksForEvents || model.id?.type.kind !== 'string')) throw error
      throw noMethodOfModel(model.name, request.method, `/${id}`)
    }
  }

  context (request: FastifyRequest, reply: FastifyReply): RemoteContext {
    return new RemoteContext(this.remoteMethod, request, reply, this.settings.application())
  }

  /** In applications that do not say so, hooks are only run with what is required: their types say that it is there. */
  hasHooksBefore (): boolean {
    if (this.settings.registry.settings.argumentsFromHooks !== true) return false
    return this.hooks.before.length + this.method.rest.before.length > 0 || !this.settings.phases.isPlain
  }

  /** A row without versions is looked up by its id. */
  #comparesMatch (): boolean {
    const row = this.#row
    if (row?.compares !== true || this.#tagSource === undefined) return false
    return this.#tagSource === 'version' || row.id !== undefined
  }

  /** The conditions of a request on one row; undefined where rows have no tags. */
  row (
    request: FastifyRequest, reply: FastifyReply, values: unknown[], options: OperationOptions
  ): RowCall | undefined {
    const method = this.#row
    if (method === undefined || (this.#tagSource === undefined && !this.#takesPatches)) return undefined
    const seen = this.#takesPatches ? seenRowOf(request) : undefined
    if (this.#tagSource === undefined && seen === undefined) return undefined
    return new RowCall(method, this.#tagSource, { request, reply, values, options, seen })
  }

  perform (context: RemoteContext, targets: Targets, demand: () => void, format: Format): Promise<void> {
    return performWithHooks(this, context, targets, demand, format)
  }

  /** The compiled model; the handler is chosen again when it has changed. */
  #current (): CompiledModel {
    const { method, settings: { registry, phases } } = this
    const model = method.model.compiled
    const inner = method.nested?.relation.target()?.compiled
    if (
      model !== this.#model ||
      inner !== this.#inner ||
      registry.remoteHooks.length !== this.#applicationHooks ||
      phases.version !== this.#phases
    ) {
      this.#model = model
      this.#inner = inner
      this.#applicationHooks = registry.remoteHooks.length
      this.#phases = phases.version
      this.hooks = hooksOf(method, registry)
      this.clientWrites = clientWritesOf(method)
      this.#row = rowMethodOf(method)
      this.#takesPatches = takesPatches(method)
      this.#takesLines = takesLines(method)
      this.#tagSource = this.#row === undefined ? undefined : tagSourceOf(this.#row.Target.compiled)
      this.#isWithdrawn = isWithdrawn(method)
      this.#direct =
        this.#hasHooks() || !phases.isPlain || this.http.status !== undefined || this.http.errorStatus !== undefined
          ? undefined
          : directCall(method, model)
    }
    return model
  }

  /** A total goes by what hooks see, and not by finished text. */
  #counts (request: FastifyRequest): boolean {
    return this.totalCount !== false && wantsTotal(this.totalCount, request)
  }

  #isUntouched (): boolean {
    return !hasOwnFunctions(this.method) && !hasOwnOptions(this.method.model)
  }

  /**
   * Methods of relations make their 404 themselves when nobody watches, and leave it to `rest.after` when somebody
   * does.
   */
  #hasHooks (): boolean {
    const { hooks: { before, after, afterError }, method: { rest, relation } } = this
    return (
      before.length + after.length + afterError.length + rest.before.length > 0 ||
      (rest.after.length > 0 && relation === undefined)
    )
  }

  /** Straight to the operation; synchronous when the store is. */
  #answer (
    direct: DirectCall, model: CompiledModel, request: FastifyRequest, reply: FastifyReply, explained?: ExplainedList
  ): unknown {
    const { method } = this
    const values = this.reader.read(new RequestInput(request, this.#call, this.settings.readers.parseFields))
    const options = values.pop() as OperationOptions
    const id = method.isStatic ? undefined : pathValue((request.params as { id: string }).id)
    if (this.totalCount === 'asked') joinHeader(reply, 'vary', ['Prefer'])
    const ends = asksForPage(values[this.#filter]) ? watchPage(options) : undefined
    const row = this.row(request, reply, values, options)
    const isHead = request.method === 'HEAD' && method.builtin === 'exists'
    if ((ends ?? explained ?? this.clientWrites) !== undefined || isHead || row?.isRead === false) {
      const call = (): ReturnType<DirectCall> => direct(model, id, values, options)
      return respondAround(this, call, { request, reply, values, options, ends, row, isHead, explained })
    }
    // Most requests: nothing is made for what only others need.
    const text = direct(model, id, values, options)
    if (this.offered.length > 1) joinHeader(reply, 'vary', ['Accept'])
    return isPromise(text) ? text.then(value => respondRow(row, value, reply)) : respondAtOnce(row, text, reply)
  }
}

/** The last argument of every built-in operation and relation method is its options. */
function withoutContext (method: SharedMethod): CallParts {
  const none = (): never => { throw new TypeError(`${method.fullName} has no such argument.`) }
  return {
    callContext: none,
    callRequest: none,
    callResponse: none,
    callOptions: request => externalOptions(method.model, request)
  }
}
