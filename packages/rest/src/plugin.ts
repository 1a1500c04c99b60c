import type { ModelClass, ModelRegistry } from '@fastback/core'
import { isPublic, measuresOf, sharedMethodsOf } from '@fastback/core/remote'
import type { FastifyInstance } from 'fastify'
import { OperationCalls } from './batch/operation-call.js'
import { addBatchRoute } from './batch/route.js'
import { InnerCalls } from './calls/inner-calls.js'
import { callRefusals, wantedCalls } from './calls/route-calls.js'
import { addLiveSocket } from './live/socket-route.js'
import { ResponseBatch } from './responses/response-batch.js'
import { allowedVerbs } from './errors/allowed-verbs.js'
import { createErrorHandler } from './errors/error-handler.js'
import { unknownPath, type PathAdvice } from './errors/not-found.js'
import { notAllowed } from './errors/request-errors.js'
import { MissingRegistryError, RemovedSettingError, UnknownModelError } from './errors/startup-errors.js'
import { offeredTypes } from './handlers/format.js'
import { mayFillIn } from './hooks/fill-in.js'
import { warnOfLateChanges } from './late-changes.js'
import { recordPublished } from './published-routes.js'
import { readOptions } from './options.js'
import type { RestOptions } from './options-schema.js'
import type { Settings } from './settings.js'
import { bodyKindDecorator } from './parse/body-kind.js'
import { addBodyParsers } from './parse/body-parser.js'
import type { RouteSettings } from './handlers/route-settings.js'
import { phasesOf } from './remoting/phases.js'
import { conventionsOf } from './routes/conventions.js'
import { mustEnforceRules } from './routes/enforced.js'
import { modelPath } from './routes/model-path.js'
import { planRoutes, type ModelPlan, type TakenRoutes } from './routes/plan.js'
import { warnOfUnnamed } from './routes/unnamed-methods.js'
import { registerRoutes } from './routes/register.js'
import { OpenStreams } from './stream/open-streams.js'

/**
 * Publishes the models of the context's registry. Register it after `@fastback/core`, access control and everything
 * that defines models and remote methods: routes are made of what is there then, and a warning names what comes later.
 * Hooks and functions may change at any time; a method that is disabled, or whose model is removed, is a 404 from then
 * on.
 *
 * Not wrapped with `fastify-plugin`: parsers, error handler and routes are those of its own scope, below `prefix`.
 *
 * ```js
 * await app.register(core, { … })
 * await app.register(rest, { prefix: '/api', accessControl: false })
 * await app.inject('/api/Notes?filter={"limit":10}')
 * ```
 * @throws FBK_REST_INVALID_OPTIONS, FBK_REST_MISSING_REGISTRY, FBK_REST_UNKNOWN_MODEL, FBK_REST_REMOVED_SETTING,
 * FBK_REST_RULES_NOT_ENFORCED, FBK_REST_BATCH_PATH_TAKEN, FBK_REST_LIVE_PATH_TAKEN; definition errors of the registry
 */
export async function rest (app: FastifyInstance, options: RestOptions): Promise<void> {
  const settings = readOptions(options)
  if (!app.hasDecorator('registry')) throw new MissingRegistryError()
  const { registry } = app
  registry.close()
  const taken: TakenRoutes = new Map()
  const published = publicModels(registry, settings)
  warnOfUnnamed(published, settings.sharedMethods, ({ modelName }) => {
    const own = settings.models[modelName]
    return typeof own === 'object' ? own.sharedMethods : undefined
  }, (details, message) => { app.log.warn(details, message) })
  const plans = published.map(Model =>
    planRoutes(Model, sharedMethods(Model, settings), settings.normalizeHttpPath, taken)
  )
  if (settings.accessControl) mustEnforceRules(app, plans)

  app.decorateRequest(...bodyKindDecorator)
  addBodyParsers(app, settings.body)
  if (settings.removedContext !== undefined) failEveryRequest(app, settings.removedContext)
  if (settings.handleErrors) app.setErrorHandler(createErrorHandler(settings.errorHandler))
  if (settings.handleUnknownPaths) answerUnknownPaths(app, plans, settings, adviceFor(app, published, settings))

  const hold = settings.responseBatching === undefined ? undefined : new ResponseBatch(settings.responseBatching).hold
  if (hold !== undefined) app.addHook('onSend', hold)

  const streams = new OpenStreams(settings.heartbeat)
  const unmeasure = measuresOf(registry).add('openStreams', () => streams.size)
  const endStreams = (): void => { streams.end() }
  app.registry.on('ending', endStreams)
  app.addHook('preClose', async () => {
    app.registry.off('ending', endStreams)
    endStreams()
  })
  app.addHook('onClose', async () => { unmeasure() })
  const calls = settings.batch === undefined ? undefined : new OperationCalls(app, settings.body.jsonLimit)
  wantedCalls(registry)?.mount(app.prefix, { calls: new InnerCalls(app, callRefusals), hold })
  const routeSettings = settingsOfRoutes(registry, settings, streams, calls)
  for (const plan of plans) {
    for (const { method, verb, url, by } of plan.shadowed) {
      const [own, other] = [method, by].map(({ modelName, fullName }) => `${modelName}.${fullName}`)
      app.log.warn(
        { method: own, verb, url, by: other },
        `${own} has no route: ${other} has ${verb.toUpperCase()} ${url} already`
      )
    }
    registerRoutes(app, plan, routeSettings)
  }
  if (calls !== undefined && settings.batch !== undefined) {
    await addBatchRoute(app, plans, calls, { ...settings, limits: settings.batch })
  }
  if (settings.liveSocket !== undefined) await addLiveSocket(app, plans, settings.liveSocket, settings.heartbeat)
  if (settings.ofApplication === undefined) warnOfLateChanges(app, registry, plans.map(({ Model }) => Model))
  recordPublished(registry, { prefix: app.prefix, plans, conventions: conventionsOf(settings) })
}

function publicModels (registry: ModelRegistry, { models, ofApplication }: Settings): ModelClass[] {
  for (const name of Object.keys(models)) if (registry.findModel(name) === undefined) throw new UnknownModelError(name)
  return (ofApplication ?? Object.values(registry.models)).filter(Model => {
    const own = models[Model.modelName]
    return (typeof own === 'object' ? own.public : own) ?? isPublic(Model) ?? false
  })
}

function sharedMethods (Model: ModelClass, { models, sharedMethods }: Settings): ReturnType<typeof sharedMethodsOf> {
  const own = models[Model.modelName]
  return sharedMethodsOf(Model, { ...sharedMethods, ...(typeof own === 'object' ? own.sharedMethods : undefined) })
}

function settingsOfRoutes (
  registry: ModelRegistry, settings: Settings, streams: OpenStreams, calls: OperationCalls | undefined
): RouteSettings {
  return {
    registry,
    streams,
    totalCount: settings.totalCount,
    streaming: settings.streaming,
    explaining: settings.explaining,
    forms: settings.forms,
    patches: settings.patches,
    lines: settings.lines,
    idempotency: settings.idempotency,
    isInBatch: calls?.isOne,
    phases: phasesOf(registry),
    offered: offeredTypes(settings),
    application: () => settings.application,
    readers: {
      registry,
      validators: registry.validators,
      mediaTypes: settings.mediaTypes,
      arrayItemDelimiters: settings.arrayItemDelimiters,
      coercion: settings.coercion,
      parseFields: settings.body.parseFields,
      objectText: settings.limits.objectText,
      requiredByModel: method => mayFillIn(method, registry)
    }
  }
}

/**
 * What a 404 tells who develops. In production it names no model that is not published: who asks would learn what there
 * is. LoopBack's form says what LoopBack says.
 */
function adviceFor (app: FastifyInstance, published: readonly ModelClass[], settings: Settings): PathAdvice {
  if (settings.errorHandler.errors === 'loopback') return {}
  const { routerOptions, caseSensitive = true } = app.initialConfig
  const isDeveloping = process.env.NODE_ENV !== 'production'
  const others = isDeveloping ? Object.values(app.registry.models).filter(Model => !published.includes(Model)) : []
  return {
    lettersCount: (routerOptions as { caseSensitive?: boolean } | undefined)?.caseSensitive ?? caseSensitive,
    unpublished: others.map(Model => (
      { modelName: Model.modelName, path: modelPath(Model, settings.normalizeHttpPath) }
    ))
  }
}

/** Paths of deeper models come first: `/press/articles` before `/press`. */
function answerUnknownPaths (
  app: FastifyInstance, plans: readonly ModelPlan[], { methodNotAllowed }: Settings, advice: PathAdvice
): void {
  const models = plans
    .map(({ Model, path }) => ({ modelName: Model.modelName, path }))
    .sort((a, b) => b.path.length - a.path.length)
  app.setNotFoundHandler((request, reply) => {
    const allowed = methodNotAllowed ? allowedVerbs(request, app.prefix, plans) : []
    if (allowed.length === 0) throw unknownPath(request, app.prefix, models, advice)
    reply.header('allow', allowed.join(', '))
    throw notAllowed(request.method)
  })
}

function failEveryRequest (app: FastifyInstance, message: string): void {
  app.log.error(message)
  app.addHook('onRequest', async () => { throw new RemovedSettingError(message) })
}
