/** Collections and indexes of models. */
import { errors } from '@fastback/core'
import { isDeepStrictEqual } from 'node:util'
import type { Access } from '../access.js'
import type { Document } from '../driver.js'
import { resetIds } from '../writing/ids.js'
import { designIndexes, type IndexDesign } from './index-design.js'

/** Numbers of errors that say that a collection, or its database, is not there. */
const missing: ReadonlySet<unknown> = new Set([26])

async function currentIndexes ({ collection }: Access): Promise<Document[]> {
  try {
    return await collection.listIndexes().toArray()
  } catch (error) {
    if (missing.has((error as { code?: unknown }).code)) return []
    throw error
  }
}

/** Makes the indexes that are not there, and those anew that are there in another form. Drops no other. */
export async function updateCollection (access: Access, dataSource: string): Promise<void> {
  const current = await currentIndexes(access)
  for (const design of designIndexes(access.map)) {
    const same = current.find(({ name }) => name === design.name)
    if (same !== undefined && isSame(same, design)) continue
    if (current.some(index => isSame(index, design))) continue
    if (same !== undefined) await access.collection.dropIndex(design.name)
    await createIndex(access, design, dataSource)
  }
}

async function createIndex (
  { collection, map }: Access,
  { name, key, options }: IndexDesign,
  dataSource: string
): Promise<void> {
  try {
    await collection.createIndex(key as Record<string, 1>, { ...options, name })
  } catch (error) {
    const { code } = error as { code?: unknown }
    if (code !== 11000 && code !== 85 && code !== 86 && code !== 67) throw error
    const why = code === 11000
      ? `stored rows have the same values in the unique index "${name}"`
      : `the index "${name}" cannot be made beside those that are there (MongoDB error ${String(code)})`
    throw new errors.MigrationError(dataSource, map.model.name, why)
  }
}

/** Drops the collection, and makes it with its indexes. Counted ids begin anew. */
export async function resetCollection (access: Access, dataSource: string): Promise<void> {
  try {
    await access.collection.drop()
  } catch (error) {
    if (!missing.has((error as { code?: unknown }).code)) throw error
  }
  await resetIds(access)
  await updateCollection(access, dataSource)
}

export async function isCollectionActual (access: Access): Promise<boolean> {
  const current = await currentIndexes(access)
  return designIndexes(access.map).every(design => current.some(index => isSame(index, design)))
}

/** Whether an index does what is asked; its name does not matter. */
function isSame (index: Document, { key, options }: IndexDesign): boolean {
  const isText = Object.values(key).includes('text')
  return (
    (isText
      ? index.textIndexVersion !== undefined
      : isDeepStrictEqual(Object.entries(index.key as object), Object.entries(key))) &&
    (index.unique === true) === (options.unique === true) &&
    (index.sparse === true) === (options.sparse === true) &&
    index.expireAfterSeconds === options.expireAfterSeconds &&
    isDeepStrictEqual(index.partialFilterExpression, options.partialFilterExpression)
  )
}
