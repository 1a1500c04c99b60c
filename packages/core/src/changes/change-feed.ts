/**
 * What changes in a model's rows, for those who listen. Costs nothing while nobody does: its observers are there only
 * as long as there are listeners, and a little longer.
 */
import { randomInt } from 'node:crypto'
import { accessReviewIn } from '../contracts/access-review.js'
import type { CompiledModel } from '../interfaces/compiled-model.js'
import type { HookContext } from '../hooks.js'
import type { ModelClass } from '../interfaces/model-class.js'
import type { ModelState } from '../interfaces/model-state.js'
import { whenCommitted } from '../operations/transaction.js'
import { isCompound } from '../query/compound-id.js'
import { shownId } from '../query/id.js'
import type { Row } from '../properties/types.js'
import type { ChangeFeed } from '../interfaces/change-feed.js'
import { Change, ChangeGap } from './change.js'
import { ChangeHistory, type HistoryEntry } from './change-history.js'
import { ObservedWrites } from './observed-writes.js'
import { RemoteChanges } from './remote-changes.js'
import type { ChangeFeedOptions } from './options.js'

class ObservingFeed implements ChangeFeed {
  readonly #listeners = new Set<() => void>()
  readonly #bulkListeners = new Set<(age: number) => void>()
  /** Whether a listener asked what rows were before a change: it may come back for what it missed. */
  #isCompared = false
  readonly #history: ChangeHistory
  readonly #elsewhere: RemoteChanges
  readonly #writes: ObservedWrites
  readonly #linger: number
  /** Whether the history is kept. */
  #isObserving = false
  #leaving: NodeJS.Timeout | undefined

  constructor (
    readonly Model: ModelClass,
    { history = 1000, historySize = 2 ** 20, bulkLimit = 10_000, linger = 60_000 }: ChangeFeedOptions = {}
  ) {
    this.#history = new ChangeHistory(history, historySize)
    this.#linger = linger
    this.#elsewhere = new RemoteChanges(
      Model,
      {
        isWanted: () => this.#isObserving,
        changed: (type, row, before, isPartial) => {
          if (!this.#isObserving) return
          this.#keep(type, row, { data: this.#shown(row), before, isPartial })
        },
        gap: () => { if (this.#isObserving) this.#tell(new ChangeGap()) },
        bulk: age => { this.#tellBulk(age) }
      },
      () => { this.#adjust() }
    )
    this.#writes = new ObservedWrites(Model, bulkLimit, {
      compares: () => this.#compares,
      changed: (context, type, row, was) => { this.#emit(context, type, row, was) },
      wroteBulk: (age, isMore) => { this.#wroteBulk(age, isMore) }
    })
  }

  reaches (sequence: number): boolean {
    return this.#isObserving && this.#history.reaches(sequence)
  }

  get sequence (): number {
    return this.#history.sequence
  }

  get begin (): number {
    return this.#history.begin
  }

  after (sequence: number): HistoryEntry | undefined {
    return this.reaches(sequence) ? this.#history.after(sequence) : undefined
  }

  listen (listener: () => void, compares = false): () => void {
    clearTimeout(this.#leaving)
    this.#observe()
    this.#listeners.add(listener)
    if (compares) this.#isCompared = true
    return () => {
      if (!this.#listeners.delete(listener)) return
      if (this.#listeners.size > 0) return
      if (this.#linger > 0) {
        this.#leaving = setTimeout(() => {
          this.#unobserve()
        }, this.#linger).unref()
      } else this.#unobserve()
    }
  }

  listenToBulk (listener: (age: number) => void): () => void {
    this.#bulkListeners.add(listener)
    return () => { this.#bulkListeners.delete(listener) }
  }

  share (): void {
    this.#elsewhere.join()
    this.#adjust()
  }

  #observe (): void {
    if (this.#isObserving) return
    this.#isObserving = true
    // Where a client may go on at another process chance keeps their numbers apart.
    const isAlone = this.Model.registry.bus.driver === undefined
    this.#history.beginAt(isAlone ? Date.now() * 1000 : randomInt(2 ** 48 - 1) * 16)
    this.#adjust()
  }

  #unobserve (): void {
    this.#isObserving = false
    this.#isCompared = false
    this.#history.clear()
    this.#adjust()
  }

  /** Operations are observed while anybody wants to know of them, here or elsewhere. */
  #adjust (): void {
    this.#writes.observe(this.#isObserving || this.#elsewhere.hasOthers)
  }

  /**
   * Whether rows are kept as they were before a change: somebody compares, or readers of this model see a part of its
   * rows, and one may come later or be at another process.
   */
  get #compares (): boolean {
    const { hooks, definition } = this.#compiled
    return this.#isCompared || hooks.access !== undefined || (definition.scope ?? null) !== null ||
      accessReviewIn(this.Model.registry).narrows?.(this.Model) === true
  }

  #wroteBulk (age: number, isMore: boolean): void {
    if (this.#elsewhere.hasOthers) {
      this.#elsewhere.tellBulk(age)
      if (isMore) this.#elsewhere.tellGap()
    }
    this.#tellBulk(age)
    if (isMore && this.#isObserving) this.#tell(new ChangeGap())
  }

  #tellBulk (age: number): void {
    for (const listener of this.#bulkListeners) listener(age)
  }

  /** What is rolled back has not happened. */
  #emit (context: HookContext, type: Change['type'], row: Row, was?: Row): void {
    const data = this.#shown(row)
    const text = this.#compiled.stringify(data, false)
    const before = was === undefined || !this.#compares ? undefined : this.#whole(was)
    const whole = this.#whole(row)
    whenCommitted(context, () => {
      if (this.#elsewhere.hasOthers) this.#elsewhere.tell(type, row, text, before)
      if (this.#isObserving) this.#keep(type, whole, { data, text, before })
    })
  }

  /** @param row with its hidden properties */
  #keep (type: Change['type'], row: Row, { data, before, isPartial, text = this.#compiled.stringify(data, false) }: {
    data: Row, text?: string, before?: Row | undefined, isPartial?: boolean | undefined
  }): void {
    const model = this.#compiled
    const target = isCompound(model) ? shownId(model, row) : row[model.id?.name ?? 'id']
    const was = before === undefined ? undefined : this.#shown(before)
    this.#tell(new Change(this.#history.sequence + 1, type, target, data, text, was, model.hidden.size === 0
      ? {}
      : { row, before, isPartial: isPartial === true }))
  }

  #shown (row: Row): Row {
    return this.#compiled.toPlain(row, { hidden: false, included: false })
  }

  #whole (row: Row): Row {
    return this.#compiled.toPlain(row, { hidden: true, included: false })
  }

  #tell (change: HistoryEntry): void {
    this.#history.add(change)
    for (const listener of this.#listeners) listener()
  }

  get #compiled (): CompiledModel {
    return this.Model.compiled
  }
}

/**
 * The feed of a model, made when first asked for.
 *
 * ```js
 * const feed = changeFeedOf(Note.state) // the same one each time
 * ```
 */
export function changeFeedOf (state: ModelState): ChangeFeed {
  return (state.feed ??= new ObservingFeed(state.Model, state.settings.changeStream as ChangeFeedOptions | undefined))
}
