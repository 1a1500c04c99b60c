/** Sends the messages of one batch, and writes down which are done as they are. */
import type { Row } from '@fastback/core'
import { findRows } from '@fastback/core/remote'
import type { Result } from '../provider/outcome.js'
import type { Lease } from './lease.js'
import type { OutboxParts } from './outbox-parts.js'
import { deviceOf, Sending, type Device } from './sender.js'
import type { BatchRow } from './batch-row.js'

/** Where a device stands in the list of its batch. */
type Placed = Device & { readonly at: number }

export class BatchWork {
  readonly #done: number[]
  readonly #failures: Row[]
  #writing: Promise<void> | undefined
  #isDirty = false

  constructor (
    readonly parts: OutboxParts,
    readonly row: BatchRow,
    readonly notification: Row,
    readonly lease: Lease,
    readonly isStopped: () => boolean
  ) {
    this.#done = [...row.done ?? []]
    this.#failures = [...row.failures ?? []]
  }

  async run (): Promise<void> {
    const { deviceTokens, installationIds } = this.row
    const length = (deviceTokens ?? installationIds ?? []).length
    const devices = await this.#devices()
    const told = (device: Device, result: Result): void => { this.#told(device as Placed, result) }
    const sending = new Sending(this.parts, this.notification, told)
    let isWhole = true
    for (const device of devices) {
      if (this.isStopped() || !this.lease.isOurs) {
        isWhole = false
        break
      }
      await sending.tryAdd(device)
    }
    await sending.finished()
    await this.#written()
    const state = { done: this.#done, failures: this.#failures }
    // Rows that are gone have nobody to send to.
    const left = isWhole && this.#stopped === 0 ? 0 : length - this.#done.length
    if (left > 0) await this.lease.release(state)
    else await this.lease.end(this.#failures.length > 0 ? 'faulty' : 'done', state)
  }

  /** Messages that this process gave back when it stopped. */
  #stopped = 0

  async #devices (): Promise<Placed[]> {
    const { deviceTokens, installationIds, appId, deviceType = '' } = this.row
    const done = new Set(this.#done)
    const open = (_: unknown, at: number): boolean => !done.has(at)
    if (deviceTokens !== undefined && deviceTokens !== null && deviceTokens.length > 0) {
      return deviceTokens.map((token, at) => ({ appId, deviceType, token, at })).filter(({ at }) => open(undefined, at))
    }
    const Installation = this.parts.models.get('Installation')
    const idName = Installation.getIdName() as string
    const places = new Map((installationIds ?? []).map((id, at) => [id, at]))
    const wanted = (installationIds ?? []).filter(open)
    if (wanted.length === 0) return []
    const rows: Row[] = await findRows(
      Installation.compiled, { where: { [idName]: { inq: wanted } }, limit: wanted.length }, { notify: false }
    )
    return rows.map(row => ({ ...deviceOf(row, idName), at: places.get(String(row[idName])) as number }))
  }

  #told ({ at }: Placed, result: Result): void {
    if (result.status === 'failed' && result.reason === 'Stopped') {
      this.#stopped++
      return
    }
    this.#done.push(at)
    if (result.status === 'failed') this.#failures.push({ at, reason: result.reason, attempts: result.attempts })
    this.#isDirty = true
    this.#writing ??= this.#write()
  }

  /** One statement at a time, with all that has come meanwhile: what a kill can double is what came during the last. */
  async #write (): Promise<void> {
    try {
      while (this.#isDirty) {
        this.#isDirty = false
        await this.lease.change({ done: [...this.#done], failures: [...this.#failures] })
      }
    } finally {
      this.#writing = undefined
    }
  }

  async #written (): Promise<void> {
    while (this.#writing !== undefined) await this.#writing
  }
}
