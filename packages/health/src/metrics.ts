/** Metrics in the text format of Prometheus, over `prom-client`. */
import { tracingChannel } from 'node:diagnostics_channel'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import { Gauge, Histogram, Registry } from 'prom-client'
import type { Readiness } from './readiness.js'

/** Methods by name; a client may send any. */
const methods = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS'])
const seconds = [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10]

/** What `@fastback/service-client` tells of a call, on the channel `fastback:service.call`. */
interface ServiceTrace {
  readonly dataSource: string
  readonly operation: string
  readonly status?: number
  readonly milliseconds?: number
}

/**
 * What is counted of one application. Labels are names of its own (routes, data sources, operations), methods and
 * statuses: nothing that clients make up.
 */
export class Metrics {
  readonly #registry = new Registry()
  readonly #requests: Histogram<'method' | 'route' | 'status'>
  readonly #services: Histogram<'data_source' | 'operation' | 'status'>
  readonly #open = new WeakSet<FastifyRequest>()
  #inFlight = 0

  constructor (readonly readiness: Readiness) {
    const registers = [this.#registry]
    this.#requests = new Histogram({
      name: 'http_request_duration_seconds',
      help: 'Time from a request to the end of its answer, by route.',
      labelNames: ['method', 'route', 'status'],
      buckets: seconds,
      registers
    })
    this.#services = new Histogram({
      name: 'fastback_service_call_duration_seconds',
      help: 'Time of calls to other services; the status is that of the answer, or "none".',
      labelNames: ['data_source', 'operation', 'status'],
      buckets: seconds,
      registers
    })
    const gauge = (name: string, help: string, value: () => number): void => {
      this.#registry.registerMetric(new Gauge({ name, help, registers: [], collect () { this.set(value()) } }))
    }
    gauge('http_requests_in_flight', 'Requests that are being answered.', () => this.#inFlight)
    gauge('nodejs_eventloop_delay_seconds', 'How late the event loop was, on average of the last second.',
      () => readiness.eventLoopDelay / 1_000)
    gauge('process_resident_memory_bytes', 'Memory of the process.', () => process.memoryUsage.rss())
    gauge('nodejs_heap_used_bytes', 'Memory of JavaScript\'s objects.', () => process.memoryUsage().heapUsed)
    gauge('process_start_time_seconds', 'When the process began, in seconds since 1970.',
      () => Math.round(performance.timeOrigin / 1_000))
    const up = new Gauge({
      name: 'fastback_data_source_up',
      help: 'Whether a data source answers: 1 or 0.',
      labelNames: ['data_source'],
      registers,
      async collect () {
        const { components } = await readiness.look()
        for (const [name, { status }] of Object.entries(components)) {
          if (name !== 'eventLoop' && name !== 'draining') up.set({ data_source: name }, status === 'up' ? 1 : 0)
        }
      }
    })
  }

  /** Counts the requests of an application, and the calls of this process to services; gives what ends that. */
  watch (app: FastifyInstance): () => void {
    app.addHook('onRequest', (request, _reply, done) => {
      this.#inFlight++
      this.#open.add(request)
      done()
    })
    const ended = (request: FastifyRequest): void => {
      if (this.#open.delete(request)) this.#inFlight--
    }
    app.addHook('onRequestAbort', (request, done) => {
      ended(request)
      done()
    })
    app.addHook('onResponse', (request, reply, done) => {
      ended(request)
      this.#observe(request, reply)
      done()
    })
    const calls = tracingChannel<unknown, ServiceTrace>('fastback:service.call')
    const told = {
      asyncEnd: ({ dataSource, operation, status, milliseconds = 0 }: ServiceTrace): void => {
        this.#services.observe({ data_source: dataSource, operation, status: status ?? 'none' }, milliseconds / 1_000)
      }
    }
    calls.subscribe(told as Parameters<typeof calls.subscribe>[0])
    return () => { calls.unsubscribe(told as Parameters<typeof calls.unsubscribe>[0]) }
  }

  #observe ({ method, routeOptions: { url: route = 'unknown' } }: FastifyRequest, reply: FastifyReply): void {
    this.#requests.observe(
      { method: methods.has(method) ? method : 'other', route, status: reply.statusCode }, reply.elapsedTime / 1_000
    )
  }

  get contentType (): string {
    return this.#registry.contentType
  }

  async text (): Promise<string> {
    return await this.#registry.metrics()
  }
}
