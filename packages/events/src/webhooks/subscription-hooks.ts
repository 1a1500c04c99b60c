/** What subscriptions may be, and whose they are. */
import { randomUUID } from 'node:crypto'
import type { HookContext, ModelClass, OperationOptions, Row } from '@fastback/core'
import { isRemote } from '@fastback/core'
import { hasPart, parseWhere } from '@fastback/core/connector'
import {
  addRemoteHook, countRows, createsRow, findRows, isTokenOfProgram, userKeyOf, type TokenOfUser
} from '@fastback/core/remote'
import type { Outgoing } from '@fastback/core/outgoing'
import { hasEvents } from '../outbox/recorder.js'
import { webhookAddress } from './address.js'
import { invalidSubscription, notForClients, tooManySubscriptions } from './errors.js'
import { partsOf } from './event-names.js'
import type { Subscription } from './models.js'
import type { WebhookSettings } from './options.js'
import { newSecret } from './secrets.js'

/** Names of events that one subscription has. */
const mostEvents = 50
/** Characters of a condition as JSON. */
const longestWhere = 4096

export interface SubscriptionRules {
  readonly settings: WebhookSettings
  readonly outgoing: Outgoing
}

/** Puts the rules on the model. */
export function guardSubscriptions (Subscription: ModelClass, rules: SubscriptionRules): void {
  const { settings: { clients } } = rules
  Subscription.observe('access', async context => {
    mustNotBeOther(clients, context)
    narrowToOwn(context)
  })
  Subscription.observe('before save', async context => {
    mustNotBeOther(clients, context)
    await settle(context, rules)
  })
  addRemoteHook(Subscription, { moment: 'after', pattern: 'create', listener: showSecret })
}

const keyOf = ({ registry }: ModelClass, { accessToken }: OperationOptions): string | null =>
  userKeyOf(registry, accessToken as TokenOfUser | null | undefined) ?? null

/**
 * What a subscription tells is decided by the rights of its user alone: a program would be told what the scopes of its
 * token keep from it. One without a user would have the subscriptions that are nobody's.
 *
 * @throws RequestError 403
 */
function mustNotBeOther (clients: readonly string[], { options }: HookContext): void {
  const { accessToken } = options
  if (!isRemote(options) || !isTokenOfProgram(accessToken)) return
  const { userId, appId, isNamed } = accessToken
  const isAllowed = isNamed || clients.includes(String(appId))
  if (!isAllowed || userId === undefined || userId === null) throw notForClients()
}

/** Whoever asks over the network finds their own, whatever rules of the application say of others'. */
function narrowToOwn (context: HookContext): void {
  if (!isRemote(context.options)) return
  const query = (context as unknown as { query: { where?: object } }).query
  query.where = { and: [query.where ?? {}, { userKey: keyOf(context.Model as ModelClass, context.options) }] }
}

async function settle (context: HookContext, { settings, outgoing }: SubscriptionRules): Promise<void> {
  const Model = context.Model as ModelClass
  const row = (context.instance ?? context.data) as Row
  if (createsRow(context)) {
    if (isRemote(context.options)) {
      // Whatever was sent: ids are hard to guess.
      row.id = randomUUID()
      row.userKey = keyOf(Model, context.options)
    }
    row.id ??= randomUUID()
    row.secret ??= newSecret()
    row.slot = await freeSlot(Model, row.userKey, settings.subscriptionsPerUser)
  }
  if (row.url !== undefined) {
    const address = webhookAddress(row.url, outgoing, settings.allowHttp)
    if ('fault' in address) throw invalidSubscription('url', address.fault)
    row.url = address.url
  }
  const stored = context.currentInstance as Partial<Subscription> | undefined
  if (row.events !== undefined) mustBeEvents(Model, row.events)
  if (row.events !== undefined || row.where !== undefined) {
    mustBeCondition(Model, (row.events ?? stored?.events ?? []) as string[], row.where ?? stored?.where)
  }
  // Whoever switches it on again begins anew.
  if (context.instance === undefined && row.active === true) Object.assign(row, { note: null, failingSince: null })
}

/** A free one of the user's; that two take the same at the same time is refused by the index. */
async function freeSlot ({ compiled }: ModelClass, userKey: unknown, most: number): Promise<number | null> {
  if (typeof userKey !== 'string') {
    // Nobody's, so that no index counts them: those of code, or of an application without users.
    const all = most * 50
    if (await countRows(compiled, { userKey: null }, { notify: false }) >= all) throw tooManySubscriptions(all)
    return null
  }
  const rows: Row[] = await findRows(compiled, { where: { userKey }, fields: ['id', 'slot'] }, { notify: false })
  const taken = new Set(rows.map(({ slot }) => Number(slot)))
  const free = Array.from({ length: most }, (_, slot) => slot).filter(slot => !taken.has(slot))
  if (free.length === 0) throw tooManySubscriptions(most)
  return free[Math.floor(Math.random() * free.length)] as number
}

function mustBeEvents ({ registry }: ModelClass, given: unknown): void {
  const events = Array.isArray(given) ? given as unknown[] : []
  if (events.length === 0 || events.length > mostEvents) {
    throw invalidSubscription('events', `needs 1 to ${mostEvents} names, such as "Order.created" or "Order.*"`)
  }
  for (const name of events) {
    const parts = typeof name === 'string' && name.length <= 255 ? partsOf(name) : undefined
    if (parts === undefined || !hasEvents(registry, parts.model)) {
      throw invalidSubscription('events', 'names an event that there is not: write "Model.created", "updated", "deleted", "restored", "left" or "*", of a model that has events')
    }
  }
}

/** It must be one that clients may ask of each of the models, and say nothing of related rows. */
function mustBeCondition ({ registry }: ModelClass, events: readonly string[], where: unknown): void {
  if (where === undefined || where === null) return
  if (typeof where !== 'object' || Array.isArray(where)) throw invalidSubscription('where', 'is no object')
  if (JSON.stringify(where).length > longestWhere) throw invalidSubscription('where', `is longer than ${longestWhere} characters`)
  for (const model of new Set(events.map(name => partsOf(name)?.model))) {
    const Model = model === undefined ? undefined : registry.findModel(model)
    if (Model === undefined) continue
    const { compiled } = Model
    const condition = parseWhere(compiled, where, compiled.parsing.external)
    if (hasPart(condition, ({ kind }) => kind === 'related')) {
      throw invalidSubscription('where', 'may name properties of the row alone, and no related rows')
    }
  }
}

/** The one time that a secret is shown: in the response to who has made the subscription. */
async function showSecret (context: { result?: unknown }): Promise<void> {
  const shown = (row: Subscription & { toJSON? (): object }): object =>
    ({ ...(row.toJSON?.() ?? row), secret: row.secret })
  const { result } = context
  if (Array.isArray(result)) context.result = result.map(row => shown(row as Subscription))
  else if (result !== null && typeof result === 'object') context.result = shown(result as Subscription)
}
