/** What a subscriber is sent of an event. */
import type { ModelClass, ModelRegistry, Row } from '@fastback/core'
import { rowOfText } from '@fastback/core/remote'
import { concerns, typeOf, type Happening } from './event-names.js'
import type { Delivery, Subscription } from './models.js'
import { sightOf, type Sight } from './reader.js'

/** The form of Standard Webhooks. */
export interface Payload {
  readonly type: string
  readonly body: string
}

/**
 * The message for one subscriber, by what its user may see now; undefined where there is nothing to tell.
 *
 * @throws what rules, scopes and hooks of the application throw
 */
export async function payloadFor (
  registry: ModelRegistry, subscription: Subscription, delivery: Delivery
): Promise<Payload | undefined> {
  if (delivery.operation === 'test') return written('webhook.test', delivery, JSON.stringify({ id: subscription.id }))
  const Model = registry.findModel(delivery.model ?? '')
  if (Model === undefined) return undefined
  const found = await happeningFor(Model, await sightOf(registry, Model, subscription), delivery)
  if (found === undefined || !concerns(subscription.events, Model.modelName, found.happening)) return undefined
  const data = Model.compiled.stringify(found.row, false)
  return written(typeOf(Model.modelName, found.happening), delivery, data)
}

interface Found { readonly happening: Happening, readonly row: Row }

async function happeningFor (Model: ModelClass, see: Sight, delivery: Delivery): Promise<Found | undefined> {
  const { compiled } = Model
  const rowIn = (text: string | null | undefined): Row | undefined =>
    typeof text === 'string' ? rowOfText(compiled, text) : undefined
  const [before, after] = [rowIn(delivery.before), rowIn(delivery.after)]
  const sees = async (row: Row | undefined, happening: Happening): Promise<Found | undefined> => {
    const shown = row === undefined ? undefined : await see(row)
    return shown === undefined ? undefined : { happening, row: shown }
  }
  switch (delivery.operation) {
    case 'create': return await sees(after, 'created')
    case 'restore': return await sees(after, 'restored')
    case 'delete': return await sees(before, 'deleted')
    default: {
      const updated = await sees(after, 'updated')
      if (updated !== undefined) return updated
      const left = await sees(before, 'left')
      // Of what the row is now the subscriber may know nothing.
      return left === undefined ? undefined : { happening: 'left', row: keyOf(Model, left.row) }
    }
  }
}

const keyOf = ({ compiled: { key } }: ModelClass, row: Row): Row =>
  Object.fromEntries(key.filter(({ name }) => row[name] !== undefined).map(({ name }) => [name, row[name]]))

const written = (type: string, { at }: Delivery, data: string): Payload =>
  ({ type, body: `{"type":${JSON.stringify(type)},"timestamp":"${at.toISOString()}","data":${data}}` })
