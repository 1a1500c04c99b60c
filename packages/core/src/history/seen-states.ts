/** Which rows with a history are the caller's to see and to write, and which of the states that these were in. */
import type { Id, StoreOptions } from '../data-source/connector.js'
import { RequestError } from '../errors.js'
import type { CompiledModel } from '../interfaces/compiled-model.js'
import type { OperationOptions } from '../interfaces/operation-options.js'
import { chain, type MaybePromise } from '../maybe-promise.js'
import { visibleCondition } from '../operations/access-condition.js'
import { asInternal, isRemote } from '../operations/origin.js'
import { findRowById } from '../operations/read.js'
import type { Row } from '../properties/types.js'
import { compileCondition } from '../query/match.js'
import { opensWriteOf, type WriteKind } from '../remoting/ways-to-write.js'
import type { HistoryLog, StoredVersion } from './history-log.js'
import { rowOfText } from './row-text.js'

export const noRow = (model: CompiledModel, id: unknown): RequestError =>
  new RequestError(404, `Unknown "${model.name}" id "${String(id)}".`, { code: 'MODEL_NOT_FOUND' })

/** A row that the caller may see, and which of the states that it was in they may see. */
export interface SeenRow {
  /** Undefined: it is gone. */
  readonly current: Row | undefined
  /** As it is, or was when it went. */
  readonly last: Row
  readonly isSeen: StateTest
}

export type StateTest = (row: Row) => MaybePromise<boolean>

/** What the caller does. */
export const reading = { method: 'historyOf', accessType: 'READ' } as const
export const reverting = { method: 'revert', accessType: 'WRITE' } as const

/** @throws RequestError 404 */
export async function mustSee (
  model: CompiledModel, log: HistoryLog, id: Id, options: OperationOptions, store: StoreOptions,
  method: typeof reading | typeof reverting
): Promise<SeenRow> {
  const current = await findRowById(model, id, undefined, { ...asInternal(options), notify: options.notify })
  const isSeen = await seenStates(model, options, method)
  if (current !== undefined) {
    if (!await isSeen(current)) throw noRow(model, id)
    return { current, isSeen, last: current }
  }
  const last = await log.version(String(id), undefined, store)
  // A row that is there, and that the caller does not find, is none of theirs.
  if (last?.operation !== 'delete' || typeof last.before !== 'string') throw noRow(model, id)
  const was = rowOfText(model, last.before)
  if (!await isSeen(was)) throw noRow(model, id)
  return { current: undefined, isSeen, last: was }
}

/**
 * Whose a row is now says nothing of whose it was: it was handed on, it was not public yet, or an id that somebody
 * chose was another row's before.
 */
async function seenStates (
  model: CompiledModel, options: OperationOptions, { method, accessType }: typeof reading | typeof reverting
): Promise<StateTest> {
  if (!isRemote(options)) return () => true
  const condition = await visibleCondition(model, options)
  const fits = condition === undefined ? () => true : compileCondition(condition)
  const { rowGuard } = options
  if (rowGuard === undefined) return fits
  const { Model } = model
  // Related rows are part of the condition.
  const gone = { isGone: true }
  return row => fits(row) && chain(rowGuard.allows(Model, 'findById', 'READ', row, gone), isRead =>
    isRead && rowGuard.allows(Model, method, accessType, row, gone))
}

/**
 * A second way to change a row, to bring it back and to make it asks the first (security.md, S-98).
 * @throws RequestError 403 REVERT_REFUSED
 */
export async function mustMayRevert (
  { Model, name, softDelete }: CompiledModel, current: Row | undefined, last: Row, options: OperationOptions
): Promise<void> {
  const demand = async (kind: WriteKind): Promise<void> => {
    if (await opensWriteOf(Model, kind, last, options)) return
    const what = kind === 'update' ? 'change' : kind === 'create' ? 'make' : 'bring back'
    throw new RequestError(403, `You may not ${what} this row of ${name}, and so revert it.`, { code: 'REVERT_REFUSED' })
  }
  if (current === undefined) await demand(softDelete === undefined ? 'create' : 'restore')
  if (current !== undefined || softDelete !== undefined) await demand('update')
}

/** A version counts by the row that it left; one that left none by the row that it took away. */
export function isShown (
  model: CompiledModel, { before, after }: StoredVersion, isSeen: StateTest
): MaybePromise<boolean> {
  const text = after ?? before
  return typeof text !== 'string' || isSeen(rowOfText(model, text))
}
