/** Changes of documents. */
import type { Condition, Id, Row } from '@fastback/core'
import type { Access } from '../access.js'
import type { Document } from '../driver.js'
import { planFilter } from '../query/plan.js'
import { countRows, matchingIds } from '../reading/find.js'
import { changeUnique, touchesUnique } from './change-unique.js'

/** `$set` and `$unset` of what a row changes; undefined when that is nothing. Never the id. */
export function updateOf ({ map }: Access, changes: Row): Document | undefined {
  const set = map.toDocument(changes)
  delete set._id
  const unset: Document = {}
  for (const key of Object.keys(changes)) if (changes[key] === undefined) unset[map.fieldName(key)] = ''
  const update = {
    ...(Object.keys(set).length === 0 ? {} : { $set: set }),
    ...(Object.keys(unset).length === 0 ? {} : { $unset: unset })
  }
  return Object.keys(update).length === 0 ? undefined : update
}

export async function updateRow (access: Access, id: Id, changes: Row): Promise<Row | undefined> {
  const { map, collection, options } = access
  const update = updateOf(access, changes)
  const filter = { _id: map.encodeId(id) }
  const changed = update === undefined
    ? await collection.findOne(filter, options)
    : await collection.findOneAndUpdate(filter, update, { ...options, returnDocument: 'after' })
  return changed === null ? undefined : map.wholeRow(changed)
}

export async function replaceRow (access: Access, id: Id, row: Row): Promise<Row | undefined> {
  const { map, collection, options } = access
  const _id = map.encodeId(id)
  const document: Document = map.toDocument(row)
  delete document._id
  const replaced = await collection.findOneAndReplace({ _id }, document, { ...options, returnDocument: 'after' })
  return replaced === null ? undefined : map.wholeRow(replaced)
}

export async function updateRows (access: Access, where: Condition | undefined, changes: Row): Promise<number> {
  const update = updateOf(access, changes)
  if (update === undefined) return await countRows(access, where)
  if (touchesUnique(access, changes)) {
    return await access.atomically((within, isAtomic) => changeUnique(within, where, update, isAtomic))
  }
  return await eachPart(access, where, async (within, filter) =>
    (await within.collection.updateMany(filter, update, within.options)).matchedCount)
}

export async function deleteRows (access: Access, where: Condition | undefined): Promise<number> {
  return await eachPart(access, where, async (within, filter) =>
    (await within.collection.deleteMany(filter, within.options)).deletedCount)
}

/** Ids in one command. */
const mostIds = 10_000

/**
 * Calls `work` with filters of the documents that match: one, where the database knows which these are, else their ids,
 * beside what the database knows.
 */
async function eachPart (
  access: Access,
  where: Condition | undefined,
  work: (access: Access, filter: Document) => Promise<number>
): Promise<number> {
  const { filter, passes } = planFilter(access.map, where, access.work)
  if (passes === undefined) return await work(access, filter)
  return await access.atomically(async within => {
    const ids = await matchingIds(within, where)
    let count = 0
    for (let i = 0; i < ids.length; i += mostIds) {
      count += await work(within, { $and: [{ _id: { $in: ids.slice(i, i + mostIds) } }, filter] })
    }
    return count
  })
}
