/** What can be called of subscriptions and deliveries, besides what every model has. */
import { randomUUID } from 'node:crypto'
import type { ModelClass, OperationOptions, RemoteMethodOptions } from '@fastback/core'
import { asApplication, findRowById, optionsArgument, patchById, setRemoteMethod } from '@fastback/core/remote'
import type { DeliveryStore } from './delivery-store.js'
import { noDelivery, noSubscription, subscriptionOff, testPending } from './errors.js'
import type { Delivery, Subscription } from './models.js'
import type { WebhookSettings } from './options.js'
import { newSecret } from './secrets.js'

export interface MethodParts {
  readonly Subscription: ModelClass
  readonly Delivery: ModelClass
  readonly store: DeliveryStore
  readonly settings: WebhookSettings
  readonly send: (id: string) => Promise<void>
}

const id = { arg: 'id', type: 'string', required: true, description: 'Model id', http: { source: 'path' } } as const
const inQuery = (arg: string, description: string, more: object) =>
  ({ arg, description, http: { source: 'query' }, ...more }) as const
/** Deliveries of a list, where the caller does not say how many, and at most. */
const page = { default: 100, most: 1000 }

function publish (Model: ModelClass, name: string, options: RemoteMethodOptions, run: unknown): void {
  Object.defineProperty(Model, name, { value: run, writable: true, configurable: true })
  setRemoteMethod(Model, name, { isStatic: true, ...options })
}

/** The caller's own. @throws RequestError 404 */
async function ownSubscription (
  { compiled }: ModelClass, given: string, options: OperationOptions | undefined
): Promise<Subscription> {
  const found = await findRowById(compiled, given, undefined, options ?? {})
  if (found === undefined) throw noSubscription(given)
  return found as unknown as Subscription
}

/** Puts them on the models. */
export function addMethods (parts: MethodParts): void {
  addRotation(parts)
  addDeliveries(parts)
  addTest(parts)
  addReplay(parts)
}

function addRotation ({ Subscription, settings }: MethodParts): void {
  publish(Subscription, 'rotateSecret', {
    description: 'Replaces the secret; until the old one ends, requests are signed with both. The new one is shown once',
    accepts: [id, optionsArgument],
    returns: { arg: 'secret', type: { id: 'string', secret: 'string', previousUntil: 'date' }, root: true },
    http: { verb: 'post', path: '/:id/rotate-secret' },
    accessType: 'WRITE',
    responses: { 404: 'There is no such subscription of yours' }
  }, async (given: string, options?: OperationOptions) => {
    const { id, secret: previousSecret } = await ownSubscription(Subscription, given, options)
    const secret = newSecret()
    const previousUntil = new Date(Date.now() + settings.rotationGrace)
    await patchById(Subscription.compiled, id, { secret, previousSecret, previousUntil }, asApplication({}))
    return { id, secret, previousUntil }
  })
}

function addDeliveries ({ Subscription, store }: MethodParts): void {
  publish(Subscription, 'deliveries', {
    description: 'Lists what was sent to the subscription, the newest first',
    accepts: [
      id,
      inQuery('state', 'Only these', { type: 'string', enum: ['retrying', 'delivered', 'dead'] }),
      inQuery('limit', `How many; at most ${page.most}. Default: ${page.default}`, {
        type: 'integer', jsonSchema: { minimum: 1, maximum: page.most }
      }),
      optionsArgument
    ],
    returns: { arg: 'deliveries', type: ['WebhookDelivery'], root: true },
    http: { verb: 'get', path: '/:id/deliveries' },
    accessType: 'READ',
    responses: { 404: 'There is no such subscription of yours' }
  }, async (given: string, state?: string, limit?: number, options?: OperationOptions) => {
    const { id } = await ownSubscription(Subscription, given, options)
    const count = Math.min(Math.max(1, Math.floor(limit ?? page.default)), page.most)
    const states = state === 'retrying' ? ['retrying', 'sending'] : state === undefined ? undefined : [state]
    return (await store.listed(id, states, count)).map(shown)
  })
}

const shown = (
  { id, subscriptionId, type, state, attempts, nextAt, at, endedAt, status, error }: Delivery
): object => ({
  id, subscriptionId, type, state: state === 'sending' ? 'retrying' : state, attempts, at, status: status ?? null, error: error ?? null,
  ...(endedAt ? { endedAt } : { nextAt })
})

function addTest ({ Subscription, store, send }: MethodParts): void {
  publish(Subscription, 'test', {
    description: 'Sends the event "webhook.test" to the subscription',
    accepts: [id, optionsArgument],
    returns: { arg: 'delivery', type: { id: 'string' }, root: true },
    http: { verb: 'post', path: '/:id/test', status: 202 },
    accessType: 'WRITE',
    responses: {
      404: 'There is no such subscription of yours', 409: 'It is switched off, or its last test has not ended'
    }
  }, async (given: string, options?: OperationOptions) => {
    const { id: subscriptionId, active } = await ownSubscription(Subscription, given, options)
    if (!active) throw subscriptionOff()
    if (await store.hasTest(subscriptionId)) throw testPending()
    const id = `msg_${randomUUID().replaceAll('-', '')}`
    const now = new Date()
    await store.add([{
      id, subscriptionId, state: 'new', attempts: 0, nextAt: now, at: now, operation: 'test', rowKey: id, sequence: ''
    }])
    await send(id)
    return { id }
  })
}

function addReplay ({ Subscription, Delivery, store, send }: MethodParts): void {
  publish(Delivery, 'replay', {
    description: 'Sends a delivery once more that has failed for good',
    accepts: [id, optionsArgument],
    returns: { arg: 'delivery', type: { id: 'string' }, root: true },
    http: { verb: 'post', path: '/:id/replay', status: 202 },
    accessType: 'WRITE',
    responses: { 404: 'No such delivery of yours has failed', 409: 'Its subscription is switched off' }
  }, async (given: string, options?: OperationOptions) => {
    const delivery = await store.find(given)
    const own = delivery === undefined
      ? undefined
      : await findRowById(Subscription.compiled, delivery.subscriptionId, undefined, options ?? {})
    if (own === undefined) throw noDelivery(given)
    if (own.active !== true) throw subscriptionOff()
    if (!await store.replay(given)) throw noDelivery(given)
    await send(given)
    return { id: given }
  })
}
