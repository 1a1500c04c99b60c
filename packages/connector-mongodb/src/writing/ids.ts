/** Ids of new documents. */
import type { Id, Row } from '@fastback/core'
import { largestGivenId } from '@fastback/core/connector'
import type { Access } from '../access.js'
import type { Document, Stored } from '../driver.js'

const numberKinds: ReadonlySet<string> = new Set(['number', 'integer', 'long', 'bigint'])

/**
 * The documents of new rows, each with its `_id`: that of the row, the next number where ids are numbers, an ObjectID
 * otherwise. Numbers are never given out twice; those that rows bring are kept in mind.
 */
export async function newDocuments (access: Access, rows: readonly Row[]): Promise<Stored[]> {
  const { map, driver } = access
  const documents = rows.map(row => map.toDocument(row) as Stored)
  const missing = documents.filter(({ _id }) => _id === undefined || _id === null)
  if (map.id === undefined || !numberKinds.has(map.id.property.type.kind)) {
    for (const document of missing) document._id = new driver.ObjectId()
    return documents
  }
  await remember(access, rows.map(row => row[map.id?.property.name as string]))
  if (missing.length > 0) {
    const last = await reserve(access, missing.length)
    for (const [i, document] of missing.entries()) document._id = last - missing.length + 1 + i
  }
  return documents
}

/** Ids for documents that will be: nobody else gets them. */
export async function reservedIds (access: Access, count: number): Promise<Id[]> {
  const { map, driver } = access
  if (map.id === undefined || !numberKinds.has(map.id.property.type.kind)) {
    return Array.from({ length: count }, () => String(new driver.ObjectId()))
  }
  const last = await reserve(access, count)
  return Array.from({ length: count }, (_, i) => last - count + 1 + i)
}

const keyOf = ({ map }: Access): string => `ids:${map.collection}`

/** Outside of transactions: a number that was given out is gone, and nobody waits for another one's end. */
async function reserve (access: Access, count: number): Promise<number> {
  return await upserting(access, { $inc: { last: count } })
}

async function remember (access: Access, ids: readonly unknown[]): Promise<void> {
  const given = ids.filter(
    (id): id is number => Number.isInteger(id) && (id as number) > 0 && (id as number) <= largestGivenId
  )
  if (given.length > 0) await upserting(access, { $max: { last: Math.max(...given) } })
}

/** Of two who make the document at the same time one may be told that it is there. */
async function upserting (access: Access, update: Document, attempts = 3): Promise<number> {
  const { maxTimeMS } = access.options
  const options = { upsert: true, returnDocument: 'after', ...(maxTimeMS === undefined ? {} : { maxTimeMS }) } as const
  try {
    const found = await access.internal.findOneAndUpdate({ _id: keyOf(access) }, update, options)
    return Number(found?.last)
  } catch (error) {
    if (attempts === 0 || (error as { code?: unknown }).code !== 11000) throw error
    return await upserting(access, update, attempts - 1)
  }
}

/** Numbers begin with 1 again. */
export async function resetIds (access: Access): Promise<void> {
  await access.internal.deleteOne({ _id: keyOf(access) })
}
