/** Queries: what the database finds, tested and sorted here where it cannot do so exactly. */
import type { Condition, Query, Row, Selection } from '@fastback/core'
import { charactersOf, fewRows } from '@fastback/core/connector'
import type { FindCursor, Stored, StoredId } from '../driver.js'
import type { Access } from '../access.js'
import { planFilter, planOrder, type FilterPlan, type OrderPlan } from '../query/plan.js'
import { SortedPage, StoredOrderPage } from './page.js'
import { batchSize, eachDocument } from './scan.js'

export async function findRows (access: Access, query: Query): Promise<Row[]> {
  const documents = await findDocuments(access, query)
  return rowsOf(access, documents, query.select)
}

/** Rows of documents; of many, each counts. */
function rowsOf ({ map, work }: Access, documents: readonly Stored[], select: Selection): Row[] {
  if (work === undefined || documents.length <= fewRows) return documents.map(document => map.toRow(document, select))
  work.mustHold(documents.length)
  return documents.map(document => {
    const row = map.toRow(document, select)
    work.read(charactersOf(row))
    return row
  })
}

/** What the database is asked for a query, and what is left to JavaScript. */
interface Begun {
  readonly cursor: FindCursor<Stored>
  readonly passes: FilterPlan['passes']
  readonly order: OrderPlan['order']
  /** Names that tests and order look at. */
  readonly also: readonly string[]
}

/** Asks for nothing yet: a cursor does with its first document. */
export function beginFind ({ map, collection, options, work }: Access, query: Query): Begun {
  const { filter, passes, tested } = planFilter(map, query.where, work)
  const { sort, order, sorted } = planOrder(map, query)
  const also = [...tested, ...sorted]
  const isLocal = passes !== undefined || order !== undefined
  const cursor = collection.find(filter, {
    ...options,
    sort,
    projection: map.projection(query.select, also),
    ...(query.order.length === 0 ? {} : { allowDiskUse: true }),
    ...(isLocal || query.skip === 0 ? {} : { skip: query.skip }),
    ...(isLocal || query.limit === undefined ? {} : { limit: query.limit }),
    ...(isLocal && query.limit !== undefined ? { batchSize } : {})
  })
  return { cursor, passes, order, also }
}

/** Documents of the page asked for, with the fields that were selected and those that tests and order need. */
async function findDocuments (access: Access, query: Query): Promise<Stored[]> {
  const { map, work } = access
  const { cursor, passes, order, also } = beginFind(access, query)
  const isLocal = passes !== undefined || order !== undefined
  if (!isLocal && work === undefined) return await cursor.toArray()
  const page = order === undefined
    ? new StoredOrderPage(isLocal ? query : { skip: 0, limit: undefined }, work)
    : new SortedPage(query, order, work)
  const seen: Selection = { names: also, extra: also.filter(name => map.field(name) === undefined) }
  await eachDocument(cursor, work, document => {
    const row = isLocal ? map.toRow(document, seen) : undefined
    return row !== undefined && passes?.(row) === false ? true : page.add(document, row)
  })
  return await page.documents()
}

export async function countRows (access: Access, where: Condition | undefined): Promise<number> {
  const { collection, options } = access
  const plan = planFilter(access.map, where, access.work)
  if (plan.passes === undefined) return Number(await collection.countDocuments(plan.filter, options))
  let count = 0
  await eachMatching(access, where, () => { count++ })
  return count
}

/** Calls `take` with the id in the database of every row that matches. */
async function eachMatching (
  access: Access,
  where: Condition | undefined,
  take: (id: StoredId) => void
): Promise<void> {
  const { map, collection, options, work } = access
  const { filter, passes, tested } = planFilter(map, where, work)
  const seen: Selection = { names: tested, extra: tested.filter(name => map.field(name) === undefined) }
  const cursor = collection.find(filter, { ...options, projection: map.projection(seen, []) })
  await eachDocument(cursor, work, document => {
    if (passes === undefined || passes(map.toRow(document, seen))) take(document._id)
  })
}

/** Values of `_id` of the rows that match. */
export async function matchingIds (access: Access, where: Condition | undefined): Promise<StoredId[]> {
  const ids: StoredId[] = []
  await eachMatching(access, where, id => { ids.push(id) })
  return ids
}
