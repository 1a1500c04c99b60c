/** One replica: whether it answers, and how far it has followed the primary. */
import { setTimeout as wait } from 'node:timers/promises'
import type { Around, ConnectorLog } from '@fastback/core'
import type { Connections } from '../connections/connections.js'
import type { Replication } from '../dialects/driver.js'
import { Latest } from './latest.js'
import type { Mark } from './mark.js'

export interface ReplicaOptions {
  /** Opens it, and tries it. */
  readonly open: () => Promise<Connections>
  /** Where positions are compared. */
  readonly replication: Replication | undefined
  /** Milliseconds for which one that failed is left out. */
  readonly retry: number
  /** Milliseconds after which a write is taken to have arrived, where positions do not say. */
  readonly window: number
  readonly log: ConnectorLog
}

/** Milliseconds between two looks at a replica that is waited for. */
const pause = 5

export class Replica {
  readonly #options: ReplicaOptions
  readonly #latest: Latest<bigint | undefined>
  #connections: Connections | undefined
  #around: Around | undefined
  #isUp = false
  #isClosed = false
  #tryAgain = 0
  #trying: Promise<void> | undefined
  /** How far it had followed when it was asked last; undefined: it does not say. */
  #position: bigint | undefined

  constructor (options: ReplicaOptions) {
    this.#options = options
    this.#latest = new Latest(async () => {
      const { replication } = this.#options
      return replication === undefined ? undefined : await replication.replayed(this.connections.database.main)
    })
  }

  get connections (): Connections {
    return this.#connections as Connections
  }

  /** Whether it may be asked. One that was left out for long enough is tried meanwhile, and nobody waits for that. */
  get isUp (): boolean {
    if (!this.#isUp) this.start()
    return this.#isUp
  }

  /** Tries whether it answers, unless it is left out. */
  start (): void {
    if (!this.#isClosed && performance.now() >= this.#tryAgain) this.#trying ??= this.#try()
  }

  async #try (): Promise<void> {
    try {
      this.#connections ??= await this.#options.open()
      this.#connections.observe(this.#around)
      this.#position = await this.#latest.get()
      this.#isUp = !this.#isClosed
    } catch (error) {
      this.leaveOut(error)
    } finally {
      this.#trying = undefined
    }
  }

  /** Asks it nothing for a while. */
  leaveOut (error: unknown): void {
    const { retry, log } = this.#options
    if (this.#isUp || this.#tryAgain === 0) log.warn({ err: error, retry }, 'a replica is left out: it does not answer')
    this.#isUp = false
    this.#tryAgain = performance.now() + retry
  }

  /** Whether it is known to have what a mark stands for. */
  has ({ at, position }: Mark): boolean {
    if (this.#position === undefined || position === undefined) return performance.now() - at >= this.#options.window
    return this.#position >= position
  }

  /** Whether it has that now, or soon. @param patience milliseconds */
  async getsSoon (mark: Mark, patience: number): Promise<boolean> {
    const until = performance.now() + patience
    for (;;) {
      if (this.has(mark)) return true
      if (this.#position === undefined || mark.position === undefined) return false
      try {
        this.#position = await this.#latest.get()
      } catch (error) {
        this.leaveOut(error)
        return false
      }
      if (this.has(mark)) return true
      if (performance.now() + pause > until) return false
      await wait(pause)
    }
  }

  observe (around: Around | undefined): void {
    this.#around = around
    this.#connections?.observe(around)
  }

  async close (): Promise<void> {
    this.#isClosed = true
    this.#isUp = false
    await this.#trying
    await this.#connections?.close()
  }
}
