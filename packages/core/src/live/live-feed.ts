/**
 * The live queries of a model, and what changes in its rows.
 *
 * The feed of changes says which rows have changed; what they are by now is read from the store, once for all queries:
 * two writes of one row may be told in another order than they were made. A change that is told while a query is read
 * is looked at again afterwards, so that nothing older comes over what is newer.
 */
import { setTimeout as wait } from 'node:timers/promises'
import { ChangeGap } from '../changes/change.js'
import { changeFeedOf } from '../changes/change-feed.js'
import { tooManyLiveQueries } from '../errors.js'
import type { ModelClass } from '../interfaces/model-class.js'
import type { LiveQueries } from '../interfaces/live-queries.js'
import type { ModelState } from '../interfaces/model-state.js'
import type { OperationOptions } from '../interfaces/operation-options.js'
import { whereIds } from '../operations/context.js'
import { isRemote } from '../operations/origin.js'
import { rowsInStore } from '../operations/read.js'
import { rowId } from '../query/id.js'
import { byClock } from '../query/slices.js'
import type { Row } from '../properties/types.js'
import { LiveEvaluator } from './evaluator.js'
import { liveQueryLimit } from './limits.js'
import type { LivePlan } from './live-plan.js'
import { LiveBudget } from './live-budget.js'

/** Milliseconds in which changes are taken together. */
const collecting = 15
/** Changed rows that are read at once; where more have changed, queries are read again. */
const mostRows = 1_000
/** Milliseconds that a change may be told later than it was made. */
const late = 2_000
/** Milliseconds between two queries that are read again for good measure. */
const gap = 5
/** Milliseconds that a query is kept right after its last reader has gone, for one that comes back. */
const linger = 30_000
/** Milliseconds between two questions to hooks and rules where nothing changes. */
const reviewing = 5_000
/** Milliseconds after which writes are over that had begun before anybody listened. */
const settling: readonly number[] = [1_000, 10_000, 60_000]

export class LiveFeed implements LiveQueries {
  readonly #shared = new Map<string, LiveEvaluator>()
  readonly #judged = new Set<LiveEvaluator>()
  /** Queries that are read again when a row changes, those of other models among them. */
  readonly #reading = new Set<LiveEvaluator>()
  readonly #lingering = new Map<LiveEvaluator, NodeJS.Timeout>()
  readonly #reviews = new Set<() => void>()
  readonly #changed = new Map<string, unknown>()
  /** Rows that have changed lately, and when that was told. */
  readonly #recent = new Map<string, { readonly id: unknown, readonly at: number }>()
  #isLost = false
  #isTaking = false
  #seen = 0
  #readers = 0
  #reads = 0
  #stop: (() => void) | undefined
  #reviewTimer: NodeJS.Timeout | undefined

  constructor (readonly Model: ModelClass) {}

  get size (): number {
    return this.#readers
  }

  /** @throws RequestError 429 TOO_MANY_LIVE_QUERIES */
  enter (): () => void {
    const most = liveQueryLimit(this.Model.compiled)
    if (this.#readers >= most) throw tooManyLiveQueries(most)
    this.#readers++
    return () => { this.#readers-- }
  }

  /** The query of a plan: one for all that are alike. */
  join (plan: LivePlan): LiveEvaluator {
    const { judged } = plan
    const known = judged === undefined ? undefined : this.#shared.get(judged.key)
    if (known?.isAlike(plan) === true) {
      clearTimeout(this.#lingering.get(known))
      this.#lingering.delete(known)
      return known
    }
    const part = LiveBudget.of(this.Model.registry).part(clientOf(plan.options))
    const made = new LiveEvaluator(this.Model.compiled, plan, this.#clock, this.#again, part)
    if (judged === undefined) {
      for (const Model of plan.watched) liveFeedOf(Model.state).#watch(made)
    } else {
      this.#shared.set(judged.key, made)
      this.#watch(made)
    }
    return made
  }

  /** A reader has gone. */
  leave (evaluator: LiveEvaluator): void {
    if (evaluator.size > 0 || this.#lingering.has(evaluator)) return
    const { judged } = evaluator.plan
    const isKept = judged !== undefined && this.#shared.get(judged.key) === evaluator && evaluator.error === undefined
    if (!isKept) this.#drop(evaluator)
    else this.#lingering.set(evaluator, setTimeout(() => { this.#drop(evaluator) }, linger).unref())
  }

  /** Calls `review` from time to time: what rules and hooks say may change without any change of a row. */
  reviewed (review: () => void): () => void {
    this.#reviews.add(review)
    this.#reviewTimer ??= setInterval(() => { for (const each of this.#reviews) each() }, reviewing).unref()
    return () => {
      this.#reviews.delete(review)
      if (this.#reviews.size > 0) return
      clearInterval(this.#reviewTimer)
      this.#reviewTimer = undefined
    }
  }

  readonly #clock = { now: (): number => ++this.#reads }

  readonly #again = (keys: Iterable<string>): void => {
    for (const key of keys) if (!this.#changed.has(key)) this.#changed.set(key, key)
    this.#takeSoon()
  }

  #watch (evaluator: LiveEvaluator): void {
    const queries = evaluator.plan.judged === undefined ? this.#reading : this.#judged
    queries.add(evaluator)
    if (this.#stop !== undefined) return
    const feed = changeFeedOf(this.Model.state)
    feed.share()
    const stops = [feed.listen(this.#hear), feed.listenToBulk(this.#hearBulk)]
    this.#stop = () => { for (const stop of stops) stop() }
    this.#seen = feed.sequence
    for (const delay of settling) setTimeout(() => { this.#refreshSlowly().catch(() => {}) }, delay).unref()
  }

  #drop (evaluator: LiveEvaluator): void {
    const { judged, watched } = evaluator.plan
    evaluator.close()
    this.#lingering.delete(evaluator)
    if (judged !== undefined && this.#shared.get(judged.key) === evaluator) this.#shared.delete(judged.key)
    for (const Model of watched) liveFeedOf(Model.state).#forget(evaluator)
  }

  #forget (evaluator: LiveEvaluator): void {
    this.#judged.delete(evaluator)
    this.#reading.delete(evaluator)
    if (this.#judged.size + this.#reading.size > 0) return
    this.#stop?.()
    this.#stop = undefined
    this.#changed.clear()
    this.#recent.clear()
  }

  #refreshAll (): void {
    for (const each of [...this.#judged, ...this.#reading]) each.refresh()
  }

  /** One after the other, with time for others in between: nobody waits for it. */
  async #refreshSlowly (): Promise<void> {
    for (const each of [...this.#judged, ...this.#reading]) {
      each.refresh()
      await each.settled()
      await wait(gap)
    }
  }

  readonly #hear = (): void => {
    const feed = changeFeedOf(this.Model.state)
    if (!feed.reaches(this.#seen)) {
      this.#isLost = true
      this.#seen = feed.sequence
    }
    for (let change = feed.after(this.#seen); change !== undefined; change = feed.after(this.#seen)) {
      this.#seen++
      const id = change instanceof ChangeGap ? undefined : change.ask(row => rowId(this.Model.compiled, row))
      if (id === undefined) this.#isLost = true
      else this.#note(id)
    }
    for (const each of this.#reading) each.refresh()
    this.#takeSoon()
  }

  #note (id: unknown): void {
    const key = String(id)
    this.#changed.set(key, id)
    this.#recent.delete(key)
    this.#recent.set(key, { id, at: performance.now() })
    if (this.#recent.size > mostRows) this.#recent.delete(this.#recent.keys().next().value as string)
  }

  /** A write by a condition: rows that came into it while it went on are among those that others changed since. */
  readonly #hearBulk = (age: number): void => {
    const since = performance.now() - age - late
    const [first] = this.#recent.values()
    if (this.#recent.size >= mostRows && first !== undefined && first.at >= since) this.#isLost = true
    for (const [key, { id, at }] of this.#recent) if (at >= since) this.#changed.set(key, id)
    for (const each of this.#reading) each.refresh()
    this.#takeSoon()
  }

  #takeSoon (): void {
    if (this.#isTaking || this.#judged.size === 0) return
    this.#isTaking = true
    this.#takeAll().catch((err: unknown) => {
      this.Model.registry.log.warn({ err, model: this.Model.modelName }, 'changed rows of live queries cannot be read')
      this.#refreshAll()
    }).finally(() => {
      this.#isTaking = false
      if (this.#changed.size > 0 || this.#isLost) this.#takeSoon()
    })
  }

  async #takeAll (): Promise<void> {
    while (this.#changed.size > 0 || this.#isLost) {
      await wait(collecting)
      const changed = new Map(this.#changed)
      const isLost = this.#isLost || changed.size > mostRows
      this.#changed.clear()
      this.#isLost = false
      if (isLost) this.#refreshAll()
      else if (changed.size > 0) await this.#take(changed)
    }
  }

  async #take (changed: ReadonlyMap<string, unknown>): Promise<void> {
    const model = this.Model.compiled
    const begun = this.#clock.now()
    const found = await rowsInStore(model, whereIds(model, [...changed.values()]))
    const rows = new Map<string, Row | undefined>([...changed.keys()].map(key => [key, undefined]))
    for (const row of found) rows.set(String(rowId(model, row)), row)
    const pauses = byClock()
    for (const each of [...this.#judged]) {
      each.take(rows, begun)
      if (pauses.isDue) await pauses.rest()
    }
  }
}

/** Those without a token are one client. Undefined: code in the process. */
function clientOf (options: OperationOptions): string | undefined {
  const { accessToken } = options
  if (!isRemote(options)) return undefined
  if (accessToken === null || typeof accessToken !== 'object') return ''
  const { userId, principalType, appId } = accessToken as { userId?: unknown, principalType?: unknown, appId?: unknown }
  return JSON.stringify([userId, principalType, appId].map(each => String(each ?? '')))
}

/**
 * The live queries of a model.
 *
 * ```js
 * const queries = liveFeedOf(Note.state)
 * ```
 */
export function liveFeedOf (state: ModelState): LiveFeed {
  return (state.live ??= new LiveFeed(state.Model)) as LiveFeed
}
