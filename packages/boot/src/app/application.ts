/** The application object that boot scripts, model scripts and components get. */
import { EventEmitter } from 'node:events'
import type { IncomingMessage, Server, ServerResponse } from 'node:http'
import type { ConnectorFactory, DataSource, EnableAuthOptions, ModelClass, SharedClass } from '@fastback/core'
import { isPromise } from '@fastback/core/connector'
import { extendsModel, isPublic, publish } from '@fastback/core/remote'
import type { FastifyInstance } from 'fastify'
import type { Application as ExpressApplication } from 'express'
import { AuthUnavailableError, RemovedFunctionError } from '../errors.js'
import { builtinConnectors } from './names.js'
import { classify, setWithAliases } from '../load/names.js'
import type { Configuration } from './configure-model.js'
import type { LoopbackObject } from './loopback.js'
import type { Next } from '../middleware/exchange.js'
import type { middlewareMethods } from './middleware.js'
import type { LoopbackRegistry } from './registry.js'
import { Remotes } from './remotes.js'
import type { Settings } from './settings.js'

/** Models by name and by their other spellings; called, the list of the application's models. */
export type ModelTable = Record<string, ModelClass> & (() => ModelClass[])

type Method = (...args: any[]) => any

/**
 * An application, as LoopBack code knows it: a request handler with settings, models, data sources, middleware, and
 * events.
 */
export interface Application extends EventEmitter {
  (req: IncomingMessage, res: ServerResponse, next?: Next): void
  /** The same; `next` gets requests that nothing answered, with their error. */
  handle(req: IncomingMessage, res: ServerResponse, next?: Next): void
  readonly models: ModelTable
  readonly dataSources: Record<string, DataSource>
  readonly datasources: Record<string, DataSource>
  readonly connectors: Record<string, unknown>
  readonly registry: LoopbackRegistry
  readonly loopback: LoopbackObject
  readonly settings: Record<string, unknown>
  readonly locals: Record<string, unknown>
  /** The Fastify instance beneath, for what LoopBack had no word for. */
  readonly fastify: FastifyInstance
  readonly isAuthEnabled: boolean
  readonly booting: boolean
  /** A setting, with one argument; else an Express route. */
  get: Method
  use: Method
  middleware: Method
  middlewareFromConfig: Method
  defineMiddlewarePhases: Method
  route: Method
  param: Method
  all: Method
  set(name: string, value: unknown): this
  enable(name: string): this
  disable(name: string): this
  enabled(name: string): boolean
  disabled(name: string): boolean
  /** Adds a model to the application: attached and published as `config` says. */
  model(Model: ModelClass, config?: Configuration): ModelClass
  deleteModelByName(name: string): void
  dataSource(name: string, settings: Record<string, unknown>): DataSource
  /** Makes a connector known by a name: a factory, or a module of LoopBack's kind. */
  connector(name: string, connector: unknown): void
  remotes(): Remotes
  remoteObjects(): Record<string, ModelClass>
  handler(type: string): Method
  enableAuth(options?: EnableAuthOptions): void
  /** The path that it answers under, where it is part of another application; else the empty text. */
  path(): string
  start(): Promise<unknown>
  listen(...args: unknown[]): Server
  render: ExpressApplication['render']
  engine(...args: unknown[]): this
  [name: string]: any
}

/** What the object needs of the application's parts. */
export interface ApplicationParts {
  readonly settings: Settings
  readonly registry: LoopbackRegistry
  /** The Fastify instance beneath; it may be made later than the application. */
  fastify(): FastifyInstance
  /** Answers a request; `next` gets it where nothing does. */
  handle(req: IncomingMessage, res: ServerResponse, next?: Next): void
  readonly middleware: ReturnType<typeof middlewareMethods>
  readonly loopback: LoopbackObject
  /**
   * Remembers what `enableAuth` was called with and returns the models to attach: name → whether published. Undefined:
   * there is no access control.
   */
  enableAuth(options: EnableAuthOptions): Readonly<Record<string, boolean>> | undefined
  start(): Promise<unknown>
  /** Listens at once: what code gave to `app.listen`. */
  listen(args: readonly unknown[]): Server
  isBooting(): boolean
  isAuthEnabled(): boolean
}

const byClass = 'Use app.registry.createModel(name, properties, options) and app.model(Model, config).'

/** What changes of a model's methods later is told to its application. */
function forwardChanges (Model: ModelClass, app: Application): void {
  for (const event of ['remoteMethodAdded', 'remoteMethodDisabled']) {
    ;(Model.on as Method)(event, (changed: SharedClass, ...details: unknown[]) => {
      if (changed.ctor.app === app) app.emit(event, changed, ...details)
    })
  }
}

/** Prototypes of requests and responses, and template engines. */
const ofExpress = (settings: Settings, name: string): PropertyDescriptor => {
  // Asked for when somebody asks for it: Express is loaded by that.
  const express = (): Record<string, unknown> => settings.express as unknown as Record<string, unknown>
  return { get: () => express()[name], set: (value: unknown) => { express()[name] = value } }
}

export function createApplication (parts: ApplicationParts): Application {
  const { settings, registry } = parts
  const added: ModelClass[] = []
  const published = (): ModelClass[] => added.filter(Model => isPublic(Model) === true)
  let remotes: Remotes | undefined
  const handle = (req: IncomingMessage, res: ServerResponse, next?: Next): void => { parts.handle(req, res, next) }
  const handler = handle.bind(undefined) as unknown as Application
  const models = (() => added) as ModelTable
  const dataSources: Record<string, DataSource> = {}

  /** Another application over the same models may have given the name of a data source to its own. */
  const ofThis = (config: Configuration): Configuration => {
    const own = dataSources[config.dataSource as string]
    return own === undefined ? config : { ...config, dataSource: own }
  }

  const methods: ThisType<Application> & Record<string, Method> = {
    set (name: string, value: unknown) {
      settings.set(name, value)
      return handler
    },
    enable (name: string) {
      return handler.set(name, true)
    },
    disable (name: string) {
      return handler.set(name, false)
    },
    enabled: (name: string) => Boolean(settings.get(name)),
    disabled: (name: string) => !settings.get(name),

    model (Model: ModelClass | string, config?: Configuration) {
      if (typeof Model === 'string') throw new RemovedFunctionError('app.model(name, settings)', byClass)
      if (config !== undefined) registry.configureModel(Model, ofThis(config) as never)
      else if (isPublic(Model) === undefined) publish(Model, true)
      setWithAliases(models, Model.modelName, Model)
      if (!added.includes(Model)) {
        added.push(Model)
        forwardChanges(Model, handler)
      }
      Object.defineProperty(Model, 'app', { value: handler, configurable: true, writable: true })
      Object.defineProperty(Model, 'shared', { value: isPublic(Model), configurable: true, writable: true })
      if (isPublic(Model) === true) handler.emit('modelRemoted', Model.sharedClass)
      ;(Model.emit as Method)('attached', handler)
      return Model
    },

    deleteModelByName (name: string) {
      const Model = models[name]
      for (const key of Object.keys(models)) if (models[key] === Model) delete models[key]
      if (Model !== undefined) {
        added.splice(added.indexOf(Model), 1)
        publish(Model, false)
        registry.core.removeModel(name)
      }
      handler.emit('modelDeleted', Model ?? name)
    },

    dataSource (name: string, given: Record<string, unknown>) {
      const dataSource = registry.createDataSource(name, given)
      setWithAliases(dataSources, name, dataSource)
      Object.defineProperty(dataSource, 'app', { value: handler, configurable: true })
      return dataSource
    },

    connector (name: string, connector: unknown) {
      const { connectors } = registry.core
      connectors.register(name, connectors.adapt?.(connector) ?? connector as ConnectorFactory)
      setWithAliases(handler.connectors, name, connector)
    },

    remotes: () =>
      (remotes ??= new Remotes({
        registry: registry.core,
        options: (settings.get('remoting') ?? {}) as Record<string, unknown>,
        published,
        handler: () => handler.loopback.rest()
      })),
    remoteObjects: () => Object.fromEntries(published().map(Model => [Model.modelName, Model])),
    handler: (type: string) => handler.remotes().handler(type),

    enableAuth (options: EnableAuthOptions = {}) {
      const wanted = parts.enableAuth(options)
      if (wanted === undefined) throw new AuthUnavailableError()
      const dataSource = options.dataSource ?? options.datasource
      if (dataSource === undefined) return
      for (const [name, isPublic] of Object.entries(wanted)) {
        const Model = registry.getModel(name)
        const standsIn = added.some(each => extendsModel(each, Model))
        if (!standsIn && Model.dataSource === null) handler.model(Model, { dataSource, public: isPublic })
      }
      // Embedded stores have their tables now, the others once the boot scripts are through.
      const migrated = registry.core.migrateAttached()
      if (isPromise(migrated)) {
        migrated.catch((error: unknown) => {
          handler.emit('error', error)
        })
      }
    },

    // Of Express' applications, too: they may be the one that this is part of.
    path: () => {
      const { parent, mountpath } = handler as { parent?: { path?: () => string }, mountpath?: unknown }
      return parent === undefined ? '' : `${parent.path?.() ?? ''}${String(mountpath)}`
    },
    start: () => parts.start(),
    listen: (...args: unknown[]) => parts.listen(args),

    render: (...args: unknown[]) => (settings.express.render as Method)(...args),
    engine (...args: unknown[]) {
      ;(settings.express.engine as Method)(...args)
      return handler
    },
    boot () {
      throw new RemovedFunctionError('app.boot()', 'The folder is booted by @fastback/boot.')
    }
  }

  const { constructor: _constructor, ...events } = Object.getOwnPropertyDescriptors(EventEmitter.prototype)
  Object.defineProperties(handler, events)
  handler.setMaxListeners(0)
  Object.assign(handler, parts.middleware, methods, {
    handle,
    models,
    dataSources,
    datasources: dataSources,
    connectors: {
      memory: builtinConnectors.Memory,
      'kv-memory': builtinConnectors.KeyValueMemory,
      remote: builtinConnectors.Remote
    },
    registry,
    loopback: parts.loopback,
    settings: settings.values,
    locals: Object.create(null) as object,
    mountpath: '/'
  })
  Object.defineProperties(handler, {
    fastify: { get: () => parts.fastify() },
    // Express applications that are made part of this one inherit them.
    ...Object.fromEntries(
      ['request', 'response', 'engines'].map(name => [name, ofExpress(settings, name)])
    ),
    isAuthEnabled: { get: () => parts.isAuthEnabled() },
    booting: { get: () => parts.isBooting() },
    name: { value: classify('application') }
  })
  return handler
}
