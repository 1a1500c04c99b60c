/**
 * Ends open change streams whose caller may not have them any more: roles, mappings and rules change, in other
 * processes as well (security.md, S-43).
 */
import type { MaybePromise } from '@fastback/core'

/** Milliseconds in which changes of rights are taken together. */
const soon = 20

export class StreamWatch {
  readonly #open = new Map<AbortController, () => MaybePromise<boolean>>()
  #timer: NodeJS.Timeout | undefined
  #soon: NodeJS.Timeout | undefined

  /** @param interval milliseconds between two looks at all streams together */
  constructor (readonly interval: number) {}

  /** @param controller aborted when `judge` says no, or fails: a right that cannot be shown is none */
  add (controller: AbortController, judge: () => MaybePromise<boolean>): void {
    this.#open.set(controller, judge)
    this.#timer ??= setInterval(() => { this.#lookAll() }, this.interval).unref()
  }

  /** Looks at all streams at once, but not at once for each of many changes: roles or rules were changed. */
  changed (): void {
    if (this.#open.size === 0) return
    this.#soon ??= setTimeout(() => {
      this.#soon = undefined
      this.#lookAll()
    }, soon).unref()
  }

  #lookAll (): void {
    for (const each of this.#open) this.#look(each).catch(() => {})
  }

  remove (controller: AbortController): void {
    this.#open.delete(controller)
    if (this.#open.size > 0) return
    clearInterval(this.#timer)
    this.#timer = undefined
  }

  async #look ([controller, judge]: [AbortController, () => MaybePromise<boolean>]): Promise<void> {
    try {
      if (await judge()) return
    } catch {
      // Refused below.
    }
    this.remove(controller)
    controller.abort()
  }
}
