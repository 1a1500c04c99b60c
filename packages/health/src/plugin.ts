import { setTimeout as wait } from 'node:timers/promises'
import Fastify, { type FastifyInstance, type FastifyRequest } from 'fastify'
import plugin from 'fastify-plugin'
import { checkOptions, connectionsOf, withoutEndSlashes } from '@fastback/core/remote'
import { allowedBy } from './allowed.js'
import { InvalidOptionsError, MissingRegistryError } from './errors.js'
import { HealthSchema, type HealthOptions } from './options.js'
import { Readiness, type Health } from './readiness.js'

/** How an application is, and its graceful shutdown: `app.health`. */
export interface HealthService {
  /**
   * How everything is.
   *
   * ```js
   * const { status, components } = await app.health.look() // 'up', { db: { status: 'up', milliseconds: 1 }, … }
   * ```
   */
  look (): Promise<Health>
  /**
   * `/ready` tells of the end from now on, and connections are closed with their responses; waits `drainDelay`. Then no
   * further connections are taken, streams end, and open connections have half a second for one more response. Then the
   * server may be closed.
   *
   * ```js
   * await app.health.drain()
   * await app.close()
   * ```
   */
  drain (): Promise<void>
  /** Milliseconds that `drain` waits. */
  readonly drainDelay: number
  /** Where the port of its own is, soon after the application listens: `http://127.0.0.1:9090`. */
  readonly address: string | undefined
}

declare module 'fastify' {
  interface FastifyInstance {
    readonly health: HealthService
  }
}

/**
 * Tells load balancers and Prometheus how an application is. Register it before what brings routes, so that their
 * requests are counted.
 *
 * ```js
 * await app.register(core, { dataSources, definitions, models })
 * await app.register(health, { allow: ['10.0.0.0/8'] })
 * await app.register(rest, { prefix: '/api' })
 * // GET /health/live, GET /health/ready, GET /metrics
 * ```
 * @throws FBK_HEALTH_INVALID_OPTIONS, FBK_HEALTH_MISSING_REGISTRY
 */
export const health = plugin(async (app: FastifyInstance, given: HealthOptions): Promise<void> => {
  const options = checkOptions(HealthSchema, given, InvalidOptionsError)
  if (!app.hasDecorator('registry')) throw new MissingRegistryError()
  const { metrics: metricsPath = '/metrics', drainDelay = 0 } = options
  const readiness = new Readiness(app.registry, options)
  const metrics = metricsPath === false
    ? undefined
    : new (await import('./metrics.js')).Metrics(readiness)
  const unwatch = metrics?.watch(app)
  // Data sources may be made until the server is ready.
  let untime: (() => void) | undefined
  if (options.statements === true) app.addHook('onReady', async () => { untime = metrics?.timeStatements() })
  app.addHook('onReady', async () => { metrics?.joinWorkers() })
  const untrace = await traced(app, options)
  let isDraining = false
  const drain = (): void => {
    isDraining = true
    readiness.drain()
  }
  // Keep-alive connections would go on sending requests here (RFC 9112, section 9.6).
  app.addHook('onSend', (_request, reply, payload, done) => {
    if (isDraining) reply.header('connection', 'close')
    done(null, payload)
  })
  const connections = connectionsOf(app.server)
  app.addHook('onRequest', ({ raw }, reply, done) => {
    connections.responding(raw.socket, reply.raw)
    done()
  })
  app.addHook('preClose', done => {
    drain()
    done()
  })
  app.addHook('onClose', async () => {
    await metrics?.leaveWorkers()
    unwatch?.()
    untime?.()
    untrace?.()
    readiness.close()
  })

  const served = options.port === undefined ? app : Fastify()
  await served.register(async scope => {
    addRoutes(scope, options, readiness, metrics === undefined ? undefined : { path: metricsPath as string, metrics })
  })
  let address: string | undefined
  if (served !== app) {
    let listening: Promise<void> | undefined
    app.addHook('onListen', () => (listening = (async () => {
      address = await served.listen({ port: options.port ?? 0, host: options.host ?? '127.0.0.1' })
      app.log.info({ address }, 'health and metrics are served on a port of their own')
    })()))
    // Fastify does not wait for what its listeners do.
    app.addHook('onClose', async () => {
      await listening?.catch(() => {})
      await served.close()
    })
  }
  app.decorate('health', {
    look: () => readiness.look(),
    drainDelay,
    async drain () {
      if (isDraining) return
      drain()
      await wait(drainDelay)
      app.registry.emit('ending')
      await connections.leave()
    },
    get address () { return address }
  })
}, { name: '@fastback/health', fastify: '5.x' })

/** Traces the application where that is asked for, and an SDK takes the spans; gives what ends that. */
async function traced (app: FastifyInstance, { traces = false }: HealthOptions): Promise<(() => void) | undefined> {
  if (traces === false) return undefined
  const { tracingApi, Traces } = await import('./traces.js')
  const api = await tracingApi()
  if (api === undefined) {
    app.log.info('nothing is traced: no OpenTelemetry SDK was set up before @fastback/health was registered')
    return undefined
  }
  return new Traces(api, app.registry, traces !== true && traces.statements === true).watch(app)
}

/** What proxies add. */
const forwarding = ['forwarded', 'x-forwarded-for', 'x-forwarded-host', 'x-forwarded-proto', 'x-real-ip', 'via'] as const

/**
 * A proxy on this machine whose word for the address of a client does not count: anyone who is behind it is not this
 * machine. Servers of folders are always told whom to trust, which may be nobody: then there is the proxy's address
 * alone (security.md, S-156).
 */
const isForwarded = ({ ips = [], headers }: FastifyRequest): boolean =>
  ips.length < 2 && forwarding.some(name => headers[name] !== undefined)

interface Read { readonly path: string, readonly metrics: { readonly contentType: string, text (): Promise<string> } }

function addRoutes (app: FastifyInstance, options: HealthOptions, readiness: Readiness, read: Read | undefined): void {
  const { path = '/health', allow } = options
  const isListed = allowedBy(allow)
  const isAllowed = (request: FastifyRequest): boolean => isListed(request.ip) && !isForwarded(request)
  const base = withoutEndSlashes(path)
  app.addHook('onSend', async (_request, reply) => { reply.header('cache-control', 'no-store') })
  // It answers: that is all it takes. A process that is merely busy is not to be killed.
  app.get(`${base}/live`, { logLevel: 'warn' }, () => ({ status: 'up' }))
  app.get(`${base}/ready`, { logLevel: 'warn' }, async (request, reply) => {
    const { status, components } = await readiness.look()
    if (status === 'down') reply.code(503)
    return isAllowed(request) ? { status, components } : { status }
  })
  if (read === undefined) return
  app.get(read.path, { logLevel: 'warn' }, async (request, reply) => {
    // Whoever may not read it is not told that there is something to read.
    if (!isAllowed(request)) return reply.callNotFound()
    return reply.header('content-type', read.metrics.contentType).send(await read.metrics.text())
  })
}
