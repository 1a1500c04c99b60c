/** What stores are told with a read or a write, beside what it is about. */
import type { DeletedRows } from '../query/ast.js'
import type { Work } from '../query/work.js'
import type { StoreCaller } from './row-policies.js'

/** What an operation hands down to the store. */
export interface StoreOptions {
  /** The transaction to run in, as returned by `beginTransaction` of the same connector. */
  readonly transaction?: unknown
  /**
   * With `findById` in a transaction: nobody else changes the row before the transaction ends (`SELECT … FOR UPDATE`).
   * A store whose transactions that write run one after the other does so without being asked. `'shared'`: others may
   * keep it as it is at the same time (`FOR SHARE`).
   */
  readonly lock?: boolean | 'shared'
  /**
   * With `findById` and `updateById`: a value that the row has beside its id. A store whose rows are keyed by that
   * property looks there. Default: nothing else is known.
   */
  readonly also?: { readonly property: string, readonly value: string }
  /**
   * What the request may still cost; undefined for code in the process. JavaScript that looks at rows counts there
   * (`compileCondition`) and gives the event loop back (`inSlices`), except within a write, which nobody else may come
   * between. What is read for a list of more than `fewRows` is counted as well.
   */
  readonly work?: Work
  /**
   * With `find` of one id, or `findById`: whether the row may be missing, as in an upsert. Stores that take a missing
   * row for an error give none then.
   */
  readonly mayBeMissing?: boolean
  /**
   * With `updateById` and `replaceById` of a model with `version`: the row is written only if it has this version, in
   * the writing statement itself. A row with another version is none.
   */
  readonly ifVersion?: number
  /** With `transaction`: tells of its end. */
  readonly ending?: Ending
  /** Where the store is `replicated`: whether a copy of it may answer this read. */
  readonly mayBeOld?: boolean
  /**
   * Where the store is `worksByTurn`. With a read: whether the response may be as the store was at any time in this
   * tick of the event loop, except for what was written in this process. With a write: whether it may be made at the
   * end of this turn, or before the next operation of this process.
   */
  readonly ofThisTick?: boolean
  /** Where the store is `replicated`: whose operation this is. Reads find what their session wrote. */
  readonly session?: string
  /**
   * Where the store `narrowsCallers`: for whom it works. Undefined: for code of the application, and for what rules
   * themselves look at.
   */
  readonly caller?: StoreCaller
  /**
   * Of a model with `softDelete`: whether rows that are put away count as well, or no others. Said to the layer before
   * the store (`operations/soft-delete-layer.ts`): a delete removes them then, and an update may write when they were
   * put away. Stores look at neither this nor the next one.
   */
  readonly deleted?: DeletedRows
  /** With `deleteAll` of a model with `softDelete`: the delete that the rows are put away by. Default: a new one. */
  readonly deletion?: Deletion
  /** Of a model whose writes are recorded: who writes. Undefined: code of the application. Stores do not look at it. */
  readonly by?: Author
}

/** Who writes a row, and in which request; the user's id as JSON. */
export interface Author {
  readonly userId: string | undefined
  readonly userType: string | undefined
  readonly clientId: string | undefined
  readonly requestId: string | undefined
}

/** A delete that puts rows away. */
export interface Deletion {
  readonly at: Date
  readonly id: string
}

/** How a transaction ends. */
export interface Ending {
  /** Runs `work` once what was written in the transaction holds for everybody. */
  whenCommitted (work: () => void): void
  /** Runs `work` where what was written has been taken back; not where the response to a commit was lost. */
  whenRolledBack (work: () => void): void
}
