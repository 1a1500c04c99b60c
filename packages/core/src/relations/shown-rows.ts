import type { OperationOptions } from '../interfaces/operation-options.js'
import { chain, eachInSequence, type MaybePromise } from '../maybe-promise.js'
import type { Row } from '../properties/types.js'
import type { RelationBase } from './base.js'

/** Of the list of a relation's route the rows that the caller may see, where somebody judges them one by one. */
export function shownRows<T extends Row> (
  relation: RelationBase, rows: MaybePromise<T[]>, { includeGuard }: OperationOptions
): MaybePromise<T[]> {
  const shows = includeGuard?.lists?.(relation)
  if (shows === undefined) return rows
  return chain(rows, found => {
    const shown: T[] = []
    const judge = (row: T): MaybePromise<void> =>
      chain(shows(row, relation.Target), yes => { if (yes) shown.push(row) })
    return chain(eachInSequence(found, judge), () => shown)
  })
}
