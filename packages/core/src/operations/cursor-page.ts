/**
 * The page behind a row, or in front of it: reading begins where the row is in the order, so nothing that others write
 * before it moves the page, and pages far behind cost what the first one does.
 */
import type { CompiledModel } from '../interfaces/compiled-model.js'
import { PAGE_ENDS, type OperationOptions, type PageEnds } from '../interfaces/operation-options.js'
import { chain, type MaybePromise } from '../maybe-promise.js'
import type { Row } from '../properties/types.js'
import type { PageCursor, PropertyOrder, Query } from '../query/ast.js'
import { compareValues } from '../query/compare.js'
import { readValues, writeValues } from '../query/cursor-values.js'
import {
  keysetOf, rangesBehind, rangesBehindAlone, reversed, withKeyset, type Keyset, type KeyRange
} from '../query/keyset.js'
import { bothConditions } from '../query/merge.js'
import { invalidCursor } from '../query/parse-cursor.js'
import { nameOf } from '../query/write-filter.js'
import { WORK } from '../query/work.js'
import type { Operation } from './context.js'
import { cursorsOf, listText } from './cursors.js'
import { withoutJoinKeys } from './join-keys.js'

/** A query whose page a cursor bounds. */
export type CursorQuery = Query & { readonly cursor: PageCursor }

/** Whether a cursor bounds the page of a query. */
export const hasCursor = (query: Query): query is CursorQuery => query.cursor !== undefined

/**
 * Reads the page, and tells its cursors to who asked for them (`PAGE_ENDS`).
 * @param read reads rows of a query without a cursor, as the store has them
 * @throws RequestError 400 INVALID_CURSOR for a cursor that is not of this list, or a list that has none
 */
export function cursorPage (
  operation: Operation, asked: CursorQuery, read: (query: Query) => MaybePromise<Row[]>
): MaybePromise<Row[]> {
  const { model, options } = operation
  const { cursor, ...query } = asked
  const keyset = keysetFor(model, query)
  const order = [...keyset.terms, ...keyset.key]
  const cursors = cursorsOf(model.Model.registry)
  const list = listText([model.name, cursor.written, order.map(written), callerOf(options)])
  const from = cursor.text === '' ? undefined : cursors.open(cursor.text, list) as Sealed
  const row = from === undefined ? undefined : readValues(order, from[0])
  const isBack = cursor.side === 'before'
  const toRead = isBack ? reversed(keyset) : keyset
  const limit = pageSize(query, options)
  const reading = withKeyset(model, query, keyset)
  const ranges = from === undefined || row === undefined
    ? [{ where: undefined, order: [...toRead.terms, ...toRead.key] }]
    : (from[1] ? rangesBehindAlone(toRead, row) : undefined) ?? rangesBehind(toRead, row)
  return chain(readRanges(reading, ranges, limit + 1, read), found => {
    const hasMore = found.length > limit
    const rows = found.slice(0, limit)
    if (isBack) rows.reverse()
    const ends = options[PAGE_ENDS]
    if (ends !== undefined) {
      const cursorAt = (row: Row, beside: Row | undefined): string =>
        cursors.seal([writeValues(order, row), isAlone(keyset, row, beside)] satisfies Sealed, list)
      const [next, prev] = isBack ? [from !== undefined, hasMore] : [hasMore, from !== undefined]
      tell(ends, rows, { next, prev }, cursorAt)
    }
    return withoutJoinKeys(rows, query, reading)
  })
}

/**
 * The values of a row in a cursor, and whether the row beside it on its page had another one in the first place of the
 * order: then there are no others of its value in front of it that would be looked at in vain. Rows that are written
 * later may be; they cost time and nothing else.
 */
type Sealed = [values: unknown[], isAlone: boolean]

function isAlone ({ terms: [term] }: Keyset, row: Row, beside: Row | undefined): boolean {
  if (term === undefined || beside === undefined) return false
  const { property } = term.path
  return compareValues(row[property] ?? null, beside[property] ?? null) !== 0
}

/** The rows of one range after the other, as many as there should be. */
function readRanges (
  query: Query, [range, ...others]: readonly KeyRange[], most: number, read: (query: Query) => MaybePromise<Row[]>
): MaybePromise<Row[]> {
  if (range === undefined) return []
  const where = bothConditions(query.where, range.where)
  return chain(read({ ...query, where, order: range.order, limit: most }), rows =>
    rows.length >= most || others.length === 0
      ? rows
      : chain(readRanges(query, others, most - rows.length, read), more => [...rows, ...more]))
}

function tell (
  ends: PageEnds, rows: readonly Row[], { next, prev }: { readonly next: boolean, readonly prev: boolean },
  cursorAt: (row: Row, beside: Row | undefined) => string
): void {
  const [first] = rows
  const last = rows.at(-1)
  ends.next = next && last !== undefined ? cursorAt(last, rows.at(-2)) : undefined
  ends.prev = prev && first !== undefined ? cursorAt(first, rows[1]) : undefined
}

/** One row more is read than the page has, and a response may not have more than so many. */
function pageSize ({ limit = 100 }: Query, { [WORK]: work }: OperationOptions): number {
  return Math.min(limit, Math.max(1, (work?.rows ?? Infinity) - 1))
}

const written = ({ path, descending }: PropertyOrder): unknown => [nameOf(path), descending]

/** Whose cursors they are: those of a user, or of a program; rules are applied to each page anew. */
function callerOf ({ accessToken }: OperationOptions): unknown {
  if (accessToken === null || typeof accessToken !== 'object') return null
  const { userId, principalType, appId } = accessToken as { userId?: unknown, principalType?: unknown, appId?: unknown }
  return [userId, principalType, appId].map(each => each === undefined || each === null ? null : String(each))
}

/** @throws RequestError 400 INVALID_CURSOR that says why there is none */
function keysetFor (model: CompiledModel, query: Query): Keyset {
  if (query.skip > 0) throw invalidCursor('A cursor says where its page begins', 'Leave "skip" and "offset" out')
  const keyset = keysetOf(model, query)
  if (keyset !== undefined) return keyset
  const related = query.order.find(term => 'related' in term)
  if (related !== undefined) {
    throw invalidCursor(
      'A list that related rows put in order has no cursors', 'Order by properties of the rows, or use "skip"'
    )
  }
  const names = query.order.flatMap(term => 'path' in term ? [`"${nameOf(term.path)}"`] : []).join(', ')
  throw invalidCursor(
    names === ''
      ? `Rows of "${model.name}" have no order of ids that a page could follow: there are no cursors`
      : `Rows of "${model.name}" in the order of ${names} have no cursors`,
    'Order by declared texts, numbers, dates or booleans, or use "skip"'
  )
}
