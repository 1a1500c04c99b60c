/** Makes deliveries of events, for the subscriptions that there are. */
import type { ModelClass } from '@fastback/core'
import { findRows } from '@fastback/core/remote'
import type { HandOver } from '../outbox/relay.js'
import { DeliveryStore } from './delivery-store.js'
import { mayConcern } from './event-names.js'
import type { Subscription } from './models.js'

/** Rows that are stored by one statement. */
const batch = 500

/** @param send has a delivery looked at */
export const handOverTo = (
  Subscription: ModelClass, store: DeliveryStore, send: (id: string) => Promise<void>
): HandOver => async (events, Event) => {
  const subscriptions = await findRows(Subscription.compiled, {
    where: { active: true }, fields: ['id', 'events']
  }, { notify: false }) as unknown as Array<Pick<Subscription, 'id' | 'events'>>
  const rows = events.flatMap(event => subscriptions
    .filter(each => mayConcern(each.events, event.model, event.operation))
    .map(({ id }) => DeliveryStore.rowFor(event, Event.modelName, id)))
  for (let i = 0; i < rows.length; i += batch) {
    // What could not be sent is found when it is due.
    for (const id of await store.add(rows.slice(i, i + batch))) await send(id)
  }
}
