import type { DataSource, ModelRegistry } from '@fastback/core'
import { backgroundJobsIn, checkOptions } from '@fastback/core/remote'
import type { FastifyInstance } from 'fastify'
import fp from 'fastify-plugin'
import { createEngine } from './engines/create-engine.js'
import { AlreadyRegisteredError, InvalidOptionsError, MissingRegistryError, NoDataSourceError } from './errors.js'
import type { EventsContext, EventsPart } from './events-context.js'
import { backgroundJobs } from './jobs/background-jobs.js'
import { jobsOf } from './jobs/install.js'
import { EventsSchema, settingsOf, type EventsOptions } from './options.js'
import { webhookSettings } from './webhooks/options.js'

const kContext = Symbol('fastback.events')

interface Registered { context: EventsContext | undefined }

/** What an application has of this package; undefined before it is registered. */
export const eventsIn = (registry: ModelRegistry): Registered =>
  registry.slot<Registered>(kContext, () => ({ context: undefined }))

async function eventsPlugin (app: FastifyInstance, given: EventsOptions): Promise<void> {
  const settings = settingsOf(checkOptions(EventsSchema, given, InvalidOptionsError))
  if (!app.hasDecorator('registry')) throw new MissingRegistryError()
  const { registry, log } = app
  const registered = eventsIn(registry)
  if (registered.context !== undefined) throw new AlreadyRegisteredError()
  const dataSource = dataSourceOf(registry, settings.dataSource)
  const engine = await createEngine({ registry, dataSource, settings, log })
  const context = { registry, engine, log, dataSource, settings }
  registered.context = context
  const jobs = jobsOf(registry)
  jobs.use(context)
  backgroundJobsIn(registry).by = backgroundJobs(jobs, context, settings.deliver)
  const parts: EventsPart[] = [jobs]
  const webhooks = webhookSettings(given.webhooks)
  if (webhooks !== undefined) {
    const { setUpWebhooks } = await import('./webhooks/set-up.js')
    parts.push(await setUpWebhooks(context, webhooks))
  }
  app.addHook('onReady', async () => {
    await engine.start()
    for (const part of parts) await part.start()
  })
  app.addHook('preClose', async () => {
    for (const part of parts.toReversed()) await part.stop()
    await engine.stop({ timeout: settings.stopTimeout })
  })
}

function dataSourceOf ({ dataSources }: ModelRegistry, name: string | undefined): DataSource {
  const found = name === undefined
    ? dataSources.db ?? Object.values(dataSources).find(({ connector }) => storesRows(connector))
    : dataSources[name]
  if (found === undefined || !storesRows(found.connector)) {
    throw new NoDataSourceError(name === undefined ? '' : ` with the name "${name}"`)
  }
  return found
}

const storesRows = (connector: object): boolean => !('modelBase' in connector && connector.modelBase === 'Model')

/**
 * Background jobs, and webhooks, of the context's models.
 *
 * Register it after `@fastback/core`. Its work begins when the application is ready, and ends before its data sources
 * are closed. Wrapped with `fastify-plugin`: it decorates the registry of the context.
 *
 * ```js
 * await app.register(events)
 * const greet = app.registry.job('greet', { retryLimit: 5 }, async ({ data, log }) => { log.info(`Hello, ${data}`) })
 * await app.ready()
 * await greet.send('Ann')
 * ```
 * @throws FBK_EVENTS_INVALID_OPTIONS, FBK_EVENTS_MISSING_REGISTRY, FBK_EVENTS_ALREADY_REGISTERED,
 * FBK_EVENTS_NO_DATA_SOURCE
 */
export const events = fp(eventsPlugin, { name: '@fastback/events', fastify: '5.x' })
export default events
