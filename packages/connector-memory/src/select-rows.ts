/** Which rows a query gives: condition, order, page. */
import { compileCondition, compileNearOrder, compileOrder, nearOf, type Condition, type Query, type Row, type RowOrder } from '@fastback/core'
import { candidates } from './candidates.js'
import type { Collection } from './collection.js'

/** All rows that match, sorted by id. */
export function matching (collection: Collection, where: Condition | undefined): readonly Row[] {
  return where === undefined ? collection.rows : (candidates(collection, where) ?? collection.rows).filter(compileCondition(where))
}

/** How many rows match. */
export function countMatching (collection: Collection, where: Condition | undefined): number {
  if (where === undefined) return collection.size
  const rows = candidates(collection, where) ?? collection.rows
  const passes = compileCondition(where)
  let count = 0
  for (let i = 0; i < rows.length; i++) if (passes(rows[i] as Row)) count++
  return count
}

/** The rows of one page, in order; the stored objects themselves. */
export function selectRows (collection: Collection, query: Query): readonly Row[] {
  const { where, order, skip } = query
  const end = query.limit === undefined ? Infinity : skip + query.limit
  const near = order.length === 0 ? nearOf(where) : undefined
  if (near !== undefined) return firstInOrder(matching(collection, where), compileNearOrder(near, collection.model), skip, end)
  const direction = idDirection(collection, query)
  if (direction !== 0) return page(collection, where, direction, skip, end)
  return firstInOrder(matching(collection, where), compileOrder(order, collection.model), skip, end)
}

/** 1 for rows in the order of their ids, -1 for the opposite one, 0 for any other order. */
function idDirection ({ model }: Collection, { order }: Query): 1 | -1 | 0 {
  const [first] = order
  if (first === undefined) return 1
  if (model.id === undefined || first.path.property !== model.id.name || first.path.path.length > 0) return 0
  return first.descending ? -1 : 1
}

/** Rows come sorted by id: reading stops when the page is full. */
function page (collection: Collection, where: Condition | undefined, direction: 1 | -1, skip: number, end: number): readonly Row[] {
  const rows = candidates(collection, where) ?? collection.rows
  if (where === undefined && direction === 1) return rows.slice(skip, end)
  const passes = compileCondition(where)
  const found: Row[] = []
  let met = 0
  for (let i = 0; i < rows.length && met < end; i++) {
    const row = rows[direction === 1 ? i : rows.length - 1 - i] as Row
    if (passes(row) && met++ >= skip) found.push(row)
  }
  return found
}

/** Below this share of the rows it is cheaper to keep the best ones than to sort all. */
const smallShare = 8

function firstInOrder (rows: readonly Row[], order: RowOrder, skip: number, end: number): readonly Row[] {
  if (end * smallShare > rows.length) return [...rows].sort(order).slice(skip, end)
  const best: Row[] = []
  for (let i = 0; i < rows.length; i++) {
    const row = rows[i] as Row
    if (best.length === end && order(row, best[end - 1] as Row) >= 0) continue
    best.splice(placeOf(best, row, order), 0, row)
    if (best.length > end) best.pop()
  }
  return best.slice(skip)
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
