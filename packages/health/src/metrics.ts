/** Metrics in the text format of Prometheus, over `prom-client`. */
import { tracingChannel } from 'node:diagnostics_channel'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type * as client from 'prom-client'
import { addMeasures } from './measures.js'
import { methodName } from './method-name.js'
import { AggregatorRegistry, Gauge, Histogram, Registry } from './prometheus.js'
import { timeStatements } from './statements.js'
import type { Readiness } from './readiness.js'
import { Workers } from './workers.js'

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
  readonly #requests: client.Histogram<'method' | 'route' | 'status'>
  readonly #services: client.Histogram<'data_source' | 'operation' | 'status'>
  readonly #open = new WeakSet<FastifyRequest>()
  #inFlight = 0
  #workers: Workers | undefined

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
    const gauge = (name: string, help: string, value: () => number, aggregator: client.Aggregator = 'sum'): void => {
      const collect = function (this: client.Gauge): void { this.set(value()) }
      this.#registry.registerMetric(new Gauge({ name, help, aggregator, registers: [], collect }))
    }
    gauge('http_requests_in_flight', 'Requests that are being answered.', () => this.#inFlight)
    gauge('nodejs_eventloop_delay_seconds', 'How late the event loop was, on average of the last second.',
      () => readiness.eventLoopDelay / 1_000, 'max')
    gauge('process_resident_memory_bytes', 'Memory of the process.', () => process.memoryUsage.rss())
    gauge('nodejs_heap_used_bytes', 'Memory of JavaScript\'s objects.', () => process.memoryUsage().heapUsed)
    gauge('process_start_time_seconds', 'When the process began, in seconds since 1970.',
      () => Math.round(performance.timeOrigin / 1_000), 'min')
    addMeasures(this.#registry, readiness.registry)
    const up = new Gauge({
      name: 'fastback_data_source_up',
      help: 'Whether a data source answers: 1 or 0.',
      labelNames: ['data_source'],
      aggregator: 'min',
      registers,
      async collect () {
        const { components } = await readiness.look()
        for (const [name, { status }] of Object.entries(components)) {
          if (name !== 'eventLoop' && name !== 'draining') up.set({ data_source: name }, status === 'up' ? 1 : 0)
        }
      }
    })
  }

  /** Measures statements from now on; gives what ends that. */
  timeStatements (): () => void {
    return timeStatements(this.#registry, this.readiness.registry)
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
      { method: methodName(method), route, status: reply.statusCode }, reply.elapsedTime / 1_000
    )
  }

  get contentType (): string {
    return this.#registry.contentType
  }

  /** Those of all workers as one: sums, the longest delay, the first start, and whether a data source answers all. */
  async text (): Promise<string> {
    if (this.#workers === undefined) return await this.#registry.metrics()
    const [own, others] = await Promise.all([this.#registry.getMetricsAsJSON(), this.#workers.gather()])
    return await AggregatorRegistry.aggregate([own, ...others as object[]] as object[]).metrics()
  }

  /** Where other processes serve the same application, they are asked as well. */
  joinWorkers (): void {
    const { registry } = this.readiness
    const cluster = registry.busDrivers.get('cluster')
    if (cluster === undefined) return
    this.#workers = new Workers(cluster, registry.log, () => this.#registry.getMetricsAsJSON())
  }

  async leaveWorkers (): Promise<void> {
    await this.#workers?.close()
    this.#workers = undefined
  }
}
