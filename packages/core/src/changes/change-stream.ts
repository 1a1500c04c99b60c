import { Readable } from 'node:stream'
import type { ModelClass } from '../interfaces/model-class.js'
import { queryTooExpensive } from '../errors.js'
import { compileCondition, type RowTest } from '../query/match.js'
import { parseWhere } from '../query/parse.js'
import { Work } from '../query/work.js'
import { parseOptions } from '../operations/context.js'
import { isRemote } from '../operations/origin.js'
import { isJudged, judgeCondition } from '../operations/related-conditions.js'
import type { OperationOptions } from '../interfaces/operation-options.js'
import { chain, type MaybePromise } from '../maybe-promise.js'
import type { Row } from '../properties/types.js'
import { changeFeedOf } from './change-feed.js'
import { ChangeGap, type Change } from './change.js'
import type { ChangeStreamOptions } from './options.js'
import { ReaderView } from './reader-view.js'

/** The reader did not keep up. */
export class ChangeStreamOverflow extends Error {
  readonly code = 'CHANGE_STREAM_OVERFLOW'
  constructor () {
    super('The reader of the change stream fell further behind than changes are kept.')
  }
}

/** Units of work that a condition from outside may take for one change: every stream of the model asks its own. */
const workOfChange = 200_000

/**
 * What a stream's condition may cost: so much for each change, and many changes (a reader that comes back) not all in
 * one turn.
 */
class ChangeBudget {
  readonly #work = new Work({ work: Infinity, rows: Infinity, bytes: Infinity })
  #left = 0
  isResting = false

  renew (): void {
    this.#left = workOfChange
  }

  /** @throws RequestError 400 QUERY_TOO_EXPENSIVE */
  spend (units: number): void {
    if ((this.#left -= units) < 0) throw queryTooExpensive('work', workOfChange)
    this.#work.spend(units)
  }

  /** Gives the event loop back when that is due. */
  rest (then: () => void): void {
    if (!this.#work.isDue) return
    this.isResting = true
    const goOn = (): void => {
      this.isResting = false
      then()
    }
    // A client that has gone ends its stream itself.
    this.#work.rest().then(goOn, goOn)
  }
}

/** Changes that a stream takes from the feed before they are read. */
const ahead = 16

/**
 * A readable stream of `Change` objects (or a `ChangeGap` first). All streams of a model read from its one history:
 * what waits for slow readers is kept once, and bounded. A reader that falls behind further than the history reaches,
 * or than `highWaterMark`, gets the error `ChangeStreamOverflow` instead, and may come back with `after`. A condition
 * from outside that takes too much for a change ends the stream with the error QUERY_TOO_EXPENSIVE. An update after
 * which a row no longer matches the condition is a removal.
 *
 * Options of a request (`remoteOptions`) narrow it to what a `find` with them would give; an `access` hook that throws
 * ends it with its error. `openChangeStream` asks the hook first.
 *
 * ```js
 * const stream = createChangeStream(Note, { where: { stars: { gt: 2 } } })
 * stream.on('data', ({ type, target }) => console.log(type, target))
 * stream.destroy()
 * ```
 * @throws RequestError 400 for a condition that cannot be
 */
export function createChangeStream (
  Model: ModelClass,
  { where, after, highWaterMark = 1000 }: ChangeStreamOptions = {},
  options: OperationOptions = {},
  view = ReaderView.of(Model, options)
): Readable {
  const condition = parseWhere(Model.compiled, where, parseOptions(Model.compiled, options))
  const budget = condition !== undefined && isRemote(options) ? new ChangeBudget() : undefined
  const judge = new Judge(condition === undefined ? undefined : compileCondition(condition, budget), budget, view)
  const feed = changeFeedOf(Model.state)
  const isKnown = after !== undefined && feed.reaches(after)
  const state = { isWanted: false, isAsking: false }
  let seen = 0
  const take = (): void => {
    while (state.isWanted && !state.isAsking && budget?.isResting !== true && !stream.destroyed) {
      const change = feed.after(seen)
      if (change === undefined) return
      if (view !== undefined && !view.covers(seen + 1)) {
        ask(view)
        return
      }
      seen++
      const told = seenBy(change)
      if (told !== undefined) state.isWanted = stream.push(told)
      budget?.rest(take)
    }
  }
  /** Changes wait for what the hooks say now: what came before their response was asked for is judged by it. */
  const ask = (view: ReaderView): void => {
    state.isAsking = true
    const goOn = (): void => {
      state.isAsking = false
      // Which rows have come or gone by that nobody here knows: the reader looks for itself.
      if (view.takeTurn()) state.isWanted = stream.push(new ChangeGap())
      take()
    }
    const now = async (): Promise<void> => { if (!stream.destroyed) await view.ask(feed.sequence) }
    const fail = (error: unknown): void => { stream.destroy(error as Error) }
    if (view.delay > 0) setTimeout(() => { now().then(goOn).catch(fail) }, view.delay).unref()
    else now().then(goOn).catch(fail)
  }
  const seenBy = (change: Change | ChangeGap): Change | ChangeGap | undefined => {
    if (change instanceof ChangeGap) return change
    try {
      return judge.told(change)
    } catch (error) {
      stream.destroy(error as Error)
      return undefined
    }
  }
  const stream = new Readable({
    objectMode: true,
    // What is judged is read at once: a response of the hooks does not grow old in between.
    highWaterMark: view === undefined ? ahead : 1,
    read () {
      state.isWanted = true
      take()
    }
  })
  stream.once(
    'close',
    feed.listen(() => {
      take()
      if (feed.sequence - seen > highWaterMark || !feed.reaches(seen)) stream.destroy(new ChangeStreamOverflow())
    }, judge.compares)
  )
  // After a gap, what is still known: its reader may have use for it.
  seen = isKnown ? after : after !== undefined && after < feed.sequence ? feed.begin : feed.sequence
  if (after !== undefined && !isKnown) stream.push(new ChangeGap())
  return stream
}

/**
 * The same for a caller from outside, once the `access` hook has let it through.
 *
 * ```js
 * const stream = await openChangeStream(Note, {}, remoteOptions({ accessToken: request.accessToken }))
 * ```
 * @throws RequestError 400 for a condition that cannot be; what the hook throws
 */
export function openChangeStream (
  Model: ModelClass, settings: ChangeStreamOptions, options: OperationOptions
): MaybePromise<Readable> {
  const view = ReaderView.of(Model, options)
  const { compiled } = Model
  // What the caller may not read may not be asked about either.
  const judged = isJudged(options)
    ? judgeCondition(compiled, parseWhere(compiled, settings.where, parseOptions(compiled, options)), options)
    : undefined
  return chain(judged, () => chain(view?.ask(-1), () => createChangeStream(Model, settings, options, view)))
}

/** What of a change a reader is told: by the condition that it asked for, and by what it may see. */
class Judge {
  constructor (
    readonly matches: RowTest | undefined,
    readonly budget: ChangeBudget | undefined,
    readonly view: ReaderView | undefined
  ) {}

  /** Whether it asks what rows were before a change. */
  get compares (): boolean {
    return this.matches !== undefined || this.view !== undefined
  }

  /** @throws RequestError 400 QUERY_TOO_EXPENSIVE */
  told (change: Change): Change | ChangeGap | undefined {
    const { view } = this
    if (!this.compares) return change
    this.budget?.renew()
    if (change.type === 'remove' && view?.cannotTell(change) === true) return new ChangeGap()
    if (change.ask(this.#isAmong)) {
      const shown = view?.show(change) ?? change
      return view?.isArrival(change) === true ? shown.arrival : shown
    }
    if (change.type !== 'update') return undefined
    const was = view?.cannotTell(change) === true ? undefined : change.askBefore(this.#isAmong)
    if (was === false) return undefined
    // Where the write did not know the row as it was, a reader that never had it is told that it is not there; one that
    // may not know of it looks for itself.
    if (was === undefined && view !== undefined && !change.ask(view.sees)) return new ChangeGap()
    return view?.show(change.departure) ?? change.departure
  }

  readonly #isAmong = (row: Row): boolean =>
    (this.view?.sees(row) ?? true) && (this.matches?.(row) ?? true)
}
