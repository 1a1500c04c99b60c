import { Readable } from 'node:stream'
import type { ModelClass } from '../model/model-class.js'
import { compileCondition } from '../query/match.js'
import { parseWhere } from '../query/parse.js'
import { parseOptions } from '../operations/context.js'
import type { OperationOptions } from '../model/model-class.js'
import type { Row } from '../properties/types.js'
import { changeFeedOf, type Change } from './change-feed.js'

export interface ChangeStreamOptions {
  /** Only changes of rows that match. Applied to the row as it is after the change (removals: as it was). */
  where?: unknown
  /** Goes on after this change. When changes since then are no longer known, or were another process's, the stream begins with a `ChangeGap`. */
  after?: number
  /** Changes that may wait for a slow reader; the stream fails when there are more. Default: 1000. */
  highWaterMark?: number
}

/** Stands in a stream for changes that are lost: the reader has to look at the rows themselves. */
export class ChangeGap {}

/** The reader did not keep up. */
export class ChangeStreamOverflow extends Error {
  readonly code = 'CHANGE_STREAM_OVERFLOW'
  constructor (limit: number) {
    super(`The reader of the change stream fell more than ${limit} changes behind.`)
  }
}

/**
 * A readable stream of `Change` objects (or a `ChangeGap` first). A reader that stops reading never makes the buffer grow beyond `highWaterMark`: the stream is destroyed with
 * `ChangeStreamOverflow` instead, and the reader may come back with `after`.
 * @throws RequestError 400 for a condition that cannot be
 */
export function createChangeStream (Model: ModelClass, { where, after, highWaterMark = 1000 }: ChangeStreamOptions = {}, options: OperationOptions = {}): Readable {
  const condition = parseWhere(Model.compiled, where, parseOptions(Model.compiled, options))
  const matches = condition === undefined ? undefined : compileCondition(condition)
  const stream = new Readable({ objectMode: true, highWaterMark, read () {} })
  const feed = changeFeedOf(Model.state)
  if (after !== undefined && !feed.reaches(after)) stream.push(new ChangeGap())
  const stop = feed.listen((change: Change) => {
    if (matches !== undefined && !matches(change.data as Row)) return
    if (stream.readableLength >= highWaterMark) stream.destroy(new ChangeStreamOverflow(highWaterMark))
    else stream.push(change)
  }, after)
  stream.once('close', stop)
  return stream
}
