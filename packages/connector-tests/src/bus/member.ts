/** A member of a bus, with what it heard. */
import type { ModelRegistry } from '@fastback/core'
import { setTimeout as sleep } from 'node:timers/promises'

/** Milliseconds that something may take on a machine that has much to do. */
const patience = 20_000

export class Member {
  /** What was heard, in this order: payloads, and `reset`. */
  readonly heard: unknown[] = []
  /** Whether others are there, as it was last told. */
  others: boolean | undefined
  readonly #stop: () => void

  constructor (readonly registry: ModelRegistry, readonly topic = 'news') {
    this.#stop = registry.bus.subscribe(topic, {
      message: payload => { this.heard.push(payload) },
      reset: () => { this.heard.push('reset') },
      others: areThere => { this.others = areThere }
    })
  }

  /** What it heard but for what says that something may be missing. */
  get payloads (): unknown[] {
    return this.heard.filter(each => each !== 'reset')
  }

  publish (payload: unknown, topic = this.topic): void {
    this.registry.bus.publish(topic, payload)
  }

  deafen (): void {
    this.#stop()
  }

  async close (): Promise<void> {
    await this.registry.stop()
  }
}

/** Waits until something holds; false when it does not within a generous time. */
export async function comesTrue (what: () => boolean): Promise<boolean> {
  for (const end = Date.now() + patience; Date.now() < end;) {
    if (what()) return true
    await sleep(5)
  }
  return what()
}
