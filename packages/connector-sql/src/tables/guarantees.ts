/**
 * What holds of a row that was written, by what the database does to it: whether a write has to read the row again, and
 * whether the statement that writes can do so.
 */
import type { Dialect } from '../dialects/dialect.js'
import type { ActualTable } from '../migration/design.js'
import type { Column } from './column.js'

export interface Guarantees {
  /** Whether the database works values out of others. */
  readonly computes: boolean
  /** Whether an INSERT stores every row that it is given: no trigger may leave one out, here or behind a view. */
  readonly storesEvery: boolean
  /** Whether the id comes back as it was written, and the database neither works anything out nor changes it. */
  readonly isPlain: boolean
  /** Whether whole rows come back as they were written. */
  readonly keepsRows: boolean
  /** Whether new rows are read as they were handed in, whatever they lack. */
  readonly takesAsGiven: boolean
  /** Whether an UPDATE gives the row as it is stored. */
  readonly returnsUpdated: boolean
  /** Whether an INSERT does. */
  readonly returnsInserted: boolean
}

/** What the guarantees of a table depend on. */
interface Stored {
  readonly dialect: Dialect
  readonly columns: readonly Column[]
  readonly id: Column | undefined
  /** The columns that writes set. */
  readonly written: readonly Column[]
  readonly hasExtra: boolean
}

export function guaranteesOf ({ triggers, isView }: ActualTable, stored: Stored): Guarantees {
  const { dialect, columns, id, written, hasExtra } = stored
  const computes = columns.some(({ computed }) => computed)
  const isPlain = !computes && id?.keeps !== false && triggers === undefined
  const keepsRows = isPlain && written.every(({ keeps }) => keeps)
  return {
    computes,
    storesEvery: triggers === undefined && !isView,
    isPlain,
    keepsRows,
    takesAsGiven: keepsRows && hasExtra && written.every(({ gives }) => gives === undefined),
    returnsUpdated: dialect.returning && triggers !== 'unseen',
    returnsInserted: dialect.tellsInserted() && triggers !== 'unseen'
  }
}
