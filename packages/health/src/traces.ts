/** Traces by `@opentelemetry/api`: a span for each request, method, hook, query and call to a service. */
import { tracingChannel } from 'node:diagnostics_channel'
import type { Attributes, Context, Span, Tracer } from '@opentelemetry/api'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import type { ModelRegistry } from '@fastback/core'
import { instrument, type Instrument } from '@fastback/core/remote'
import { InvalidOptionsError } from './errors.js'
import { methodName } from './method-name.js'

type Api = typeof import('@opentelemetry/api')

/**
 * The API, where an SDK has been set up; undefined where nobody would take the spans.
 * @throws FBK_HEALTH_INVALID_OPTIONS where the package is missing
 */
export async function tracingApi (): Promise<Api | undefined> {
  let api: Api
  try {
    api = await import('@opentelemetry/api')
  } catch {
    throw new InvalidOptionsError('the option "traces" needs @opentelemetry/api: npm install @opentelemetry/api')
  }
  const provider = api.trace.getTracerProvider()
  const isNone = provider instanceof api.ProxyTracerProvider && provider.getDelegateTracer('@fastback/health') === undefined
  return isNone ? undefined : api
}

interface ServiceTrace {
  readonly dataSource: string
  readonly operation: string
  readonly status?: number
  readonly propagated?: Record<string, string>
}
interface Failed { readonly error?: unknown }

/** What is traced of one application. Attributes are names of its own, methods and statuses. */
export class Traces {
  readonly #api: Api
  readonly #tracer: Tracer
  readonly #registry: ModelRegistry
  readonly #statements: boolean
  readonly #requests = new WeakMap<FastifyRequest, { readonly span: Span, readonly within: Context }>()

  /** @param statements whether spans have the text of statements, with placeholders */
  constructor (api: Api, registry: ModelRegistry, statements: boolean) {
    this.#api = api
    this.#tracer = api.trace.getTracer('@fastback/health')
    this.#registry = registry
    this.#statements = statements
  }

  /** Traces an application, whose routes come afterwards; gives what ends that. */
  watch (app: FastifyInstance): () => void {
    this.#watchRequests(app)
    const stop = instrument(this.#registry, this.#around)
    // Data sources may be made until the server is ready.
    app.addHook('onReady', async () => { instrument(this.#registry, this.#around) })
    const stopCalls = this.#watchServices()
    return () => {
      stop()
      stopCalls()
    }
  }

  #watchRequests (app: FastifyInstance): void {
    const { context, trace, propagation, SpanKind } = this.#api
    app.addHook('onRequest', (request, _reply, done) => {
      const { method, headers, routeOptions: { url: route } } = request
      const active = context.active()
      const parent = trace.getSpan(active) === undefined ? propagation.extract(active, headers) : active
      const verb = methodName(method)
      const attributes = { 'http.request.method': verb, ...(route === undefined ? {} : { 'http.route': route }) }
      const name = route === undefined ? verb : `${verb} ${route}`
      const span = this.#tracer.startSpan(name, { kind: SpanKind.SERVER, attributes }, parent)
      const within = trace.setSpan(parent, span)
      this.#requests.set(request, { span, within })
      context.with(within, done)
    })
    // Bodies arrive in the context of their connection.
    app.addHook('preValidation', (request, _reply, done) => {
      const open = this.#requests.get(request)
      if (open === undefined) done()
      else context.with(open.within, done)
    })
    app.addHook('onError', async (request, _reply, error) => {
      const { statusCode = 500 } = error
      const span = this.#requests.get(request)?.span
      if (span !== undefined && statusCode >= 500) this.#fail(span, error)
    })
    app.addHook('onResponse', async (request, { statusCode }) => { this.#end(request, statusCode) })
    app.addHook('onRequestAbort', async request => { this.#end(request, undefined) })
  }

  #end (request: FastifyRequest, status: number | undefined): void {
    const open = this.#requests.get(request)
    if (open === undefined) return
    this.#requests.delete(request)
    if (status !== undefined) open.span.setAttribute('http.response.status_code', status)
    open.span.end()
  }

  /** Errors are told of by their code: messages may have values of users. */
  #fail (span: Span, error: unknown): void {
    const { code, name } = (error ?? {}) as { readonly code?: unknown, readonly name?: unknown }
    span.setAttribute('error.type', String(code ?? name ?? 'error'))
    span.setStatus({ code: this.#api.SpanStatusCode.ERROR })
  }

  readonly #around: Instrument = (step, work) => {
    const { kind, name, operation } = step
    const spanName = kind === 'query' && operation !== undefined ? `${name} ${operation}` : name
    const { context, trace, SpanKind } = this.#api
    const span = this.#tracer.startSpan(spanName, {
      kind: kind === 'query' ? SpanKind.CLIENT : SpanKind.INTERNAL, attributes: this.#attributesOf(step)
    })
    const fail = (error: unknown): void => {
      this.#fail(span, error)
      span.end()
    }
    try {
      const result = context.with(trace.setSpan(context.active(), span), work)
      if (result instanceof Promise) result.then(() => { span.end() }, fail)
      else span.end()
      return result
    } catch (error) {
      fail(error)
      throw error
    }
  }

  #attributesOf ({ kind, name, model, operation, text }: Parameters<Instrument>[0]): Attributes {
    const attributes: Attributes = { 'fastback.kind': kind }
    if (model !== undefined) attributes['fastback.model'] = model
    if (kind !== 'query') return attributes
    attributes['fastback.data_source'] = name
    if (operation !== undefined) attributes['db.operation.name'] = operation
    if (this.#statements && text !== undefined) attributes['db.query.text'] = text
    return attributes
  }

  /** Calls to services, as `@fastback/service-client` tells of them. */
  #watchServices (): () => void {
    const spans = new WeakMap<ServiceTrace, Span>()
    const calls = tracingChannel<unknown, ServiceTrace>('fastback:service.call')
    const told = {
      start: (call: ServiceTrace): void => {
        const { dataSource, operation } = call
        if (!Object.hasOwn(this.#registry.dataSources, dataSource)) return
        const { context, propagation, trace, SpanKind } = this.#api
        const span = this.#tracer.startSpan(`${dataSource} ${operation}`, {
          kind: SpanKind.CLIENT,
          attributes: { 'fastback.kind': 'call', 'fastback.data_source': dataSource, 'fastback.operation': operation }
        })
        spans.set(call, span)
        if (call.propagated !== undefined) propagation.inject(trace.setSpan(context.active(), span), call.propagated)
      },
      error: (call: ServiceTrace & Failed): void => {
        const span = spans.get(call)
        if (span !== undefined) this.#fail(span, call.error)
      },
      asyncEnd: (call: ServiceTrace): void => {
        const span = spans.get(call)
        if (call.status !== undefined) span?.setAttribute('http.response.status_code', call.status)
        span?.end()
      }
    }
    calls.subscribe(told as unknown as Parameters<typeof calls.subscribe>[0])
    return () => { calls.unsubscribe(told as unknown as Parameters<typeof calls.unsubscribe>[0]) }
  }
}
