import { Readable } from 'node:stream'
import type { ModelClass } from '../interfaces/model-class.js'
import { queryTooExpensive } from '../errors.js'
import { compileCondition, type RowTest } from '../query/match.js'
import { parseWhere } from '../query/parse.js'
import { Work } from '../query/work.js'
import { parseOptions } from '../operations/context.js'
import { isRemote } from '../operations/origin.js'
import type { OperationOptions } from '../interfaces/operation-options.js'
import { changeFeedOf } from './change-feed.js'
import { ChangeGap, type Change } from './change.js'
import type { ChangeStreamOptions } from './options.js'

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
  options: OperationOptions = {}
): Readable {
  const condition = parseWhere(Model.compiled, where, parseOptions(Model.compiled, options))
  const budget = condition !== undefined && isRemote(options) ? new ChangeBudget() : undefined
  const matches = condition === undefined ? undefined : compileCondition(condition, budget)
  const feed = changeFeedOf(Model.state)
  const isKnown = after !== undefined && feed.reaches(after)
  let isWanted = false
  let seen = 0
  const take = (): void => {
    while (isWanted && budget?.isResting !== true && !stream.destroyed) {
      const change = feed.after(seen)
      if (change === undefined) return
      seen++
      const told = matches === undefined || change instanceof ChangeGap ? change : seenBy(matches, change)
      if (told !== undefined) isWanted = stream.push(told)
      budget?.rest(take)
    }
  }
  const seenBy = (matches: RowTest, change: Change): Change | undefined => {
    budget?.renew()
    try {
      if (matches(change.data)) return change
      // Where the write did not know the row as it was, a reader that never had it is told that it is not there.
      const leaves = change.type === 'update' && (change.before === undefined || matches(change.before))
      return leaves ? change.departure : undefined
    } catch (error) {
      stream.destroy(error as Error)
      return undefined
    }
  }
  const stream = new Readable({
    objectMode: true,
    highWaterMark: ahead,
    read () {
      isWanted = true
      take()
    }
  })
  stream.once(
    'close',
    feed.listen(() => {
      take()
      if (feed.sequence - seen > highWaterMark || !feed.reaches(seen)) stream.destroy(new ChangeStreamOverflow())
    }, matches !== undefined)
  )
  // After a gap, what is still known: its reader may have use for it.
  seen = isKnown ? after : after !== undefined && after < feed.sequence ? feed.begin : feed.sequence
  if (after !== undefined && !isKnown) stream.push(new ChangeGap())
  return stream
}
