/**
 * What the protocol of today notes of a change, which LoopBack's has no place for: when it was, who may see the row,
 * and which properties were written. It stands in internal properties of the change.
 */
import type { Connector, MaybePromise, Row, StoredModel } from '@fastback/core'
import { chain } from '@fastback/core/connector'
import { withFunctions } from '@fastback/core/remote'
import type { ChangeRow } from './change.js'
import type { Trail } from './trail.js'

export interface ChangeNote {
  readonly at?: Date | null
  /** The columns that say who may see the row. */
  readonly kept?: Row | null
  readonly trail?: Trail | null
}

/**
 * Properties of a change; applications may have added some that are called `at` or `kept`. The time is text, as pulls
 * say it: a database would have to look at each date whether it stands there as JSON has it.
 */
export const noteProperties = { _at: 'string', _kept: 'object', _trail: 'object' } as const

/** Puts a note into a change that is to be stored. What it does not say stays as it is. */
export function addNote (change: Row, { at, kept, trail }: ChangeNote): Row {
  if (at !== undefined) change._at = at === null ? null : at.toISOString()
  if (kept !== undefined) change._kept = kept
  if (trail !== undefined) change._trail = trail as unknown as Row
  return change
}

/** When a change was, of its text. */
export const timeOf = (text: unknown): Date | null => typeof text === 'string' ? new Date(text) : null

/** A change and what is noted of it; neither of a row that has no change yet. */
export interface NotedChange {
  readonly change: ChangeRow | undefined
  readonly note: ChangeNote | undefined
}

/** Tells the two apart in a change as it is stored. */
export function withNote (stored: Readonly<Row> | undefined): NotedChange {
  if (stored === undefined) return { change: undefined, note: undefined }
  const { _at, _kept, _trail, ...change } = stored
  return {
    change: change as unknown as ChangeRow,
    note: { at: timeOf(_at), kept: _kept as Row, trail: _trail as unknown as Trail }
  }
}

/** The store of changes for code of applications: what it writes leaves notes as they are, and it is given none. */
export function leavingNotes (connector: Connector): Connector {
  const shown = (found: MaybePromise<Row | undefined>): MaybePromise<Row | undefined> =>
    chain(found, row => withNote(row).change as Row | undefined)
  return withFunctions(connector, {
    updateById: (model, id, changes, options) => shown(connector.updateById(model, id, changes, options)),
    replaceById: (model, id, row, options) =>
      shown(connector.updateById(model, id, { ...emptied(model), ...row }, options))
  })
}

/** All that a row which replaces another one takes away. */
function emptied ({ properties }: StoredModel): Row {
  const others = properties.filter(({ idPosition, internal }) => idPosition === 0 && !internal)
  return Object.fromEntries(others.map(({ name }) => [name, undefined]))
}
