/** Makes deliveries of events, for the subscriptions that there are. */
import type { ModelClass, Row } from '@fastback/core'
import { findRows } from '@fastback/core/remote'
import type { StoredEvent } from '../outbox/event-model.js'
import type { HandOver } from '../outbox/relay.js'
import { DeliveryStore } from './delivery-store.js'
import { mayConcern } from './event-names.js'
import type { Subscription } from './models.js'

type Told = Pick<Subscription, 'id' | 'events' | 'ordered'>

/** Rows that are stored by one statement, and what is sent at once. */
const batch = { stored: 500, sent: 20 }

/** @param send has a delivery looked at */
export const handOverTo = (
  Subscription: ModelClass, store: DeliveryStore, send: (id: string) => Promise<void>
): HandOver => async (events, Event) => {
  const subscriptions = await findRows(Subscription.compiled, {
    where: { active: true }, fields: ['id', 'events', 'ordered']
  }, { notify: false }) as unknown as Told[]
  const waiting = new Set<string>()
  const rows = deliveriesOf({ events, outbox: Event.modelName, subscriptions, waiting, later: store.waitsUntil() })
  for (const part of partsOf(rows, batch.stored)) {
    const added = (await store.add(part)).filter(id => !waiting.has(id))
    // What could not be sent is found when it is due.
    for (const ids of partsOf(added, batch.sent)) await Promise.all(ids.map(send))
  }
}

interface HandedOver {
  readonly events: readonly StoredEvent[]
  readonly outbox: string
  readonly subscriptions: readonly Told[]
  /** Gets the ids of those that wait for another one of these. */
  readonly waiting: Set<string>
  /** When those are looked at. */
  readonly later: Date
}

function deliveriesOf ({ events, outbox, subscriptions, waiting, later }: HandedOver): Row[] {
  const now = new Date()
  const before = new Set<string>()
  return events.flatMap(event => subscriptions
    .filter(each => mayConcern(each.events, event.model, event.operation))
    .map(({ id, ordered }) => {
      const key = `${id} ${event.model} ${event.rowId}`
      const waits = ordered && before.has(key)
      before.add(key)
      const row = DeliveryStore.rowFor(event, outbox, id, waits ? later : now)
      if (waits) waiting.add(String(row.id))
      return row
    }))
}

const partsOf = <T>(list: readonly T[], size: number): T[][] =>
  Array.from({ length: Math.ceil(list.length / size) }, (_, i) => list.slice(i * size, (i + 1) * size))
