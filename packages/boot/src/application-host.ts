/**
 * Holds what an application consists of from its making to its serving: models, settings, the order of its middleware,
 * and the object that its code gets. A folder is loaded into it (`load-folder.ts`), then it opens.
 */
import core, { type BootExtension, type EnableAuthOptions, type ModelClass, type ModelRegistry } from '@fastback/core'
import { definitionSourcesIn, withoutEndSlashes } from '@fastback/core/remote'
import { createErrorHandler, type ErrorHandler, type RemotingSettings } from '@fastback/rest'
import { expressify, loadExpress } from '@fastback/rest/express'
import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify'
import type { Application } from './app/application.js'
import { createApplication } from './app/create-application.js'
import { createLoopback, type LoopbackObject } from './app/loopback.js'
import { urlNotFound } from './app/loopback-middleware.js'
import type { LoopbackHost } from './app/loopback-host.js'
import { middlewareMethods } from './app/middleware.js'
import { handOverStep } from './app/native-handler.js'
import { Settings } from './app/settings.js'
import { ApplicationModels } from './application-models.js'
import { connectorByName } from './connectors.js'
import { explorerOf, type ExplorerOptions } from './components.js'
import type { Configuration } from './configuration.js'
import { definitionSources } from './definition-sources.js'
import { errorOptions } from './error-options.js'
import { InvalidConfigError, TooLateError } from './errors.js'
import { folderDefaults } from './folder-defaults.js'
import { errorHandler, installChain, notFoundScope } from './middleware/bridge.js'
import { Chain } from './middleware/chain.js'
import { outerNext, type ExchangeHost, type ExpressRequest, type Next } from './middleware/exchange.js'
import { isLiteral } from './middleware/paths.js'
import type { ModelLookup } from './model-lookup.js'
import { mountExplorer, mountRest } from './routes.js'

export interface HostOptions {
  /** Packages that contribute built-in models, connectors, access control. */
  readonly extensions: readonly BootExtension[]
  /** The models that it is made over. Default: models of its own. */
  readonly models?: ApplicationModels | undefined
  /** What `app.loopback` is. Default: one of its own. */
  readonly loopback?: LoopbackObject | undefined
  /** Settings that the application begins with. */
  readonly settings?: Readonly<Record<string, unknown>>
  /** The Fastify instance that serves the application; a function is asked once, when something of it is needed. */
  readonly fastify: FastifyInstance | (() => FastifyInstance)
  /** Answers a request that reaches the application as a handler (`http.createServer(app)`). */
  handle (req: IncomingMessage, res: ServerResponse): void
  /** Makes the application listen (`app.start()`, `app.listen()`). */
  start (): Promise<unknown>
  /** Listens at once: what code gave to `app.listen`. */
  listen (args: readonly unknown[]): Server
  /** Whether the application answers what no route answers. */
  readonly notFound: boolean
}

const noOptions = {}

/** Limits of the start: config.json, `server`. Milliseconds. */
const defaults = { startTimeout: 10_000 }

export class ApplicationHost {
  readonly app: Application
  readonly chain: Chain
  readonly registry: ModelRegistry
  readonly lookup: ModelLookup
  readonly extensions: readonly BootExtension[]
  readonly loopbackHost: LoopbackHost
  /** Set while a Fastify plugin of the folder's own may add routes. */
  foreignRoutes = false
  /** What the folder says; undefined for an application without one. */
  configuration: Configuration | undefined
  readonly #settings: Settings
  readonly #options: HostOptions
  readonly #restPaths = new Set<string>()
  readonly #tokens: Array<Readonly<Record<string, unknown>>> = []
  readonly #errorHandlers = new Map<object, ErrorHandler>()
  #fastify: FastifyInstance | undefined
  #auth: EnableAuthOptions | undefined
  #booting = false
  /** What was to be logged before there was a log. */
  #early: Array<(log: FastifyInstance['log']) => void> = []
  #isOpen = false
  #hasHook = false
  #isStale = false
  #isHandedOut = false
  #hasExplorer = false
  readonly #plugins: Array<(fastify: FastifyInstance) => void> = []

  constructor (options: HostOptions) {
    const { extensions } = options
    // Folders of LoopBack run with definitions that have mistakes in them; config.json may say otherwise.
    const settings = new Settings({ ...folderDefaults, ...options.settings })
    const chain = new Chain(() => this.#comparison())
    this.#options = options
    this.#settings = settings
    this.chain = chain
    this.extensions = extensions
    const models = options.models ?? new ApplicationModels(extensions)
    const { registry } = models
    models.serve(settings.values, write => { this.#write(write) })
    this.registry = models.core
    this.lookup = models.lookup
    this.loopbackHost = {
      restMounted: paths => {
        const literal = paths.length === 0 ? ['/'] : paths.filter(isLiteral)
        for (const path of literal) this.#restPaths.add(withoutEndSlashes(path))
      },
      tokenUsed: params => { this.#tokens.push(params) },
      accessToken: (request, reply) => this.#accessToken(request, reply),
      answerError: (error, request, reply, given) => {
        this.#errorHandler(given)(error, request, reply)
      }
    }
    const middleware = middlewareMethods({
      ...this.loopbackHost,
      chain,
      application: () => this.app,
      mayAdd: what => { if (this.#isOpen && !this.#hasHook && !this.#change()) throw new TooLateError(what) }
    }, name => settings.get(name))
    this.app = createApplication({
      settings,
      registry,
      fastify: () => {
        this.#isHandedOut = true
        return this.fastify
      },
      handle: (req, res, next) => { this.#handle(req, res, next) },
      middleware,
      loopback: options.loopback ?? createLoopback(registry),
      enableAuth: given => this.#enableAuth(given),
      start: () => options.start(),
      listen: args => options.listen(args),
      isBooting: () => this.#booting,
      isAuthEnabled: () => this.#auth !== undefined
    })
    if (typeof options.fastify !== 'function') {
      this.#isHandedOut = true
      this.#use(options.fastify)
    }
    this.#watchChanges()
    for (const { methods = {} } of extensions) {
      for (const [name, method] of Object.entries(methods)) this.app[name] = (given: unknown) => method(this.app, given)
    }
  }

  /** Routes are made when the application opens; it opens again for what changes of its models after that. */
  #watchChanges (): void {
    const { app } = this
    for (const event of ['modelRemoted', 'modelDeleted', 'remoteMethodAdded', 'remoteMethodDisabled']) {
      app.on(event, () => { if (this.#isOpen && !this.#change()) this.#warnOfChange() })
    }
    const known = new WeakMap<object, number>()
    this.registry.on('modelChanged', (Model: ModelClass) => {
      if (Model.app !== app) return
      const count = Object.keys(Model.definition.relations).length
      if (this.#isOpen && known.has(Model) && known.get(Model) !== count) this.#change()
      known.set(Model, count)
    })
  }

  /** @returns whether it can be opened again: what code did to its Fastify instance would be lost */
  #change (): boolean {
    if (this.#isHandedOut) return false
    return (this.#isStale = true)
  }

  #warnOfChange (): void {
    this.warn('a model or method that was added or removed after the start has its routes after the next one')
  }

  /** Whether something has changed since it was opened, so that it must be opened again. */
  get isStale (): boolean {
    return this.#isStale
  }

  /** Begins anew with another Fastify instance. Models, middleware and settings stay. */
  renew (fastify: FastifyInstance): void {
    this.#isStale = false
    this.#isOpen = false
    this.chain.forgetHooks()
    this.#use(fastify)
    for (const register of this.#plugins) register(fastify)
  }

  /** Registers plugins, again with each Fastify instance that the application has in its life. */
  register (plugins: (fastify: FastifyInstance) => void): void {
    this.#plugins.push(plugins)
    plugins(this.fastify)
  }

  /** A request of a server, or of an application that this one is part of: that one goes on where nothing answers. */
  #handle (req: IncomingMessage, res: ServerResponse, next: Next | undefined): void {
    if (next !== undefined) (req as ExpressRequest)[outerNext] = next
    this.#options.handle(req, res)
  }

  get fastify (): FastifyInstance {
    if (this.#fastify === undefined) {
      const fastify = (this.#options.fastify as () => FastifyInstance)()
      this.#use(fastify)
      this.#early.splice(0).forEach(write => { write(fastify.log) })
    }
    return this.#fastify as FastifyInstance
  }

  /** What comes after it sees each request's path in one spelling. */
  #use (fastify: FastifyInstance): void {
    this.#fastify = fastify
    fastify.register(core, { registry: this.registry })
  }

  warn (message: string): void {
    this.#write(log => { log.warn(message) })
  }

  #write (write: (log: FastifyInstance['log']) => void): void {
    if (this.#fastify === undefined) this.#early.push(write)
    else write(this.#fastify.log)
  }

  /** Settings of a folder, over those that code has set before. */
  configure (configuration: Configuration): void {
    this.#booting = true
    this.configuration = configuration
    this.registry.baseDir = configuration.folder.server
    this.registry.connectors.lookUp = name => connectorByName(name, configuration.folder)
    definitionSourcesIn(this.registry).of = definitionSources(configuration)
    for (const [name, value] of Object.entries(configuration.settings)) this.#settings.set(name, value)
    this.registry.checkSettings()
  }

  /**
   * All that the application consists of is there: `booted`, in a later tick, so that code which goes on after
   * `boot(app, dir)` can still listen to it.
   */
  booted (): Promise<void> {
    return new Promise(resolve => {
      process.nextTick(() => {
        this.#booting = false
        this.app.emit('booted')
        resolve()
      })
    })
  }

  /** Folders without middleware.json have REST where the setting says. */
  mountDefaultRest (): void {
    const root = this.#settings.get('restApiRoot') as string
    this.loopbackHost.restMounted([root])
    this.chain.addNative('routes', handOverStep('rest', [root]))
  }

  /**
   * Everything after the boot scripts: the chain before the routes, then REST and explorer, then what answers the rest.
   */
  async open (): Promise<void> {
    const { fastify, app, configuration } = this
    await this.registry.connect()
    await this.#settle()
    for (const extension of this.extensions) await extension.beforeOpen?.(app, fastify)
    this.#warnOfComparison()
    const explorer = this.#explorer()
    const host = this.#exchangeHost()
    const mounts = [...this.#restPaths, ...(explorer === undefined ? [] : [explorer.mountPath])]
    this.#hasHook = installChain(fastify, {
      host,
      mounts,
      foreignRoutes: this.foreignRoutes || this.extensions.some(extension => extension.addsRoutes?.(app))
    })
    if (this.#hasHook && this.chain.hasExpress) loadExpress()
    this.#isOpen = true
    fastify.setErrorHandler(errorHandler(host))
    for (const extension of this.extensions) {
      await extension.register?.(fastify, { app, auth: this.#auth, tokens: this.#tokens })
    }
    const remoting = (this.#settings.get('remoting') ?? {}) as RemotingSettings
    for (const prefix of this.#restPaths) await mountRest(fastify, prefix, app, remoting)
    if (explorer !== undefined) {
      const apiInfo = this.#settings.get('apiInfo')
      await mountExplorer(fastify, explorer, [...this.#restPaths][0] as string, configuration?.folder, apiInfo)
      // Where LoopBack's explorer leaves its options; programs that start a server print its address from them.
      app.set('loopback-component-explorer', explorer)
    }
    // REST at the root answers all that comes to it.
    const restAnswersAll = this.#restPaths.has('') && remoting.rest?.handleUnknownPaths !== false
    if (this.#options.notFound && !restAnswersAll) await fastify.register(notFoundScope, { host })
  }

  /** Rows that boot scripts make are there before the first request (`server.startTimeout`, in milliseconds). */
  async #settle (): Promise<void> {
    const { startTimeout } = { ...defaults, ...(this.#settings.get('server') as Partial<typeof defaults> | undefined) }
    if (!Number.isInteger(startTimeout) || startTimeout < 0) {
      throw new InvalidConfigError('config.json', '"server.startTimeout" must be a whole number')
    }
    const { pending } = this.registry
    if (pending === undefined) return
    const settled = await pending.settled(startTimeout)
    // A running server counts nothing.
    this.registry.pending = undefined
    if (settled) return
    this.warn(
      `boot scripts began ${pending.count} operations that have not ended after ${startTimeout} ms; the server ` +
        'starts without waiting for them. Let the scripts return promises, or set "server.startTimeout" in config.json.'
    )
  }

  /**
   * How Express layers compare paths: not more strictly than the router, or some spelling of a route's path passes by
   * what guards it (security.md, S-70).
   */
  #comparison (): { caseSensitive: boolean, strict: boolean } {
    const caseSensitive = this.#settings.get('case sensitive routing') === true
    const strict = this.#settings.get('strict routing') === true
    // The router is made of these settings later.
    if (this.#fastify === undefined) return { caseSensitive, strict }
    const { initialConfig } = this.#fastify
    const router = initialConfig.routerOptions ?? initialConfig
    return {
      caseSensitive: caseSensitive && router.caseSensitive !== false,
      strict: strict && router.ignoreTrailingSlash !== true
    }
  }

  /** The router is made before boot scripts run. */
  #warnOfComparison (): void {
    const compared = this.#comparison()
    for (const [name, isSo] of [
      ['case sensitive routing', compared.caseSensitive],
      ['strict routing', compared.strict]
    ] as const) {
      if (!isSo && this.#settings.get(name) === true) {
        this.warn(`"${name}" has no effect: set it in config.json, where the router reads it`)
      }
    }
  }

  /** The explorer goes with REST; where the folder says nothing, not in production. */
  #explorer (): ExplorerOptions | undefined {
    if (this.configuration === undefined || this.#restPaths.size === 0) return undefined
    const said = explorerOf(this.configuration.components)
    if (said === false || (said === true && this.configuration.env === 'production')) return undefined
    const options = said === true ? { mountPath: '/explorer' } : said
    if (!this.#hasExplorer) this.chain.addNative(undefined, handOverStep('explorer', [options.mountPath]))
    this.#hasExplorer = true
    return options
  }

  #exchangeHost (): ExchangeHost {
    const { fastify, app, chain } = this
    return {
      ...this.loopbackHost,
      chain,
      prepare (request, reply) {
        expressify(app, request, reply)
      },
      conclude: (error, request, reply) => {
        const next = (request.raw as ExpressRequest)[outerNext]
        if (next !== undefined) {
          reply.hijack()
          next(error)
          return
        }
        this.#errorHandler(noOptions)(error ?? urlNotFound(request.raw), request, reply)
      },
      reroute: (req, res) => {
        fastify.routing(req, res)
      }
    }
  }

  /** The error handler for some options, made once; settings of `remoting.errorHandler` lie beneath. */
  #errorHandler (options: Record<string, unknown>): ErrorHandler {
    let handler = this.#errorHandlers.get(options)
    if (handler === undefined) {
      handler = createErrorHandler({ ...errorOptions(this.#settings.values), ...options })
      this.#errorHandlers.set(options, handler)
    }
    return handler
  }

  async #accessToken (request: FastifyRequest, reply: FastifyReply): Promise<unknown> {
    for (const extension of this.extensions) {
      const token = await extension.accessToken?.(request, reply)
      if (token !== undefined && token !== null) return token
    }
  }

  #enableAuth (options: EnableAuthOptions): Readonly<Record<string, boolean>> | undefined {
    if (this.extensions.length === 0) return undefined
    this.#auth = { ...this.#auth, ...options }
    return Object.assign({}, ...this.extensions.map(extension => extension.attachedByEnableAuth ?? {})) as Record<
      string,
      boolean
    >
  }
}
