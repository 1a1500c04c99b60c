import { Readable } from 'node:stream'
import type { ModelClass } from '../model/model-class.js'
import { compileCondition } from '../query/match.js'
import { parseWhere } from '../query/parse.js'
import { parseOptions } from '../operations/context.js'
import type { OperationOptions } from '../model/model-class.js'
import { changeFeedOf } from './change-feed.js'

export interface ChangeStreamOptions {
  /** Only changes of rows that match. Applied to the row as it is after the change (removals: as it was). */
  where?: unknown
  /** Goes on after this change. When changes since then are no longer known, or were another process's, the stream begins with a `ChangeGap`. */
  after?: number
  /** Changes that a slow reader may be behind; the stream fails when there are more, or when they are kept no longer. Default: 1000. */
  highWaterMark?: number
}

/** Stands in a stream for changes that are lost: the reader has to look at the rows themselves. */
export class ChangeGap {}

/** The reader did not keep up. */
export class ChangeStreamOverflow extends Error {
  readonly code = 'CHANGE_STREAM_OVERFLOW'
  constructor () {
    super('The reader of the change stream fell further behind than changes are kept.')
  }
}

/** Changes that a stream takes from the feed before they are read. */
const ahead = 16

/**
 * A readable stream of `Change` objects (or a `ChangeGap` first). All streams of a model read from its one history: what waits for slow readers is kept once,
 * and bounded. A reader that falls behind further than the history reaches, or than `highWaterMark`, gets the error `ChangeStreamOverflow` instead, and may come
 * back with `after`.
 * @throws RequestError 400 for a condition that cannot be
 */
export function createChangeStream (Model: ModelClass, { where, after, highWaterMark = 1000 }: ChangeStreamOptions = {}, options: OperationOptions = {}): Readable {
  const condition = parseWhere(Model.compiled, where, parseOptions(Model.compiled, options))
  const matches = condition === undefined ? undefined : compileCondition(condition)
  const feed = changeFeedOf(Model.state)
  const isKnown = after !== undefined && feed.reaches(after)
  let isWanted = false
  let seen = 0
  const take = (): void => {
    while (isWanted) {
      const change = feed.after(seen)
      if (change === undefined) return
      seen = change.sequence
      if (matches === undefined || matches(change.data)) isWanted = stream.push(change)
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
  stream.once('close', feed.listen(() => {
    take()
    if (feed.sequence - seen > highWaterMark || !feed.reaches(seen)) stream.destroy(new ChangeStreamOverflow())
  }))
  // After a gap, what is still known: its reader may have use for it.
  seen = isKnown ? after : after !== undefined && after < feed.sequence ? feed.begin : feed.sequence
  if (after !== undefined && !isKnown) stream.push(new ChangeGap())
  return stream
}
