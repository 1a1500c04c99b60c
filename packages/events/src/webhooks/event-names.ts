/** Names of events: `Order.created` in subscriptions, `order.created` in what is sent. */
import type { EventOperation } from '../outbox/setting.js'

/** What a subscriber is told of a row. `left`: a row that the subscriber saw, and sees no longer. */
export type Happening = 'created' | 'updated' | 'deleted' | 'restored' | 'left'

const happenings: readonly Happening[] = ['created', 'updated', 'deleted', 'restored', 'left']

/** What an operation may come to for a subscriber. */
const mayBe: Readonly<Record<EventOperation, readonly Happening[]>> = {
  create: ['created'], update: ['updated', 'left'], delete: ['deleted'], restore: ['restored']
}

/** The parts of a name; undefined for a text that is none. */
export function partsOf (name: string): { readonly model: string, readonly happening: Happening | '*' } | undefined {
  const dot = name.lastIndexOf('.')
  const happening = name.slice(dot + 1)
  if (dot < 1 || (happening !== '*' && !happenings.includes(happening as Happening))) return undefined
  return { model: name.slice(0, dot), happening: happening as Happening | '*' }
}

/** Whether a subscription to these events may be told of an operation. */
export const mayConcern = (events: readonly string[], model: string, operation: EventOperation): boolean =>
  mayBe[operation].some(happening => concerns(events, model, happening))

/** Whether a subscription to these events is told of it. */
export const concerns = (events: readonly string[], model: string, happening: Happening): boolean =>
  events.includes(`${model}.${happening}`) || events.includes(`${model}.*`)

/**
 * The `type` of what is sent.
 *
 * ```js
 * typeOf('OrderItem', 'created') // 'orderItem.created'
 * ```
 */
export const typeOf = (model: string, happening: Happening): string =>
  `${model.charAt(0).toLowerCase()}${model.slice(1)}.${happening}`
