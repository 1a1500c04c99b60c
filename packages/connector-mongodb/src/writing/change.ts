/** Changes of documents. */
import type { Condition, Id, Row } from '@fastback/core'
import type { Access } from '../access.js'
import type { Field } from '../documents/document-map.js'
import type { Document } from '../driver.js'
import { planFilter } from '../query/plan.js'
import { countRows, matchingIds } from '../reading/find.js'
import { changeUnique, touchesUnique } from './change-unique.js'

/** What a row changes, as an update; undefined when that is nothing. Never the id; the database counts writes. */
export function updateOf ({ map }: Access, given: Row): Document | undefined {
  const { version } = map
  const changes = version === undefined ? given : without(given, version.property.name)
  const set = map.toDocument(changes)
  delete set._id
  const unset: Document = {}
  for (const key of Object.keys(changes)) if (changes[key] === undefined) unset[map.fieldName(key)] = ''
  const update = {
    ...(Object.keys(set).length === 0 ? {} : { $set: set }),
    ...(Object.keys(unset).length === 0 ? {} : { $unset: unset }),
    ...(version === undefined ? {} : { $inc: { [version.name]: 1 } })
  }
  return Object.keys(update).length === 0 ? undefined : update
}

function without (row: Readonly<Row>, name: string): Row {
  const { [name]: _, ...rest } = row
  return rest
}

/** The document with an id, and with a version where one is wanted; one that was never counted has 0. */
function filterOf ({ map }: Access, id: Id, wanted: number | undefined): Document {
  const _id = map.encodeId(id)
  if (map.version === undefined || wanted === undefined) return { _id }
  return { _id, [map.version.name]: wanted === 0 ? { $in: [0, null] } : wanted }
}

export async function updateRow (
  access: Access, id: Id, changes: Row, ifVersion?: number
): Promise<Row | undefined> {
  const { map, collection, options } = access
  const update = updateOf(access, changes)
  const filter = filterOf(access, id, ifVersion)
  const changed = update === undefined
    ? await collection.findOne(filter, options)
    : await collection.findOneAndUpdate(filter, update, { ...options, returnDocument: 'after' })
  return changed === null ? undefined : map.wholeRow(changed)
}

export async function replaceRow (access: Access, id: Id, row: Row, ifVersion?: number): Promise<Row | undefined> {
  const { map, collection, options } = access
  if (map.version !== undefined) return await replaceCounted(access, map.version, id, row, ifVersion)
  const _id = map.encodeId(id)
  const document: Document = map.toDocument(row)
  delete document._id
  const replaced = await collection.findOneAndReplace({ _id }, document, { ...options, returnDocument: 'after' })
  return replaced === null ? undefined : map.wholeRow(replaced)
}

/** A replacement counts from what it replaces, and is written only while that is there. */
async function replaceCounted (
  access: Access, { name, property }: Field, id: Id, row: Row, ifVersion: number | undefined
): Promise<Row | undefined> {
  const { map, collection, options } = access
  const document: Document = map.toDocument(row)
  delete document._id
  for (;;) {
    const found = await collection.findOne(filterOf(access, id, ifVersion), options)
    if (found === null) return undefined
    const seen = Number(map.wholeRow(found)[property.name] ?? 0)
    document[name] = seen + 1
    const replaced = await collection.findOneAndReplace(
      filterOf(access, id, seen), document, { ...options, returnDocument: 'after' }
    )
    if (replaced !== null) return map.wholeRow(replaced)
  }
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
