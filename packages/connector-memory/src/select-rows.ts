/**
 * Which rows a query gives: condition, order, page. Rows are never changed, only replaced: those at the beginning of a
 * query are its rows to the end.
 */
import type { Condition, MaybePromise, Query, Row, RowOrder, Work } from '@fastback/core'
import {
  chain,
  compileCondition,
  compileNearOrder,
  compileOrder,
  inSlices,
  nearOf,
  ownOrder,
  sortInSlices
} from '@fastback/core/connector'
import { candidates } from './candidates.js'
import type { Collection } from './collection.js'

/** How often the rows are looked through again because others changed some meanwhile; then nobody may come between. */
const attempts = 3

/**
 * Hands all rows that match, sorted by id, to `change`, in whose turn nobody has changed any since they were looked at.
 * @param work what looking at them may cost; in ticks of the event loop where it takes long
 */
export function withMatching<T> (
  collection: Collection,
  where: Condition | undefined,
  work: Work | undefined,
  change: (rows: readonly Row[]) => MaybePromise<T>,
  left = attempts
): MaybePromise<T> {
  if (where === undefined) return change(collection.rows)
  const { version } = collection
  const found: Row[] = []
  return chain(
    eachMatch(
      collection,
      where,
      1,
      row => {
        found.push(row)
      },
      left === 0 ? work?.atOnce : work
    ),
    () => (collection.version === version ? change(found) : withMatching(collection, where, work, change, left - 1))
  )
}

/** How many rows match. */
export function countMatching (
  collection: Collection, where: Condition | undefined, work?: Work
): MaybePromise<number> {
  if (where === undefined) return collection.size
  let count = 0
  return chain(
    eachMatch(
      collection,
      where,
      1,
      () => {
        count++
      },
      work
    ),
    () => count
  )
}

/** The rows of one page, in order; the stored objects themselves. */
export function selectRows (collection: Collection, query: Query, work?: Work): MaybePromise<readonly Row[]> {
  const { where, order, skip } = query
  const end = query.limit === undefined ? Infinity : skip + query.limit
  const near = order.length === 0 ? nearOf(where) : undefined
  const direction = near === undefined ? idDirection(collection, query) : 0
  if (direction !== 0) return page(collection, where, direction, skip, end, work)
  const compare = near === undefined ? compileOrder(order, collection.model) : compileNearOrder(near, collection.model)
  return firstInOrder(collection, where, compare, skip, end, work, near === undefined ? order.length : 10)
}

/** 1 for rows in the order of their ids, -1 for the opposite one, 0 for any other order. */
export function idDirection ({ model }: Collection, { order }: Query): 1 | -1 | 0 {
  const [first] = ownOrder(order)
  if (first === undefined) return 1
  if (!('path' in first) || first.path.path.length > 0) return 0
  if (model.id === undefined || first.path.property !== model.id.name) return 0
  return first.descending ? -1 : 1
}

/** Calls `take` with every row that matches, until it has enough (false). */
function eachMatch (
  collection: Collection,
  where: Condition | undefined,
  direction: 1 | -1,
  take: (row: Row) => unknown,
  work: Work | undefined
): MaybePromise<void> {
  let rows = where === undefined ? collection.rows : (candidates(collection, where) ?? collection.rows)
  const { length } = rows
  const passes = compileCondition(where, work)
  return inSlices(
    length,
    i => {
      const row = rows[direction === 1 ? i : length - 1 - i] as Row
      work?.spend(1)
      return passes(row) ? take(row) : undefined
      // Others may add and remove rows when they have their turn.
    },
    work,
    () => {
      rows = rows.slice()
    }
  )
}

/** Rows come sorted by id: reading stops when the page is full. */
function page (
  collection: Collection,
  where: Condition | undefined,
  direction: 1 | -1,
  skip: number,
  end: number,
  work: Work | undefined
): MaybePromise<readonly Row[]> {
  if (where === undefined && direction === 1) return collection.rows.slice(skip, end)
  const found: Row[] = []
  let met = 0
  return chain(
    eachMatch(
      collection,
      where,
      direction,
      row => {
        if (met++ >= skip) found.push(row)
        return met < end
      },
      work
    ),
    () => found
  )
}

/** Below this share of the rows it is cheaper to keep the best ones than to sort all. */
const smallShare = 8

function firstInOrder (
  collection: Collection,
  where: Condition | undefined,
  order: RowOrder,
  skip: number,
  end: number,
  work: Work | undefined,
  units: number
): MaybePromise<readonly Row[]> {
  const isSmall = end * smallShare <= collection.size
  const best: Row[] = []
  return chain(
    eachMatch(
      collection,
      where,
      1,
      row => {
        if (!isSmall) best.push(row)
        else {
          work?.spend(units)
          if (best.length === end && order(row, best[end - 1] as Row) >= 0) return
          work?.spend(units * Math.ceil(Math.log2(end + 1)))
          best.splice(placeOf(best, row, order), 0, row)
          if (best.length > end) best.pop()
        }
      },
      work
    ),
    () => isSmall
      ? best.slice(skip)
      : chain(sortInSlices(best, order, work, units), sorted => sorted.slice(skip, end))
  )
}

/** Behind all rows that do not come after it. */
function placeOf (sorted: readonly Row[], row: Row, order: RowOrder): number {
  let low = 0
  let high = sorted.length
  while (low < high) {
    const middle = (low + high) >> 1
    if (order(sorted[middle] as Row, row) <= 0) low = middle + 1
    else high = middle
  }
  return low
}
