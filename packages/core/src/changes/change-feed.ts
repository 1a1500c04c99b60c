/** What changes in a model's rows, for those who listen. Costs nothing while nobody does: its observers are there only as long as there are listeners, and a little longer. */
import type { CompiledModel } from '../compiled.js'
import type { HookContext, Observer } from '../hooks.js'
import type { ModelClass } from '../model/model-class.js'
import type { ModelState } from '../model/state.js'
import { findRows } from '../operations/read.js'
import { PASSIVE } from '../operations/ambient-transaction.js'
import type { Row } from '../properties/types.js'

/** One changed row. `data` has no hidden properties; removals carry the row as it was, so that conditions can be applied to it. */
export class Change {
  constructor (
    /** Grows with every change of the feed; the id of the event for `Last-Event-ID`. */
    readonly sequence: number,
    readonly type: 'create' | 'update' | 'remove',
    /** The row's id. */
    readonly target: unknown,
    readonly data: Row
  ) {}
}

export interface ChangeFeedOptions {
  /** Changes kept for listeners that come back with the number of the last one they saw. Default: 1000. */
  history?: number
  /** Rows of one bulk change that are told one by one. Default: 10,000. */
  bulkLimit?: number
  /** Milliseconds that changes are kept after the last listener has gone, for one that comes back. Default: 60,000. */
  linger?: number
}

type Listener = (change: Change) => void

const passive = (observer: Observer): Observer => Object.assign(observer, { [PASSIVE]: true })

export class ChangeFeed {
  readonly #listeners = new Set<Listener>()
  readonly #history: Change[] = []
  readonly #observers: Array<['after save' | 'before save' | 'before delete' | 'after delete', Observer]>
  readonly #historySize: number
  readonly #bulkLimit: number
  readonly #linger: number
  #isObserving = false
  #leaving: NodeJS.Timeout | undefined
  /** Begins where no earlier process, and no earlier time of observing, has come to: numbers of those are then known to be lost. */
  #sequence = 0

  constructor (readonly Model: ModelClass, { history = 1000, bulkLimit = 10_000, linger = 60_000 }: ChangeFeedOptions = {}) {
    this.#historySize = history
    this.#bulkLimit = bulkLimit
    this.#linger = linger
    this.#observers = [
      ['before save', context => this.#remember(context)],
      ['after save', passive(context => this.#saved(context))],
      ['before delete', context => this.#remember(context)],
      ['after delete', passive(context => this.#deleted(context))]
    ]
  }

  /** Whether changes after `sequence` are all still known. */
  reaches (sequence: number): boolean {
    return this.#isObserving && sequence <= this.#sequence && sequence >= this.#sequence - this.#history.length
  }

  get sequence (): number {
    return this.#sequence
  }

  /**
   * Calls `listener` for every change from now on, after those since `after` that are still known.
   * @returns a function that ends it
   */
  listen (listener: Listener, after?: number): () => void {
    clearTimeout(this.#leaving)
    this.#observe()
    if (after !== undefined) for (const change of this.#history) if (change.sequence > after) listener(change)
    this.#listeners.add(listener)
    return () => {
      if (!this.#listeners.delete(listener) || this.#listeners.size > 0) return
      if (this.#linger > 0) this.#leaving = setTimeout(() => { this.#unobserve() }, this.#linger).unref()
      else this.#unobserve()
    }
  }

  #observe (): void {
    if (this.#isObserving) return
    this.#isObserving = true
    this.#sequence = Math.max(this.#sequence + 1, Date.now() * 1000)
    const { observers } = this.Model.state
    for (const [hook, observer] of this.#observers) observers.set(hook, [...observers.get(hook) ?? [], observer])
    this.Model.state.invalidate()
  }

  #unobserve (): void {
    this.#isObserving = false
    this.#history.length = 0
    const { observers } = this.Model.state
    for (const [hook, observer] of this.#observers) observers.set(hook, (observers.get(hook) ?? []).filter(each => each !== observer))
    this.Model.state.invalidate()
  }

  /** Before a bulk change or a removal: which rows it is about. */
  async #remember (context: HookContext): Promise<void> {
    if (context.where === undefined || context.currentInstance !== undefined) return
    context.hookState.changing = await findRows(this.#compiled, { where: context.where, limit: this.#bulkLimit }, { ...context.options, notify: false, prohibitHiddenPropertiesInQuery: false })
  }

  async #saved (context: HookContext): Promise<void> {
    const { instance } = context
    if (instance !== undefined) return this.#emit(context.isNewInstance === true ? 'create' : 'update', instance)
    const idName = this.#compiled.id?.name
    if (idName === undefined) return
    const ids = (context.hookState.changing as Row[] | undefined ?? []).map(row => row[idName])
    if (ids.length === 0) return
    for (const row of await findRows(this.#compiled, { where: { [idName]: { inq: ids } } }, { notify: false })) this.#emit('update', row)
  }

  #deleted (context: HookContext): void {
    for (const row of context.hookState.changing as Row[] | undefined ?? []) this.#emit('remove', row)
  }

  /** What is rolled back has not happened. */
  #emit (type: Change['type'], row: Row): void {
    const model = this.#compiled
    const target = row[model.id?.name ?? 'id']
    const data = model.toPlain(row, { hidden: false, included: false })
    const { ambient } = this.Model.dataSource ?? {}
    if (ambient === undefined) this.#tell(type, target, data)
    else ambient.whenCommitted(() => { this.#tell(type, target, data) })
  }

  #tell (type: Change['type'], target: unknown, data: Row): void {
    const change = new Change(++this.#sequence, type, target, data)
    this.#history.push(change)
    if (this.#history.length > this.#historySize) this.#history.shift()
    for (const listener of this.#listeners) listener(change)
  }

  get #compiled (): CompiledModel {
    return this.Model.compiled
  }
}

/** The feed of a model, made when first asked for. */
export function changeFeedOf (state: ModelState): ChangeFeed {
  return (state.feed ??= new ChangeFeed(state.Model, state.settings.changeStream as ChangeFeedOptions | undefined))
}
