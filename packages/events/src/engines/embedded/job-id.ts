/** Ids of jobs: those of one process are in the order of their making, and no two are the same. */
import { randomBytes } from 'node:crypto'
import { sha256 } from '@fastback/core/connector'

const digest = (...parts: readonly string[]): string =>
  sha256(JSON.stringify(parts))

export class JobIds {
  #last = 0
  #count = 0
  readonly #suffix = randomBytes(9).toString('base64url')

  next (now = Date.now()): string {
    if (now > this.#last) {
      this.#last = now
      this.#count = 0
    }
    this.#count++
    const time = this.#last.toString(36).padStart(9, '0')
    return `${time}-${this.#count.toString(36).padStart(6, '0')}-${this.#suffix}`
  }
}

/** The same in all processes: who sends the job of a time second finds it there. */
export const idOfTick = (queue: string, cron: string, timeZone: string, at: Date): string =>
  `${at.getTime().toString(36).padStart(9, '0')}-${digest(queue, cron, timeZone)}`

/** A text of fixed length for a unique key, however long it is. */
export const slotOfKey = (queue: string, key: string): string => `key:${digest(queue, key)}`
