/** Subscriptions, and what is delivered to them. */
import type { ModelDefinitionInput } from '@fastback/core'
import type { EventOperation } from '../outbox/setting.js'

const closed = { principalType: 'ROLE', principalId: '$everyone', permission: 'DENY' }
const forUsers = (property: readonly string[]) =>
  ({ principalType: 'ROLE', principalId: '$authenticated', permission: 'ALLOW', property })

/** Built-in methods that subscriptions have, and those of their own. */
const methods = [
  'create', 'find', 'findById', 'count', 'prototype.patchAttributes', 'deleteById', 'rotateSecret', 'deliveries', 'test'
] as const

const shared = (names: readonly string[]): Record<string, boolean> =>
  ({ '*': false, ...Object.fromEntries(names.map(name => [name, true])) })

/** What the server alone sets, and nobody is shown. */
const own = { hidden: true, readOnly: true }

/** A subscription as it is stored. */
export interface Subscription {
  readonly id: string
  readonly url: string
  readonly events: readonly string[]
  readonly where?: Readonly<Record<string, unknown>> | null
  readonly active: boolean
  readonly ordered: boolean
  readonly note?: string | null
  readonly failingSince?: Date | null
  readonly created: Date
  /** Whose it is (`userKeyOf`); null: nobody's. */
  readonly userKey?: string | null
  readonly secret: string
  readonly previousSecret?: string | null
  readonly previousUntil?: Date | null
}

/** @param sealed whether secrets are encrypted at rest */
export const subscriptionDefinition = (sealed: boolean): ModelDefinitionInput => ({
  name: 'WebhookSubscription',
  base: 'PersistedModel',
  strict: 'throw',
  idInjection: false,
  properties: {
    id: { type: 'string', id: true, length: 36 },
    url: { type: 'string', required: true, length: 2048, description: 'Where events are sent to' },
    events: { type: ['string'], required: true, description: '"Order.created" (updated, deleted, restored, left), or "Order.*"' },
    where: { type: 'object', description: 'Only events of rows that match' },
    active: { type: 'boolean', default: true },
    ordered: {
      type: 'boolean', default: false, description: 'Whether an event waits until the one before of the same row has arrived'
    },
    note: { type: 'string', length: 255, readOnly: true, description: 'Why it was switched off' },
    failingSince: { type: 'date', readOnly: true },
    created: { type: 'date', readOnly: true, defaultFn: 'now' },
    userKey: { type: 'string', length: 255, ...own },
    /** Which of the subscriptions that the user may have: no two are the same. */
    slot: { type: 'integer', ...own },
    secret: { type: 'string', ...own, ...(sealed ? { sealed } : {}) },
    previousSecret: { type: 'string', ...own, ...(sealed ? { sealed } : {}) },
    previousUntil: { type: 'date', ...own }
  },
  indexes: { WebhookSubscription_slot: { keys: { userKey: 1, slot: 1 }, options: { unique: true } } },
  remoting: { sharedMethods: shared(methods) },
  acls: [closed, forUsers(methods.map(name => name.replace(/^prototype\./, '')))]
})

/**
 * `new`: nobody has looked whether the subscriber may see it. `sending`: a process has it until `nextAt`. `dead`: not
 * tried again unless it is replayed.
 */
export type DeliveryState = 'new' | 'sending' | 'retrying' | 'delivered' | 'dead'

/** A delivery as it is stored. */
export interface Delivery {
  /** The `webhook-id`. */
  readonly id: string
  readonly subscriptionId: string
  readonly state: DeliveryState
  readonly attempts: number
  readonly nextAt: Date
  readonly at: Date
  readonly operation: EventOperation | 'test'
  readonly model?: string | null
  readonly rowKey: string
  readonly sequence: string
  readonly before?: string | null
  readonly after?: string | null
  readonly type?: string | null
  readonly status?: number | null
  readonly error?: string | null
  readonly endedAt?: Date | null
}

export const deliveryDefinition: ModelDefinitionInput = {
  name: 'WebhookDelivery',
  plural: 'WebhookDeliveries',
  base: 'PersistedModel',
  strict: true,
  idInjection: false,
  properties: {
    id: { type: 'string', id: true, length: 64 },
    subscriptionId: { type: 'string', required: true, length: 36 },
    state: { type: 'string', required: true, length: 16 },
    attempts: { type: 'integer', default: 0 },
    nextAt: 'date',
    at: 'date',
    endedAt: { type: 'date', index: true },
    /** Set once the subscriber was found to be allowed to see it: deliveries without are listed nowhere. */
    type: { type: 'string', length: 255 },
    status: 'integer',
    error: { type: 'string', length: 64 },
    operation: { type: 'string', length: 16, hidden: true },
    model: { type: 'string', length: 255, hidden: true },
    /** The same for all events of a row. */
    rowKey: { type: 'string', length: 64, hidden: true },
    /** Events of a row are in this order. */
    sequence: { type: 'string', length: 64, hidden: true },
    before: { type: 'string', hidden: true },
    after: { type: 'string', hidden: true }
  },
  indexes: {
    WebhookDelivery_row: { keys: { subscriptionId: 1, rowKey: 1, sequence: 1 } },
    WebhookDelivery_due: { keys: { state: 1, nextAt: 1 } }
  },
  remoting: { sharedMethods: shared(['replay']) },
  acls: [closed, forUsers(['replay'])]
}
