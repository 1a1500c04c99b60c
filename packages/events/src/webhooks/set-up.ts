/** Webhooks of an application: models, routes, and the work that goes on in the background. */
import type { ModelClass, ModelDefinitionInput, ModelRegistry } from '@fastback/core'
import { Outgoing, type OutgoingOptions } from '@fastback/core/outgoing'
import type { EventsContext, EventsPart } from '../events-context.js'
import { Lease, leaseModel } from '../outbox/lease.js'
import { recordEvents } from '../outbox/recorder.js'
import { Relay } from '../outbox/relay.js'
import { Deliverer } from './deliverer.js'
import { DeliveryStore, type Due } from './delivery-store.js'
import { endWithCredentials } from './end-with-credentials.js'
import { handOverTo } from './hand-over.js'
import { addMethods } from './methods.js'
import { deliveryDefinition, subscriptionDefinition } from './models.js'
import type { WebhookSettings } from './options.js'
import { guardSubscriptions } from './subscription-hooks.js'

/** The queue of the engine; its jobs say which delivery is due, and the delivery says everything else. */
const queue = 'fastback-webhooks'
/** Milliseconds that a process has the lease of the relay for, at most. */
const longestLease = 10_000
/** Deliveries that one look makes jobs of. */
const mostDue = 500
/** Milliseconds after which a job is sent again for a delivery that is due. */
const resendAfter = 5000
/** Milliseconds between two looks for what is stored for a time only. */
const sweepInterval = 60_000

/** @param options how names are looked up, for tests */
export async function setUpWebhooks (
  context: EventsContext, settings: WebhookSettings, options: Pick<OutgoingOptions, 'resolve'> = {}
): Promise<EventsPart> {
  const { registry, dataSource, log, engine } = context
  const leaseTime = Math.min(context.settings.lease, longestLease)
  const outgoing = new Outgoing({ allow: settings.allow, ...options })
  const attach = (definition: ModelDefinitionInput): ModelClass =>
    attached(registry, definition, dataSource.name, settings.publish)
  const Subscription = attach(subscriptionDefinition(settings.sealSecrets))
  const Delivery = attach(deliveryDefinition)
  const store = new DeliveryStore(Delivery, 3 * leaseTime)
  const send = async (id: string): Promise<void> => { await engine.send(queue, { id }, { uniqueKey: id }) }
  guardSubscriptions(Subscription, { settings, outgoing })
  const end = settings.keepOnPasswordChange ? undefined : endWithCredentials(Subscription)
  addMethods({ Subscription, Delivery, store, settings, send })
  const deliverer = new Deliverer({ registry, Subscription, store, outgoing, settings, log, margin: leaseTime })
  const relay = new Relay({
    registry,
    lease: new Lease(leaseModel(registry, dataSource), 'webhooks', leaseTime),
    handOver: handOverTo(Subscription, store, send),
    upkeep: upkeepOf(store, settings, send),
    pollInterval: context.settings.pollInterval,
    failed: err => { log.error({ err }, 'Events could not be handed on; they will be tried again.') }
  })
  recordEvents(registry, dataSource, relay.wake)
  return {
    async start () {
      await engine.define(queue, {
        retryLimit: 0, retryDelays: [], concurrency: settings.concurrency, timeout: settings.timeout * 2 + leaseTime,
        retention: { completed: 0, failed: sweepInterval }
      })
      if (context.settings.work) {
        await engine.work(queue, async job => { await deliverer.deliver((job.data as { id: string }).id) })
      }
      relay.start()
    },
    async stop () {
      end?.()
      await relay.stop()
      await deliverer.close(context.settings.stopTimeout)
    }
  }
}

/** The application may have defined the model itself, with rules or relations of its own, and published it or not. */
function attached (
  registry: ModelRegistry, definition: ModelDefinitionInput, dataSource: string, isPublic: boolean
): ModelClass {
  const known = registry.findModel(definition.name)
  if (known === undefined) registry.defineModel(definition as never)
  else if (known.dataSource !== null) return known
  return registry.attach(definition.name, dataSource, { public: isPublic })
}

/**
 * Sends jobs for what is due and lost its own, and removes what was stored for a time. Each look goes on where the one
 * before has ended: what a user's slow receivers have not taken yet hides nothing of others.
 */
function upkeepOf (
  store: DeliveryStore, { keepDelivered, keepDead }: WebhookSettings, send: (id: string) => Promise<void>
): () => Promise<void> {
  let swept = 0
  let sent = new Map<string, number>()
  let after: Due | undefined
  return async () => {
    const now = Date.now()
    const found = await store.due(mostDue, after)
    after = found.length < mostDue ? undefined : found.at(-1)
    const last = sent
    sent = new Map()
    for (const { id, nextAt } of found) {
      const key = `${id} ${nextAt.getTime()}`
      const since = last.get(key)
      // Its job may wait behind others.
      const isNew = since === undefined || since + resendAfter < now
      sent.set(key, isNew ? now : since)
      if (isNew) await send(id)
    }
    if (now < swept + sweepInterval) return
    swept = now
    await store.sweep('delivered', new Date(now - keepDelivered))
    await store.sweep('dead', new Date(now - keepDead))
  }
}
