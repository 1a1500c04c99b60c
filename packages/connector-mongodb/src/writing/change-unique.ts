/**
 * Changes of values that unique indexes hold. A refusal must leave nothing changed: a transaction sees to that, and
 * where there is none the earlier values are put back.
 */
import type { Condition, Row } from '@fastback/core'
import type { Access } from '../access.js'
import type { Document, Stored } from '../driver.js'
import { planFilter } from '../query/plan.js'
import { matchingIds } from '../reading/find.js'
import { eachDocument } from '../reading/scan.js'

export const touchesUnique = ({ map: { model } }: Access, changes: Row): boolean =>
  model.indexes.some(({ unique, columns }) =>
    unique && columns.some(({ property }) => Object.hasOwn(changes, property)))

export async function changeUnique (
  access: Access,
  where: Condition | undefined,
  update: Document,
  isAtomic: boolean
): Promise<number> {
  const { map, collection, options, work } = access
  const { filter, passes } = planFilter(map, where, work)
  if (isAtomic && passes === undefined) return (await collection.updateMany(filter, update, options)).matchedCount
  const ids = await matchingIds(access, where)
  const matching = { _id: { $in: ids } }
  if (isAtomic) return (await collection.updateMany(matching, update, options)).matchedCount
  const before = await valuesBefore(access, matching, update)
  try {
    return (await collection.updateMany(matching, update, options)).matchedCount
  } catch (error) {
    if (before.length > 0) await collection.bulkWrite(before.map(earlier => putBack(earlier, update)), options)
    throw error
  }
}

const changedFields = ({ $set = {}, $unset = {} }: Document): string[] => [
  ...Object.keys($set as object),
  ...Object.keys($unset as object)
]

async function valuesBefore ({ collection, options }: Access, filter: Document, update: Document): Promise<Stored[]> {
  const projection = Object.fromEntries(changedFields(update).map(name => [name, 1]))
  const found: Stored[] = []
  await eachDocument(collection.find(filter, { ...options, projection }), undefined, document => {
    found.push(document)
  })
  return found
}

function putBack (earlier: Stored, update: Document) {
  const { _id, ...$set } = earlier
  const missing = changedFields(update).filter(name => !Object.hasOwn($set, name))
  return {
    updateOne: {
      filter: { _id },
      update: {
        ...(Object.keys($set).length === 0 ? {} : { $set }),
        ...(missing.length === 0 ? {} : { $unset: Object.fromEntries(missing.map(name => [name, ''])) })
      }
    }
  }
}
