/** New documents. */
import type { Query, Row } from '@fastback/core'
import type { Access } from '../access.js'
import { findRows } from '../reading/find.js'
import { newDocuments } from './ids.js'

export async function createRow (access: Access, row: Row): Promise<Row> {
  const [document] = await newDocuments(access, [row])
  await access.collection.insertOne(document as NonNullable<typeof document>, access.options)
  return access.map.wholeRow(document as NonNullable<typeof document>)
}

/**
 * All of them or none: in a transaction, and where there is none by taking back those that were stored when another one
 * is refused.
 */
export async function createRows (access: Access, rows: readonly Row[]): Promise<Row[]> {
  if (rows.length === 0) return []
  const documents = await newDocuments(access, rows)
  await access.atomically(async ({ collection, options }, isAtomic) => {
    try {
      await collection.insertMany(documents, { ...options, ordered: true })
    } catch (error) {
      const stored = isAtomic ? 0 : Number((error as { insertedCount?: number }).insertedCount ?? 0)
      const ids = documents.slice(0, stored).map(({ _id }) => _id)
      if (stored > 0) await collection.deleteMany({ _id: { $in: ids } }, options)
      throw error
    }
  })
  return documents.map(document => access.map.wholeRow(document))
}

/**
 * Looks, and creates. In a transaction all who do so for one model change one document first, so that the database lets
 * one of them after the other; where there is none the caller lets them go one after the other, in this process.
 */
export async function findOrCreateRow (
  access: Access,
  query: Query,
  row: Row
): Promise<{ row: Row, created: boolean }> {
  return await access.atomically(async (within, isAtomic) => {
    if (isAtomic) {
      const lock = { _id: `lock:${within.map.collection}` }
      await within.internal.updateOne(lock, { $inc: { turns: 1 } }, { ...within.options, upsert: true })
    }
    const [found] = await findRows(within, { ...query, limit: 1 })
    return found === undefined
      ? { row: await createRow(within, row), created: true }
      : { row: found, created: false }
  })
}
