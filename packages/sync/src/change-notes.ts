/**
 * What the protocol of today notes of a change, which LoopBack's has no place for: when it was, who may see the row,
 * and which properties were written. It stands in columns of the change that never travel.
 */
import type { Row } from '@fastback/core'
import type { Trail } from './trail.js'

export interface ChangeNote {
  readonly at?: Date | null
  /** The columns that say who may see the row. */
  readonly kept?: Row | null
  readonly trail?: Trail | null
}

/** Properties of a change; applications may have added some that are called `at` or `kept`. */
export const noteProperties = { _at: 'date', _kept: 'object', _trail: 'object' } as const

/** The note of a change that was read with its hidden properties. */
export const noteOf = ({ _at, _kept, _trail }: Readonly<Row>): ChangeNote =>
  ({ at: _at as Date, kept: _kept as Row, trail: _trail as unknown as Trail })

/** A note as it is stored. What it does not say stays as it is. */
export const notedAs = ({ at, kept, trail }: ChangeNote): Row => ({
  ...(at === undefined ? {} : { _at: at }),
  ...(kept === undefined ? {} : { _kept: kept }),
  ...(trail === undefined ? {} : { _trail: trail as unknown as Row })
})
