/** Which process a row of work belongs to. */
import type { ModelClass, Row } from '@fastback/core'
import { updateRows } from '@fastback/core/remote'
import type { BatchRow } from './batch-row.js'

const quiet = { notify: false }

/** That a row is ours, for as long as we say so again in time. */
export class Lease {
  isOurs = true
  readonly #timer: NodeJS.Timeout
  readonly #key: Row

  constructor (readonly Model: ModelClass, row: BatchRow, readonly end_: () => Date, every: number) {
    this.#key = { [Model.getIdName() as string]: row.id, lease: row.lease }
    this.#timer = setInterval(() => { this.change({}).catch(() => {}) }, every)
    this.#timer.unref()
  }

  /** Writes down how far we are; false when the row is another's by now. */
  async change (changes: Row): Promise<boolean> {
    const { count } = await updateRows(this.Model.compiled, this.#key, { ...changes, due: this.end_() }, quiet)
    this.isOurs &&= count === 1
    return this.isOurs
  }

  /** @param status `faulty`: some of it could not be sent; it is `failed` once all of the notification is ended */
  async end (status: 'done' | 'faulty', changes: Row = {}): Promise<void> {
    this.stop()
    await updateRows(this.Model.compiled, this.#key, { ...changes, status, due: this.end_() }, quiet)
  }

  /** Others may take it at once. */
  async release (changes: Row = {}): Promise<void> {
    this.stop()
    await updateRows(this.Model.compiled, this.#key, { ...changes, due: new Date() }, quiet)
  }

  stop (): void {
    clearInterval(this.#timer)
  }
}
