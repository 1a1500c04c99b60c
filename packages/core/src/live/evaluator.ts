/** One live query, for all who have it: its rows are kept right, by single changed rows or by reading them again. */
import { setTimeout as wait } from 'node:timers/promises'
import type { LivePlan } from './live-plan.js'
import type { LivePart } from './live-budget.js'
import { JudgedSource, ReadSource, type ChangedRows, type LiveSource } from './live-source.js'
import { Snapshots, type Snapshot } from './snapshot.js'
import type { CompiledModel } from '../interfaces/compiled-model.js'
import type { LiveRow } from './row-changes.js'

/** Milliseconds between two reads of one query, and how many times as long as a read takes these are at least. */
const pause = 100
const share = 10
/** Milliseconds for which the instants of a rule are as good as new ones. */
const oldest = 1_000

/** What reads of the store are told apart by: which began first. */
export interface ReadClock { now (): number }

/** Asks for changed rows again: whether what is known of them is newer than a read of this query cannot be told. */
export type AskAgain = (keys: Iterable<string>) => void

export class LiveEvaluator {
  readonly #source: LiveSource
  readonly #clock: ReadClock
  readonly #again: AskAgain
  readonly #part: LivePart
  readonly #snapshots = new Snapshots()
  readonly #listeners = new Set<() => void>()
  /** Changed rows that came while the query was read. */
  readonly #missed = new Set<string>()
  #reading: Promise<void> | undefined
  #isStale = false
  /** By the clock: when the last read ended. */
  #readAt = 0
  #lastBegin = -Infinity
  #lastTime = 0
  #isClosed = false
  readonly #bornAt = performance.now()
  snapshot: Snapshot | undefined
  /** Why it has ended. */
  error: Error | undefined

  constructor (
    model: CompiledModel, readonly plan: LivePlan, clock: ReadClock, again: AskAgain, part: LivePart
  ) {
    this.#source = plan.judged === undefined ? new ReadSource(model, plan) : new JudgedSource(model, plan)
    this.#clock = clock
    this.#again = again
    this.#part = part
  }

  /** Resolves with the first rows, when they are read. @throws what reading them throws */
  async first (): Promise<Snapshot> {
    if (this.snapshot === undefined && this.error === undefined) {
      if (this.#reading === undefined) this.refresh()
      await this.#reading
    }
    if (this.error !== undefined) throw this.error
    return this.snapshot as Snapshot
  }

  /** Whether it is a query of this plan: instants that rules count from now on may be a second old. */
  isAlike ({ judged }: LivePlan): boolean {
    const own = this.plan.judged
    if (this.error !== undefined || own === undefined || own.key !== judged?.key) return false
    return own.exactKey === judged.exactKey || performance.now() - this.#bornAt < oldest
  }

  /** The moment with this id, where it is still known. */
  find (id: string): Snapshot | undefined {
    return this.#snapshots.find(id)
  }

  get size (): number {
    return this.#listeners.size
  }

  /** Calls `listener` for every change, and for the end. */
  listen (listener: () => void): () => void {
    this.#listeners.add(listener)
    return () => { this.#listeners.delete(listener) }
  }

  /** Reads the rows again: soon, and once for all who ask meanwhile. */
  refresh (): void {
    this.#isStale = true
    this.#reading ??= this.#readAll()
  }

  /** Resolves when nothing of it is being read. */
  async settled (): Promise<void> {
    await this.#reading
  }

  /** @param begun by the clock: when the read of these rows began */
  take (rows: ChangedRows, begun: number): void {
    if (this.#isClosed || this.error !== undefined) return
    if (this.#reading !== undefined) {
      for (const key of rows.keys()) this.#missed.add(key)
    } else if (begun < this.#readAt) {
      this.#again(rows.keys())
    } else this.#judge(rows)
  }

  close (): void {
    this.#isClosed = true
    this.#part.leave()
  }

  #judge (rows: ChangedRows): void {
    try {
      const taken = this.#source.take(rows)
      if (taken === undefined) this.refresh()
      else if (taken !== 'same') this.#show(taken)
    } catch (error) {
      this.#fail(error)
    }
  }

  async #readAll (): Promise<void> {
    try {
      while (this.#isStale && !this.#isClosed) {
        const rest = this.#lastBegin + Math.max(pause, share * this.#lastTime) - performance.now()
        if (rest > 0) await wait(rest)
        this.#isStale = false
        this.#missed.clear()
        this.#lastBegin = performance.now()
        const rows = await this.#source.read()
        this.#lastTime = performance.now() - this.#lastBegin
        this.#readAt = this.#clock.now()
        this.#show(rows)
      }
    } catch (error) {
      this.#fail(error)
    }
    this.#reading = undefined
    if (this.#missed.size > 0) this.#again([...this.#missed])
    this.#missed.clear()
  }

  #show (rows: readonly LiveRow[]): void {
    if (!this.#isClosed) this.#part.put(this.#source.characters)
    const snapshot = this.#snapshots.add(rows)
    if (snapshot === this.snapshot) return
    this.snapshot = snapshot
    this.#tell()
  }

  #fail (error: unknown): void {
    this.error = error instanceof Error ? error : new Error(String(error))
    this.#tell()
  }

  #tell (): void {
    for (const listener of [...this.#listeners]) listener()
  }
}
