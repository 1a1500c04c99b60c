/**
 * What changes in a model's rows, for those who listen. Costs nothing while nobody does: its observers are there only
 * as long as there are listeners, and a little longer.
 */
import { randomInt } from 'node:crypto'
import { accessReviewIn } from '../contracts/access-review.js'
import type { CompiledModel } from '../interfaces/compiled-model.js'
import type { HookContext, Observer } from '../hooks.js'
import type { ModelClass } from '../interfaces/model-class.js'
import type { ModelState } from '../interfaces/model-state.js'
import { whereIds } from '../operations/context.js'
import { aside } from '../operations/cost.js'
import { asInternal } from '../operations/origin.js'
import { rowsInStore } from '../operations/read.js'
import { PASSIVE } from '../operations/with-hooks.js'
import { whenCommitted } from '../operations/transaction.js'
import { isCompound } from '../query/compound-id.js'
import { rowId, shownId } from '../query/id.js'
import type { Row } from '../properties/types.js'
import type { ChangeFeed } from '../interfaces/change-feed.js'
import { Change, ChangeGap } from './change.js'
import { RemoteChanges } from './remote-changes.js'
import type { ChangeFeedOptions } from './options.js'

const passive = (observer: Observer): Observer => Object.assign(observer, { [PASSIVE]: true })

class ObservingFeed implements ChangeFeed {
  readonly #listeners = new Set<() => void>()
  readonly #bulkListeners = new Set<(age: number) => void>()
  /** Whether a listener asked what rows were before a change: it may come back for what it missed. */
  #isCompared = false
  readonly #history: Array<Change | ChangeGap> = []
  readonly #elsewhere: RemoteChanges
  readonly #observers: Array<['after save' | 'before save' | 'before delete' | 'after delete', Observer]>
  /** Characters in the history. */
  #size = 0
  readonly #mostChanges: number
  readonly #mostCharacters: number
  readonly #bulkLimit: number
  readonly #linger: number
  /** Whether the history is kept. */
  #isObserving = false
  #hasObservers = false
  #leaving: NodeJS.Timeout | undefined
  /**
   * Begins where no other process, and no earlier time of observing, has come to: numbers of those are then known to be
   * lost.
   */
  #sequence = 0

  constructor (
    readonly Model: ModelClass,
    { history = 1000, historySize = 2 ** 20, bulkLimit = 10_000, linger = 60_000 }: ChangeFeedOptions = {}
  ) {
    this.#mostChanges = Math.max(1, history)
    this.#mostCharacters = historySize
    this.#bulkLimit = bulkLimit
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
    this.#observers = [
      ['before save', context => this.#remember(context)],
      ['after save', passive(context => this.#saved(context))],
      ['before delete', context => this.#remember(context)],
      ['after delete', passive(context => this.#deleted(context))]
    ]
  }

  reaches (sequence: number): boolean {
    return this.#isObserving && sequence <= this.#sequence && sequence >= this.begin
  }

  get sequence (): number {
    return this.#sequence
  }

  get begin (): number {
    return this.#sequence - this.#history.length
  }

  after (sequence: number): Change | ChangeGap | undefined {
    return this.reaches(sequence) ? this.#history[sequence - this.begin] : undefined
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
    const begin = this.Model.registry.bus.driver === undefined ? Date.now() * 1000 : randomInt(2 ** 48 - 1) * 16
    this.#sequence = Math.max(this.#sequence + 1, begin)
    this.#adjust()
  }

  #unobserve (): void {
    this.#isObserving = false
    this.#isCompared = false
    this.#history.length = 0
    this.#size = 0
    this.#adjust()
  }

  /** Operations are observed while anybody wants to know of them, here or elsewhere. */
  #adjust (): void {
    const isWanted = this.#isObserving || this.#elsewhere.hasOthers
    if (isWanted === this.#hasObservers) return
    this.#hasObservers = isWanted
    const { observers } = this.Model.state
    for (const [hook, observer] of this.#observers) {
      const others = (observers.get(hook) ?? []).filter(each => each !== observer)
      observers.set(hook, isWanted ? [...others, observer] : others)
    }
    this.Model.state.invalidate()
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

  /** Before a change or a removal: the rows that it is about, as far as the write does not hold them itself. */
  async #remember (context: HookContext): Promise<void> {
    const { currentInstance, instance, where, isNewInstance } = context
    if (currentInstance !== undefined) {
      if (this.#compares) context.hookState.changing = [this.#whole(currentInstance)]
      return
    }
    const model = this.#compiled
    const rows = where ?? (this.#compares && isNewInstance !== true ? byIdOf(model, instance) : undefined)
    if (rows === undefined) return
    const options = { ...aside(model, asInternal(context.options)), notify: false }
    if (where !== undefined) context.hookState.changingSince = performance.now()
    context.hookState.changing = await rowsInStore(model, rows, options, this.#bulkLimit + 1)
  }

  async #saved (context: HookContext): Promise<void> {
    const { instance } = context
    const model = this.#compiled
    const changing = changingIn(context)
    const isKeyed = model.key.length > 0
    this.#wroteBulk(context)
    if (instance !== undefined) {
      if (context.isNewInstance === true) return this.#emit(context, 'create', instance)
      const id = isKeyed ? idText(model, instance) : undefined
      return this.#emit(context, 'update', instance, changing.find(row => idText(model, row) === id))
    }
    if (!isKeyed || changing.length === 0) return
    const before = new Map(changing.map(row => [idText(model, row), row]))
    const where = whereIds(model, changing.map(row => rowId(model, row)))
    const { transaction } = context.options
    for (const row of await rowsInStore(model, where, transaction === undefined ? {} : { transaction })) {
      this.#emit(context, 'update', row, before.get(idText(model, row)))
    }
  }

  #deleted (context: HookContext): void {
    this.#wroteBulk(context)
    for (const row of changingIn(context)) this.#emit(context, 'remove', row)
  }

  /** After a write by a condition. Rows beyond the limit are not told one by one. */
  #wroteBulk (context: HookContext): void {
    const since = context.hookState.changingSince as number | undefined
    if (since === undefined) return
    const changing = changingIn(context)
    const isMore = changing.length > this.#bulkLimit
    if (isMore) changing.length = this.#bulkLimit
    whenCommitted(context, () => {
      const age = performance.now() - since
      if (this.#elsewhere.hasOthers) {
        this.#elsewhere.tellBulk(age)
        if (isMore) this.#elsewhere.tellGap()
      }
      this.#tellBulk(age)
      if (isMore && this.#isObserving) this.#tell(new ChangeGap())
    })
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
    this.#tell(new Change(this.#sequence + 1, type, target, data, text, was, model.hidden.size === 0
      ? {}
      : { row, before, isPartial: isPartial === true }))
  }

  #shown (row: Row): Row {
    return this.#compiled.toPlain(row, { hidden: false, included: false })
  }

  #whole (row: Row): Row {
    return this.#compiled.toPlain(row, { hidden: true, included: false })
  }

  #tell (change: Change | ChangeGap): void {
    this.#sequence++
    this.#history.push(change)
    this.#size += sizeOf(change)
    while (
      this.#history.length > this.#mostChanges ||
      (this.#size > this.#mostCharacters && this.#history.length > 1)
    ) {
      this.#size -= sizeOf(this.#history.shift() as Change | ChangeGap)
    }
    for (const listener of this.#listeners) listener()
  }

  get #compiled (): CompiledModel {
    return this.Model.compiled
  }
}

const idText = (model: CompiledModel, row: Row): string => String(rowId(model, row))

const byIdOf = (model: CompiledModel, instance: Row | undefined): object | undefined => {
  const id = instance === undefined || model.key.length === 0 ? undefined : rowId(model, instance)
  return id === undefined || id === null ? undefined : whereIds(model, [id])
}

const changingIn = ({ hookState }: HookContext): Row[] => (hookState.changing as Row[] | undefined) ?? []

/** The row before is about as large as the one after. */
const sizeOf = (change: Change | ChangeGap): number =>
  change instanceof ChangeGap ? 1 : change.text.length * (change.before === undefined ? 1 : 2)

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
