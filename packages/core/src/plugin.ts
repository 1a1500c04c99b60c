import { isDeepStrictEqual } from 'node:util'
import { Type } from '@sinclair/typebox'
import fp from 'fastify-plugin'
import type { FastifyInstance, FastifyPluginAsync } from 'fastify'
import { optionsFault } from './contracts/check-options.js'
import type { ConnectorLog } from './data-source/connector.js'
import { AlreadyRegisteredError, InvalidDefinitionError, RegistryConflictError } from './errors.js'
import type { CorePlugin } from './typed/core-plugin.js'
import type { Models } from './typed/model.js'
import { ModelRegistry } from './registry.js'
import { onePath } from './request/one-path.js'
import { isPlainTarget } from './request/target.js'
import { waitingModelsOf } from './waiting-models.js'
import type { CoreOptions } from './options.js'

declare module 'fastify' {
  interface FastifyInstance {
    /** The models of this context, and their data sources. */
    registry: ModelRegistry
    /** Model classes by name. */
    models: Models
  }
}

const Anything = Type.Optional(Type.Unknown())
/** What each of them is, the registry says. */
const CoreSchema = Type.Object(
  {
    registry: Anything,
    connectors: Anything,
    dataSources: Anything,
    definitions: Anything,
    models: Anything,
    mixins: Anything,
    bus: Anything,
    busDrivers: Anything,
    settings: Anything,
    baseDir: Anything
  },
  { additionalProperties: false }
)

/** The contexts that a registry was given to. */
const kContexts = Symbol('fastback.contexts')

/** @throws FBK_CORE_INVALID_DEFINITION where `bus` and `settings.bus` disagree */
function settingsOf ({ settings, bus }: CoreOptions): Record<string, unknown> | undefined {
  if (bus === undefined) return settings
  if (settings?.bus !== undefined && !isDeepStrictEqual(settings.bus, bus)) {
    const says = 'the options "bus" and "settings.bus" say different things; say one'
    throw new InvalidDefinitionError('@fastback/core', says)
  }
  return { ...settings, bus }
}

function madeOf (options: CoreOptions, log: ConnectorLog): ModelRegistry {
  const settings = settingsOf(options)
  const { baseDir } = options
  return new ModelRegistry({
    log, ...(settings === undefined ? {} : { settings }), ...(baseDir === undefined ? {} : { baseDir })
  })
}

/**
 * A registry that was made before, with what the other options say of it: each has an effect, or stops the start.
 * @throws FBK_CORE_REGISTRY_CONFLICT
 */
function adopting (registry: ModelRegistry, options: CoreOptions, log: ConnectorLog): ModelRegistry {
  registry.adopt({ log, settings: settingsOf(options), baseDir: options.baseDir })
  const taken = (option: string, names: object | undefined, isOther: (name: string) => boolean): void => {
    for (const name of Object.keys(names ?? {})) {
      if (isOther(name)) throw new RegistryConflictError(`${option}.${name}`, 'it has another one of this name')
    }
  }
  const { connectors, busDrivers, dataSources, mixins, models } = options
  const isOther = (before: unknown, now: unknown): boolean => before !== undefined && before !== now
  taken('connectors', connectors, name => registry.connectors.has(name) &&
    isOther(registry.connectors.find(name), connectors?.[name]))
  taken('busDrivers', busDrivers, name => isOther(registry.busDrivers.get(name), busDrivers?.[name]))
  taken('mixins', mixins, name => isOther(registry.mixins.find(name), mixins?.[name]))
  taken('dataSources', dataSources, name => Object.hasOwn(registry.dataSources, name))
  taken('models', models, name => {
    const before = registry.findModel(name)?.dataSource
    const { dataSource } = models?.[name] as { readonly dataSource: string | null }
    return before !== undefined && before !== null && before.name !== dataSource
  })
  return registry
}

async function corePlugin (app: FastifyInstance, options: CoreOptions): Promise<void> {
  if (app.hasDecorator('registry')) throw new AlreadyRegisteredError()
  const fault = optionsFault(CoreSchema, options)
  if (fault !== undefined) throw new InvalidDefinitionError('@fastback/core', fault)
  const registry = options.registry === undefined
    ? madeOf(options, app.log)
    : adopting(options.registry, options, app.log)
  for (const [name, factory] of Object.entries(options.connectors ?? {})) registry.connectors.register(name, factory)
  for (const [name, driver] of Object.entries(options.busDrivers ?? {})) registry.busDrivers.set(name, driver)
  for (const [name, settings] of Object.entries(options.dataSources ?? {})) registry.defineDataSource(name, settings)
  for (const [name, mixin] of Object.entries(options.mixins ?? {})) registry.defineMixin(name, mixin)
  const waiting = waitingModelsOf(registry)
  waiting.define(options.definitions ?? [])
  waiting.place(options.models ?? {})
  app.decorate('registry', registry)
  app.decorate('models', registry.models as unknown as Models)
  app.addHook('onRequest', (request, reply, done) => {
    // Of every response of this context, whoever gives it: routes of the application, files, errors, 404 (security.md,
    // S-53).
    reply.header('x-content-type-options', 'nosniff')
    // Hooks that were added before this one see the target as it was sent.
    if (isPlainTarget(request.raw.url as string)) done()
    else onePath(request, reply, done)
  })
  const contexts = registry.slot(kContexts, () => new Set<FastifyInstance>())
  contexts.add(app)
  app.addHook('onReady', async () => {
    waiting.mustHaveArrived()
    await registry.start()
  })
  app.addHook('preClose', async () => {
    // Node closes the connections that are idle when a server closes. One whose answer ends a moment later (its client
    // may have all of it already: the length was said) would hold the closing up for the whole keep-alive time.
    app.server.keepAliveTimeout = 1
  })
  app.addHook('onClose', async () => {
    contexts.delete(app)
    // Applications that share models go on using the data sources.
    if (contexts.size === 0) await registry.stop()
  })
}

/**
 * Gives a Fastify context its models: decorates `registry` (the registry) and `models` (its classes by name), opens the
 * data sources before the server is ready and closes them with it. All responses of the context say
 * `X-Content-Type-Options: nosniff`. Whatever is registered after it sees each request's path in one spelling
 * (security.md, S-70). It takes no `prefix`. A registry belongs to the context that registers the plugin and to its
 * children; two contexts share nothing.
 *
 * ```js
 * await app.register(core, {
 *   dataSources: { db: { connector: memoryConnector } },
 *   definitions: [{ name: 'Note', properties: { title: 'string' } }],
 *   models: { Note: { dataSource: 'db' } }
 * })
 * await app.ready()
 * await app.models.Note.create({ title: 'hello' })
 * ```
 * @param options `dataSources`, `definitions`, `models`, `mixins`, `connectors`, `settings`, `baseDir`; and perhaps a
 * `registry` that was made before, which the others are added to
 * @throws FBK_CORE_ALREADY_REGISTERED in a context that has a registry; FBK_CORE_REGISTRY_CONFLICT for an option that
 * contradicts `registry`; definition errors of the registry; when the application is ready FBK_CORE_UNKNOWN_BASE and
 * FBK_CORE_UNKNOWN_MODEL for models of a package whose plugin is not registered
 */
export const core = fp(corePlugin, { name: '@fastback/core', fastify: '5.x' }) as FastifyPluginAsync as CorePlugin
export default core
