/** Deliveries as rows: which are due, who has taken one, and how it ended. */
import { sha256 } from '@fastback/core/connector'
import type { ModelClass, Row } from '@fastback/core'
import { createInstances, deleteRows, findRowById, findRows, updateRows } from '@fastback/core/remote'
import type { StoredEvent } from '../outbox/event-model.js'
import type { Delivery, DeliveryState, Subscription } from './models.js'

export type Due = Pick<Delivery, 'id' | 'nextAt'>

const quiet = { notify: false }
const open: readonly DeliveryState[] = ['new', 'sending', 'retrying']
/** How often rows are created that another process may create at the same time. */
const tries = 4

const digest = (...parts: readonly unknown[]): string =>
  sha256(JSON.stringify(parts), 'hex').slice(0, 40)

export class DeliveryStore {
  /**
   * @param longestWait milliseconds after which a delivery that waits for the one before of its row is looked at all
   * the same: that one tries it when it has ended, unless its process dies
   */
  constructor (readonly Model: ModelClass, readonly longestWait: number) {}

  get #model (): ModelClass['compiled'] { return this.Model.compiled }

  /**
   * The row for an event of a subscription: the same each time, so that none is made twice.
   * @param dueAt when it is looked at, unless somebody does so before
   */
  static rowFor (event: StoredEvent, outbox: string, subscriptionId: string, dueAt: Date): Row {
    const { id, at, model, rowId, operation, before, after } = event
    return {
      id: `msg_${digest(outbox, id, at, subscriptionId)}`,
      subscriptionId, state: 'new', attempts: 0, nextAt: dueAt, at, operation, model, before, after,
      rowKey: digest(model, rowId),
      sequence: typeof id === 'number' || typeof id === 'bigint' ? String(id).padStart(20, '0') : String(id)
    }
  }

  /** Stores those that are not there. @returns their ids */
  async add (rows: readonly Row[]): Promise<string[]> {
    for (let attempt = 1; ; attempt++) {
      const ids = rows.map(({ id }) => id)
      const found: Row[] = await findRows(this.#model, { where: { id: { inq: ids } }, fields: ['id'] }, quiet)
      const known = new Set(found.map(({ id }) => id))
      const missing = rows.filter(({ id }) => !known.has(id))
      if (missing.length === 0) return []
      try {
        await createInstances(this.#model, missing, quiet)
        return missing.map(({ id }) => String(id))
      } catch (error) {
        if (attempt === tries) throw error
      }
    }
  }

  async find (id: string): Promise<Delivery | undefined> {
    return await findRowById(this.#model, id, undefined, quiet) as unknown as Delivery | undefined
  }

  /**
   * Takes one for this process alone, until a time.
   * @param isDue whether only if its time has come
   * @returns whether it is ours
   */
  async take ({ id, attempts, state }: Delivery, until: Date, isDue: boolean): Promise<boolean> {
    const where = { id, state, attempts, ...(isDue ? { nextAt: { lte: new Date() } } : {}) }
    const taken = { state: 'sending', attempts: attempts + 1, nextAt: until }
    const { count } = await updateRows(this.#model, where, taken, quiet)
    return count === 1
  }

  /** Writes how an attempt ended, unless another process has taken the delivery since. */
  async change ({ id, attempts }: Delivery, changes: Row): Promise<void> {
    await updateRows(this.#model, { id, state: 'sending', attempts: attempts + 1 }, changes, quiet)
  }

  async remove ({ id }: Delivery): Promise<void> {
    await deleteRows(this.#model, { id }, quiet)
  }

  /** The one before of the same row that has not ended. */
  async before ({ subscriptionId, rowKey, sequence }: Delivery): Promise<boolean> {
    const where = { subscriptionId, rowKey, state: { inq: open }, sequence: { lt: sequence } }
    const found: Row[] = await findRows(this.#model, { where, fields: ['id'], limit: 1 }, quiet)
    return found.length > 0
  }

  /** When a delivery is looked at that waits for the one before. */
  waitsUntil (): Date {
    return new Date(Date.now() + this.longestWait)
  }

  /** Puts one off that has to wait for the one before. */
  async putOff ({ id, attempts, state }: Delivery, until: Date): Promise<void> {
    await updateRows(this.#model, { id, state, attempts }, { nextAt: until }, quiet)
  }

  /** The next one of the same row. */
  async next ({ subscriptionId, rowKey, sequence }: Delivery): Promise<Delivery | undefined> {
    const where = { subscriptionId, rowKey, state: { inq: open }, sequence: { gt: sequence } }
    const [next] = await findRows(this.#model, { where, order: ['sequence ASC'], limit: 1 }, quiet)
    return next as unknown as Delivery | undefined
  }

  /**
   * Those whose time has come, the oldest first.
   * @param after the last one of the look before
   */
  async due (limit: number, after: Due | undefined): Promise<Due[]> {
    const rest = after === undefined
      ? {}
      : { or: [{ nextAt: { gt: after.nextAt } }, { nextAt: after.nextAt, id: { gt: after.id } }] }
    const where = { and: [{ state: { inq: open }, nextAt: { lte: new Date() } }, rest] }
    const query = { where, order: ['nextAt ASC', 'id ASC'], fields: ['id', 'nextAt'], limit }
    return await findRows(this.#model, query, quiet) as unknown as Due[]
  }

  /** What a subscriber is shown: what was found to be for its eyes. */
  async listed (subscriptionId: string, states: readonly string[] | undefined, limit: number): Promise<Delivery[]> {
    const where = { subscriptionId, type: { neq: null }, ...(states === undefined ? {} : { state: { inq: states } }) }
    return await findRows(this.#model, { where, order: ['at DESC', 'id ASC'], limit }, quiet) as unknown as Delivery[]
  }

  /** @returns whether there is a test of the subscription that has not ended */
  async hasTest (subscriptionId: string): Promise<boolean> {
    const where = { subscriptionId, operation: 'test', state: { inq: open } }
    const found: Row[] = await findRows(this.#model, { where, fields: ['id'], limit: 1 }, quiet)
    return found.length > 0
  }

  /** @returns whether it was one that had failed for good */
  async replay (id: string): Promise<boolean> {
    const { count } = await updateRows(
      this.#model, { id, state: 'dead' }, { state: 'retrying', attempts: 0, nextAt: new Date(), endedAt: null }, quiet)
    return count === 1
  }

  /** Ends all that wait for a subscription that was switched off. */
  async endAll ({ id: subscriptionId }: Subscription): Promise<void> {
    const ended = { state: 'dead', error: 'SUBSCRIPTION_OFF', endedAt: new Date() }
    await updateRows(this.#model, { subscriptionId, state: { inq: open } }, ended, quiet)
  }

  async sweep (state: DeliveryState, before: Date): Promise<void> {
    await deleteRows(this.#model, { state, endedAt: { lt: before } }, quiet)
  }
}
