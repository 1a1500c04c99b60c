/** A server for one application folder. */
import type { IncomingMessage, Server as HttpServer, ServerResponse } from 'node:http'
import type { FastifyInstance } from 'fastify'
import type { Application } from './app/application.js'
import type { LoopbackObject } from './app/loopback.js'
import type { ApplicationModels } from './application-models.js'
import { ApplicationHost } from './application-host.js'
import { expectationHandler } from './client-error.js'
import { closeConnections } from './connections.js'
import { configurationSteps, environment, type ConfigurationOptions } from './configuration.js'
import { errorOptions } from './error-options.js'
import { isCoded } from './errors.js'
import type { BootExtension, MaybePromise } from '@fastback/core'
import type { BusDriverFactory } from '@fastback/core/bus'
import { isPromise } from '@fastback/core/connector'
import type { OpenConnections } from '@fastback/core/remote'
import { loadExtensions } from './extensions.js'
import { loadFolder } from './load-folder.js'
import { Folder } from './load/folder.js'
import { ProxyTrust } from './proxy-trust.js'
import { createFastify, serverLimits, type LogOption } from './server-options.js'
import { addressOf, listen, listenOptions, type ListenAddress } from './listen-address.js'
import { perform, type Steps } from './steps.js'
import { upgradeReport } from './upgrade/report.js'
import { refuseUnderPressure } from './under-pressure.js'

export interface ServerOptions extends ConfigurationOptions {
  /**
   * A logger of Fastify's form, or its level, or false for none. Default: what config.json says under `log`, else
   * warnings and errors.
   */
  readonly log?: LogOption
  /** Packages that contribute built-in models, connectors, access control. Default: those installed with boot. */
  readonly extensions?: readonly BootExtension[]
  /** What may carry the bus between processes, by the names of the setting `bus`. Default: those of connectors. */
  readonly busDrivers?: Readonly<Record<string, BusDriverFactory>>
  /** How many processes serve this application: their pools together stay below a server's limit. Default: 1. */
  readonly processes?: number
}

/** What applications of one process may share. */
export interface SharedParts {
  /** The models that the application is made over. Default: models of its own. */
  readonly models?: ApplicationModels
  /** What `app.loopback` is. Default: one of its own. */
  readonly loopback?: LoopbackObject
}

/** A booted application. */
export interface Server {
  readonly fastify: FastifyInstance
  /** The object that boot scripts get. */
  readonly app: Application
  /** Listens; the address (`http://127.0.0.1:3000`). A second call gives the same address. */
  start (): Promise<string>
  /**
   * Takes no further connections, ends streams, and waits until each open connection had one more answer, which says
   * that it is the last, or `server.drainTime` is over. Then call `stop`.
   */
  leave (): Promise<void>
  /** Answers what was begun (within `requestTimeout`), closes all connections and data sources. */
  stop (): Promise<void>
}

/**
 * Boots an application folder. Requests can be injected (`server.fastify.inject`) without listening.
 *
 * ```js
 * const server = await createServer('my-app', { port: 0 })
 * const address = await server.start() // 'http://127.0.0.1:49152'
 * await server.stop()
 * ```
 * @param dir the application folder, or its folder `server`
 * @param options `host` and `port` win over config.json; `env` (default: NODE_ENV, else `development`); `log`
 * @throws coded errors (`FBK_BOOT_…`, `FBK_CORE_…`) that name file and key of what is wrong in the folder
 */
export async function createServer (dir: string, options: ServerOptions = {}): Promise<Server> {
  const server = new ApplicationServer(await perform(loadExtensions()), options)
  try {
    await server.load(dir)
    await server.open()
  } catch (error) {
    await server.abandon()
    throw error
  }
  const { app } = server
  // The caller may do with it as it likes: it stays the same.
  const { fastify } = app
  return { fastify, app, start: () => server.start(), leave: () => server.leave(), stop: () => server.stop() }
}

/**
 * An application with a server of its own, made before the folder is known: a folder is loaded when code says so, and
 * the server opens with the first request or when it is to listen.
 *
 * ```js
 * const server = new ApplicationServer(await perform(loadExtensions()))
 * await server.load('my-app')
 * await server.start()
 * await server.stop()
 * ```
 */
export class ApplicationServer {
  readonly host: ApplicationHost
  readonly #options: ServerOptions
  readonly #trust = new ProxyTrust()
  #fastify: FastifyInstance | undefined
  /** Those that requests went to before models changed; the first one's server listens. */
  readonly #earlier: FastifyInstance[] = []
  #isLoaded = false
  #loading: MaybePromise<void> = undefined
  #booted: Promise<void> | undefined
  #failure: { readonly error: unknown } | undefined
  #opened: Promise<void> | undefined
  #isOpen = false
  /** Those of the server that listens. */
  #connections: OpenConnections | undefined
  #address: Promise<string> | undefined

  constructor (installed: readonly BootExtension[], options: ServerOptions = {}, shared: SharedParts = {}) {
    this.#options = options
    this.host = new ApplicationHost({
      ...shared,
      extensions: [...installed, ...(options.extensions ?? [])],
      fastify: () => this.fastify,
      handle: (req, res) => { this.#handle(req, res) },
      settings: { env: environment(options.env), restApiRoot: '/api' },
      start: () => this.start(),
      listen: args => this.listen(args),
      notFound: true
    })
    const { busDrivers } = this.host.registry
    this.host.registry.processes = options.processes ?? 1
    for (const [name, driver] of Object.entries(options.busDrivers ?? {})) busDrivers.set(name, driver)
  }

  /** The object that boot scripts get. */
  get app (): Application {
    return this.host.app
  }

  /** Made when it is first asked for: by then a folder has been configured, or there is none. */
  get fastify (): FastifyInstance {
    return (this.#fastify ??= this.#createFastify())
  }

  /** The HTTP server: one for the whole life of the application. */
  get server (): HttpServer {
    return (this.#earlier[0] ?? this.fastify).server
  }

  /**
   * Reads a folder and loads what it says; done when it returns where nothing takes its time. What opens the server
   * waits for it.
   * @throws coded errors that name file and key of what is wrong in the folder
   */
  load (dir: string, options: ConfigurationOptions = this.#options): MaybePromise<void> {
    this.#isLoaded = true
    try {
      const loading = perform(this.#load(dir, options))
      if (isPromise(loading)) loading.catch((error: unknown) => { this.#failure = { error } })
      this.#loading = loading
    } catch (error) {
      this.#failure = { error }
      throw error
    }
    return this.#loading
  }

  /** Whether a folder was to be loaded; it may still be under way, or have failed. */
  get isLoaded (): boolean {
    return this.#isLoaded
  }

  /** Why the folder could not be loaded: what code meets after that, it meets because of this. */
  get failure (): { readonly error: unknown } | undefined {
    return this.#failure
  }

  /** Waits until the folder is loaded, if there is one. @throws why it could not be */
  async loaded (): Promise<void> {
    await this.#loading
    if (this.#failure !== undefined) throw this.#failure.error
    await this.#booted
  }

  * #load (dir: string, options: ConfigurationOptions): Steps<void> {
    const report = upgradeReport(Folder.locate(dir, options.given))
    try {
      yield * this.#loadFolder(dir, options)
    } catch (error) {
      throw report === undefined ? error : withReport(error, report)
    }
    if (report !== undefined) this.host.warn(report)
  }

  * #loadFolder (dir: string, options: ConfigurationOptions): Steps<void> {
    const configuration = yield * configurationSteps(dir, options)
    this.host.configure(configuration)
    this.#trustProxy()
    this.#limitPressure()
    yield * loadFolder(this.host, configuration)
    this.#booted = this.host.booted()
  }

  #limitPressure (): void {
    const { configuration } = this.host
    if (configuration !== undefined) refuseUnderPressure(this.fastify, this.#file, configuration.settings)
  }

  /** Routes and hooks of what was loaded; further calls wait for the same opening. */
  open (): Promise<void> {
    if (this.#isOpen && this.host.isStale) this.#renew()
    return (this.#opened ??= this.#open())
  }

  /**
   * Routes cannot be added to a Fastify instance that is ready: another one takes the requests from now on. What the
   * old one has begun it brings to its end; it closes with the server.
   */
  #renew (): void {
    this.#isOpen = false
    this.#opened = undefined
    this.#earlier.push(this.fastify)
    this.#fastify = this.#createFastify()
    this.host.renew(this.#fastify)
    this.#limitPressure()
  }

  async #open (): Promise<void> {
    await this.loaded()
    this.#trustProxy()
    await this.host.open()
    await this.fastify.ready()
    this.#isOpen = true
  }

  /** Requests wait for the opening, those of a server that is not the application's own as well. */
  #handle (req: IncomingMessage, res: ServerResponse): void {
    if (this.#isOpen && !this.host.isStale) this.fastify.routing(req, res)
    else this.open().then(() => { this.fastify.routing(req, res) }, (error: unknown) => { this.#refuse(error, res) })
  }

  #refuse (error: unknown, res: ServerResponse): void {
    this.fastify.log.error({ err: error }, 'the application cannot be opened')
    res.writeHead(503, { 'content-type': 'application/json; charset=utf-8', connection: 'close' })
    res.end(JSON.stringify({ error: { statusCode: 503, name: 'Error', message: 'Service Unavailable' } }))
  }

  /** Whether something has made it listen. */
  get isStarted (): boolean {
    return this.#address !== undefined
  }

  /** Opens and listens; the address. A second call gives the same address. */
  start (): Promise<string> {
    return (this.#address ??= this.open().then(async () => {
      const address = await listen(this.#earlier[0] ?? this.fastify, this.#place())
      this.#announce(address)
      return address
    }))
  }

  /**
   * Listens before this returns, as `app.listen` of an Express application does, so that the server's address can be
   * asked for; its first requests wait for the opening.
   * @param args what Node's `server.listen` takes; what was asked for when the server was made wins
   */
  listen (args: readonly unknown[]): HttpServer {
    const { server } = this
    const done = args.find(argument => typeof argument === 'function') as (() => void) | undefined
    const given = args.filter(argument => typeof argument !== 'function')
    const { host, port } = this.#options
    const isPlaced = host !== undefined || port !== undefined || given.length === 0
    const listening = new Promise<string>((resolve, reject) => {
      server.once('error', reject)
      // Those who wait for this event find the address in the settings.
      server.once('listening', () => {
        server.removeListener('error', reject)
        const address = addressOf(server)
        this.#announce(address)
        resolve(address)
      })
      ;(server.listen as (...given: unknown[]) => void)(...isPlaced ? [listenOptions(this.#place())] : given)
    })
    this.#address = Promise.all([listening, this.open()]).then(([address]) => address)
    // As with Node's servers, `done` hears of success alone.
    this.#address.then(
      () => { done?.call(server) },
      (error: unknown) => {
        server.close()
        ;(server.listenerCount('error') > 0 ? server : this.app).emit('error', error)
      }
    )
    return server
  }

  /** Where it listens, for code that asks the application. */
  #announce (address: string): void {
    const { app } = this
    const bound = this.server.address()
    if (bound !== null && typeof bound === 'object') {
      app.set('port', bound.port)
      if (app.get('host') === undefined) app.set('host', bound.address)
    }
    if (app.get('url') === undefined) app.set('url', `${address}/`)
    app.emit('started')
  }

  /** What the command line says wins over what code sets (`app.listen(3000)`). */
  #place (): ListenAddress {
    const { app, host: { configuration } } = this
    const { host, port } = this.#options
    return {
      host: host ?? app.get('host') as string | undefined,
      port: (port === undefined ? undefined : configuration?.settings.port ?? Number(port)) as ListenAddress['port'] ??
        app.get('port') as ListenAddress['port']
    }
  }

  /** The last responses of connections that are open; further ones are not taken. */
  async leave (): Promise<void> {
    this.host.registry.emit('ending')
    await this.#connections?.leave()
  }

  /** Answers what was begun, then closes connections and data sources. */
  async stop (): Promise<void> {
    await Promise.all([...this.#earlier, this.#fastify].map(async fastify => { await fastify?.close() }))
  }

  /**
   * Closes what a start that failed has opened, data sources as well: the connections of a pool would keep the process
   * for half a minute. It does not throw.
   */
  async abandon (): Promise<void> {
    await this.stop().catch(() => {})
    // Until the server opens, nothing of Fastify's closes them.
    await this.host.registry.stop().catch(() => {})
  }

  /** The file that settings come from, for messages. */
  get #file (): string {
    const folder = this.host.configuration?.folder
    return folder === undefined ? 'the settings' : folder.name(folder.path('config.json'))
  }

  #trustProxy (): void {
    this.#trust.use(this.app.settings['trust proxy'], this.#file)
  }

  #createFastify (): FastifyInstance {
    const { settings } = this.app
    const env = environment(this.host.configuration?.env)
    const fastify = createFastify(settings, env, this.#file, this.#options.log, this.#trust)
    const limits = serverLimits(settings, this.#file)
    const connections = closeConnections(fastify, limits)
    this.#connections ??= connections
    // The server may listen before there are routes. One listener: Node copies the list of several for each request.
    fastify.server.removeAllListeners('request').on('request', (req, res) => {
      connections.responding(req.socket, res)
      this.#handle(req, res)
    })
    const { maxConnections } = limits
    if (maxConnections > 0) fastify.server.maxConnections = maxConnections
    fastify.server.on('checkExpectation', expectationHandler(errorOptions(settings)))
    return fastify
  }
}

/** A folder of version 2 that does not start is told all that concerns it, and not one point a day. */
function withReport (error: unknown, report: string): unknown {
  if (isCoded(error)) error.message = `${error.message}\n${report}`
  return error
}
