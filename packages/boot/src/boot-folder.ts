/** Starts an application folder on a Fastify instance, in LoopBack's order (behaviour.md, section 12). */
import core, { ModelRegistry } from '@fastback/core'
import { createErrorHandler, type ErrorHandler, type RemotingSettings } from '@fastback/rest'
import { expressify, loadExpress } from '@fastback/rest/express'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { createApplication, type Application } from './app/application.js'
import { createLoopback, urlNotFound, type LoopbackHost } from './app/loopback.js'
import { handOverStep, middlewareMethods } from './app/middleware.js'
import { LoopbackRegistry } from './app/registry.js'
import { Settings } from './app/settings.js'
import { explorerOf, runComponents, type ExplorerOptions } from './components.js'
import type { Configuration } from './configuration.js'
import { registerConnectors } from './connectors.js'
import { naming, TooLateError } from './errors.js'
import { loadExtensions } from './extensions.js'
import type { EnableAuthOptions, BootExtension } from '@fastback/core'
import { runBootScripts } from './load/boot-scripts.js'
import type { MiddlewareConfig } from './load/middleware-config.js'
import { errorHandler, installChain, notFoundScope } from './middleware/bridge.js'
import { Chain } from './middleware/chain.js'
import type { ExchangeHost } from './middleware/exchange.js'
import { installMiddleware, type InstallContext } from './middleware/install.js'
import { isLiteral } from './middleware/paths.js'
import { defineModels, ModelLookup } from './models.js'
import { mountExplorer, mountRest } from './routes.js'

export interface BootFolderOptions {
  /** Makes the application listen (`app.start()`, `app.listen()`). */
  start (): Promise<unknown>
  /** Whether the folder answers what no route answers. */
  readonly notFound: boolean
  /** Extensions besides those that are installed with boot. */
  readonly extensions?: readonly BootExtension[] | undefined
}

const noOptions = {}

const withoutSlash = (path: string): string => path.replace(/\/+$/, '')

/**
 * How Express layers compare paths: not more strictly than the router, or some spelling of a route's path passes by
 * what guards it (security.md, S-70).
 */
function comparison (
  { initialConfig }: FastifyInstance,
  settings: Settings
): { caseSensitive: boolean; strict: boolean } {
  const { caseSensitive = true, ignoreTrailingSlash = false } = initialConfig.routerOptions ?? initialConfig
  return {
    caseSensitive: caseSensitive && settings.get('case sensitive routing') === true,
    strict: !ignoreTrailingSlash && settings.get('strict routing') === true
  }
}

/** Boots the folder. Afterwards the instance can be made ready, and listen. */
export async function bootFolder (
  fastify: FastifyInstance,
  configuration: Configuration,
  options: BootFolderOptions
): Promise<Application> {
  const extensions = [...(await loadExtensions()), ...(options.extensions ?? [])]
  const boot = new FolderBoot(fastify, configuration, extensions, options)
  await boot.run()
  return boot.app
}

class FolderBoot {
  readonly app: Application
  readonly #chain: Chain
  readonly #registry: ModelRegistry
  readonly #lookup: ModelLookup
  readonly #settings: Settings
  readonly #host: LoopbackHost
  readonly #restPaths = new Set<string>()
  readonly #tokens: Array<Record<string, unknown>> = []
  readonly #errorHandlers = new Map<object, ErrorHandler>()
  #auth: EnableAuthOptions | undefined
  #booting = true
  #hasHook = false
  #foreignRoutes = false

  constructor (
    readonly fastify: FastifyInstance,
    readonly configuration: Configuration,
    readonly extensions: readonly BootExtension[],
    readonly options: BootFolderOptions
  ) {
    const { folder } = configuration
    const settings = new Settings({ ...configuration.settings })
    const chain = new Chain(() => comparison(fastify, settings))
    this.#settings = settings
    this.#chain = chain
    this.#registry = new ModelRegistry({ log: fastify.log, settings: settings.values, baseDir: folder.server })
    this.#lookup = new ModelLookup(this.#registry, extensions)
    const registry = new LoopbackRegistry(this.#registry, name => this.#lookup.find(name))
    this.#host = {
      registry,
      restMounted: paths => {
        for (const path of paths.length === 0 ? ['/'] : paths.filter(isLiteral)) this.#restPaths.add(withoutSlash(path))
      },
      token: params => {
        this.#tokens.push(params)
        return request => this.#accessToken(request)
      },
      answerError: (error, request, reply, given) => {
        this.#errorHandler(given)(error, request, reply)
      }
    }
    const middleware = middlewareMethods({
      chain,
      mayAdd: what => { if (!this.#booting && !this.#hasHook) throw new TooLateError(what) },
      added: () => {}
    }, name => settings.get(name))
    this.app = createApplication({
      settings,
      registry,
      fastify,
      middleware,
      loopback: createLoopback(this.#host),
      enableAuth: given => this.#enableAuth(given),
      start: () => options.start(),
      isBooting: () => this.#booting,
      isAuthEnabled: () => this.#auth !== undefined
    })
    for (const { methods = {} } of extensions) {
      for (const [name, method] of Object.entries(methods)) this.app[name] = (given: unknown) => method(this.app, given)
    }
  }

  async run (): Promise<void> {
    const { fastify, configuration: { folder, env, models, components }, app } = this
    const warn = (message: string): void => { fastify.log.warn(message) }
    this.configuration.warnings.forEach(warn)
    await fastify.register(core, { registry: this.#registry })
    await this.#defineDataSources()
    await defineModels(folder, models, this.#lookup, app, warn)
    await this.#installMiddleware(warn)
    await runComponents(folder, components, app, this.extensions)
    await this.#registry.connect()
    await runBootScripts(folder, env, app)
    await this.#registry.connect()
    this.#warnOfComparison(warn)
    await this.#addRoutes()
    this.#booting = false
    app.emit('booted')
  }

  /** The router is made before boot scripts run. */
  #warnOfComparison (warn: (message: string) => void): void {
    const compared = comparison(this.fastify, this.#settings)
    for (const [name, isSo] of [
      ['case sensitive routing', compared.caseSensitive],
      ['strict routing', compared.strict]
    ] as const) {
      if (!isSo && this.#settings.get(name) === true) {
        warn(`"${name}" has no effect: set it in config.json, where the router reads it`)
      }
    }
  }

  async #defineDataSources (): Promise<void> {
    const { configuration: { folder, dataSources }, app } = this
    await registerConnectors(this.#registry, folder, dataSources, this.extensions)
    for (const { name, settings, source } of dataSources) naming(source, () => app.dataSource(name, settings))
  }

  async #installMiddleware (warn: (message: string) => void): Promise<void> {
    const { configuration: { folder, middleware }, fastify, app } = this
    const foreignRoutes = (): void => { this.#foreignRoutes = true }
    const context: InstallContext = {
      ...this.#host,
      extensions: this.extensions,
      app,
      chain: this.#chain,
      fastify,
      folder,
      warn,
      foreignRoutes
    }
    naming(middleware.file, () => { this.#chain.phases.define(middleware.phases) })
    // Fastify runs hooks in the order in which they were added.
    const position = ({ phase }: MiddlewareConfig): number =>
      naming(middleware.file, () => this.#chain.phases.position(phase))
    for (const entry of middleware.entries.toSorted((a, b) => position(a) - position(b))) {
      await installMiddleware(context, entry)
    }
    if (!middleware.present) this.#chain.addNative('routes', this.#defaultRest())
  }

  /** Folders without middleware.json have REST where the setting says. */
  #defaultRest () {
    const root = this.#settings.get('restApiRoot') as string
    this.#host.restMounted([root])
    return handOverStep('rest', [root])
  }

  /**
   * Everything after the boot scripts: the chain before the routes, then REST and explorer, then what answers the rest.
   */
  async #addRoutes (): Promise<void> {
    const { fastify, app } = this
    const explorer = this.#explorer()
    const host = this.#exchangeHost()
    const mounts = [...this.#restPaths, ...(explorer === undefined ? [] : [explorer.mountPath])]
    this.#hasHook = installChain(fastify, {
      host,
      mounts,
      foreignRoutes: this.#foreignRoutes || this.extensions.some(extension => extension.addsRoutes?.(app))
    })
    if (this.#hasHook && this.#chain.hasExpress) loadExpress()
    fastify.setErrorHandler(errorHandler(host))
    for (const extension of this.extensions) {
      await extension.register?.(fastify, { app, auth: this.#auth, tokens: this.#tokens })
    }
    const remoting = (this.#settings.get('remoting') ?? {}) as RemotingSettings
    for (const prefix of this.#restPaths) await mountRest(fastify, prefix, app, remoting)
    if (explorer !== undefined) {
      await mountExplorer(
        fastify,
        explorer,
        [...this.#restPaths][0] as string,
        this.configuration.folder,
        this.#settings.get('apiInfo')
      )
      // Where LoopBack's explorer leaves its options; programs that start a server print its address from them.
      app.set('loopback-component-explorer', explorer)
    }
    if (this.options.notFound) await fastify.register(notFoundScope, { host })
  }

  /** The explorer goes with REST; where the folder says nothing, not in production. */
  #explorer (): ExplorerOptions | undefined {
    const said = explorerOf(this.configuration.components)
    if (said === false || this.#restPaths.size === 0 || (said === true && this.configuration.env === 'production')) {
      return undefined
    }
    const options = said === true ? { mountPath: '/explorer' } : said
    this.#chain.addNative(undefined, handOverStep('explorer', [options.mountPath]))
    return options
  }

  #exchangeHost (): ExchangeHost {
    const { fastify, app } = this
    return {
      chain: this.#chain,
      prepare (request, reply) {
        expressify(app, request, reply)
      },
      conclude: (error, request, reply) => {
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
      const { errorHandler: beneath = {} } = (this.#settings.get('remoting') ?? {}) as { errorHandler?: object }
      handler = createErrorHandler({ ...beneath, ...options })
      this.#errorHandlers.set(options, handler)
    }
    return handler
  }

  async #accessToken (request: FastifyRequest): Promise<unknown> {
    for (const extension of this.extensions) {
      const token = await extension.accessToken?.(request)
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
