import { Readable } from 'node:stream'
import { setTimeout as wait } from 'node:timers/promises'
import { RequestError } from '../errors.js'
import { LiveEvent, StreamSignal } from '../changes/change.js'
import type { ModelClass } from '../interfaces/model-class.js'
import type { OperationOptions } from '../interfaces/operation-options.js'
import { CALLER } from '../query/work.js'
import { liveFeedOf, type LiveFeed } from './live-feed.js'
import { livePlan, type LivePlan } from './live-plan.js'
import type { LiveEvaluator } from './evaluator.js'
import type { Snapshot } from './snapshot.js'

/** Milliseconds between two questions to hooks and rules; what has changed waits for the next one. */
const pause = 100

interface OpenedQuery {
  readonly plan: LivePlan
  readonly evaluator: LiveEvaluator
  readonly first: Snapshot
  readonly askedAt: number
}

/** Characters that changes may have more than all rows: readers keep what they show of rows that stay. */
const surplus = 1_000

/**
 * The events of a live query for one reader: the rows (`rows`), then what leads from what it has to what there is
 * (`changes`). A reader that is slow gets the changes of a longer time at once: nothing is queued. Where hooks or rules
 * narrow the rows they are asked before anything goes out that came after they were asked last.
 */
class LiveStream extends Readable {
  readonly #feed: LiveFeed
  #plan: LivePlan
  #evaluator: LiveEvaluator
  #unlisten: () => void
  readonly #ends: ReadonlyArray<() => void>
  #sent: Snapshot | undefined
  #askedAt: number
  /** The id of the rows of the request itself, which was judged when it came. */
  readonly #first: string
  #isWanted = false
  #isAsking = false

  /**
   * @param opened what it begins with, and when hooks and rules were asked
   * @param after the id of the event that the reader had last
   * @param leave is called at its end
   */
  constructor (
    readonly Model: ModelClass, readonly given: OperationOptions,
    { plan, evaluator, first, askedAt }: OpenedQuery, after: string | undefined, leave: () => void
  ) {
    super({ objectMode: true, highWaterMark: 1 })
    this.#first = first.id
    this.#askedAt = askedAt
    this.#feed = liveFeedOf(Model.state)
    this.#plan = plan
    this.#evaluator = evaluator
    this.#sent = after === undefined ? undefined : evaluator.find(after)
    this.#unlisten = evaluator.listen(this.#look)
    this.#ends = [leave, ...plan.asks ? [this.#feed.reviewed(() => { this.#review() })] : []]
  }

  override _read (): void {
    this.#isWanted = true
    this.#look()
  }

  override _destroy (error: Error | null, done: (error: Error | null) => void): void {
    this.#unlisten()
    this.#feed.leave(this.#evaluator)
    for (const end of this.#ends) end()
    done(error)
  }

  readonly #look = (): void => {
    if (!this.#isWanted || this.#isAsking || this.destroyed) return
    const { error, snapshot } = this.#evaluator
    if (error !== undefined) {
      this.#fail(error)
    } else if (snapshot !== undefined && snapshot !== this.#sent) {
      // What is read as a whole is read with the rules of the moment.
      const isJudged = snapshot.id === this.#first || snapshot.madeAt <= this.#askedAt
      if (this.#plan.asks && this.#plan.judged !== undefined && !isJudged) this.#ask()
      else this.#send(snapshot)
    }
  }

  #review (): void {
    if (this.#isAsking || this.destroyed) return
    if (this.#plan.judged === undefined) this.#evaluator.refresh()
    else this.#ask()
  }

  #ask (): void {
    this.#isAsking = true
    this.#askNow().then(() => {
      this.#isAsking = false
      this.#look()
    }, (error: unknown) => { this.#fail(error) })
  }

  async #askNow (): Promise<void> {
    const rest = this.#askedAt + pause - performance.now()
    if (rest > 0) await wait(rest)
    if (this.destroyed) return
    const now = performance.now()
    const { snapshot } = this.#evaluator
    const plan = await livePlan(this.Model.compiled, this.#plan.filter, this.given)
    if (this.destroyed) return
    const shown = await this.#follow(plan) ?? snapshot
    this.#plan = plan
    this.#askedAt = now
    if (!this.destroyed && this.#isWanted && shown !== undefined && shown !== this.#sent) this.#send(shown)
  }

  /** @returns the rows of another query, where the plan is one */
  async #follow (plan: LivePlan): Promise<Snapshot | undefined> {
    if (plan.judged !== undefined && this.#evaluator.isAlike(plan)) return undefined
    const before = this.#evaluator
    const evaluator = this.#feed.join(plan)
    this.#unlisten()
    this.#evaluator = evaluator
    this.#unlisten = evaluator.listen(this.#look)
    this.#feed.leave(before)
    return await evaluator.first()
  }

  #send (snapshot: Snapshot): void {
    const before = this.#sent
    this.#sent = snapshot
    const changes = before === undefined ? undefined : snapshot.changesFrom(before)
    if (before !== undefined && changes === undefined) return
    const isShort = changes !== undefined && changes.length <= snapshot.text.length + surplus
    this.#isWanted = this.push(isShort
      ? new LiveEvent('changes', snapshot.id, changes)
      : new LiveEvent('rows', snapshot.id, snapshot.text))
  }

  /** Errors that are for the reader are told; the others are nobody's. */
  #fail (error: unknown): void {
    if (this.destroyed) return
    if (!(error instanceof RequestError)) {
      this.destroy(error as Error)
      return
    }
    const { statusCode, name, message, code } = error
    this.push(new StreamSignal('error', { error: { statusCode, name, message, code } }))
    this.push(null)
    this.#isAsking = true
  }
}

/**
 * Opens a live query: the rows that a `find` with this filter would give the same caller, and from then on what changes
 * in them. Everything that can be wrong with it is thrown before there is a stream.
 *
 * ```js
 * const stream = await openLiveQuery(Order, { where: { open: true }, order: 'at DESC', limit: 20 }, options)
 * for await (const { event, data } of stream) console.log(event, data)
 * ```
 * @param after the id of the event that the reader had last: what has changed since, where that is still known
 * @throws RequestError 400 for a filter that cannot be, or that is not live; 429 TOO_MANY_LIVE_QUERIES
 */
export async function openLiveQuery (
  Model: ModelClass, filter: unknown, options: OperationOptions = {}, after?: string
): Promise<Readable> {
  const feed = liveFeedOf(Model.state)
  const leave = feed.enter()
  try {
    // Its end is the stream's: whether the request is still there says nothing.
    const given = { ...options, [CALLER]: undefined }
    const askedAt = performance.now()
    const plan = await livePlan(Model.compiled, filter, given)
    const evaluator = feed.join(plan)
    const first = await evaluator.first().catch((error: unknown) => {
      feed.leave(evaluator)
      throw error
    })
    return new LiveStream(Model, given, { plan, evaluator, first, askedAt }, after, leave)
  } catch (error) {
    leave()
    throw error
  }
}
