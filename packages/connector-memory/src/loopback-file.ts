/**
 * The file of LoopBack's memory connector: `{ "ids": { "Note": 4 }, "models": { "Note": { "1": "{\"id\":1,…}" } } }`.
 */
import type { PropertyType, Row, StoredModel } from '@fastback/core'
import { isRecord } from './is-record.js'
import type { SavedModel } from './saved-model.js'
import { tag } from './tagged.js'

/** @throws Error saying what is wrong */
export function readLoopBack (store: Record<string, unknown>): Map<string, SavedModel> {
  const ids = isRecord(store.ids) ? store.ids : {}
  return new Map(
    Object.entries(store.models as Record<string, unknown>).map(([name, rows]) => [
      name,
      readModel(name, rows, ids[name])
    ])
  )
}

function readModel (name: string, texts: unknown, nextId: unknown): SavedModel {
  if (!isRecord(texts)) throw new Error(`model "${name}" is no object`)
  const rows = Object.values(texts).map(text => {
    const row: unknown = typeof text === 'string' ? JSON.parse(text) : text
    if (!isRecord(row)) throw new Error(`model "${name}" has a row that is no object`)
    return row
  })
  // LoopBack keeps the id to give out next.
  const lastId = typeof nextId === 'number' && Number.isSafeInteger(nextId) ? Math.max(0, nextId - 1) : 0
  return { lastId, written: { lastId, rows: rows.map(tag) }, rows: model => rows.map(row => typed(model, row)) }
}

/** JSON rows by the types of the model: LoopBack wrote dates as text and buffers as lists of bytes. */
function typed (model: StoredModel, row: Row): Row {
  const result: Row = {}
  for (const [name, value] of Object.entries(row)) {
    const property = model.propertyByName.get(name)
    if (name !== '__proto__') result[name] = property === undefined ? value : ofType(property.type, value)
  }
  return result
}

function ofType (type: PropertyType, value: unknown): unknown {
  if (value === null) return null
  switch (type.kind) {
    case 'date':
      return typeof value === 'string' || typeof value === 'number' ? new Date(value) : value
    case 'buffer':
      return isRecord(value) && Array.isArray(value.data) ? Buffer.from(value.data as number[]) : value
    case 'array':
      return Array.isArray(value) && type.items !== undefined
        ? value.map(item => ofType(type.items as PropertyType, item))
        : value
    case 'object':
      return isRecord(value) && type.members !== undefined ? ofMembers(type.members, value) : value
    default:
      return value
  }
}

function ofMembers (members: Readonly<Record<string, PropertyType>>, value: Record<string, unknown>): Row {
  const result: Row = {}
  for (const [name, member] of Object.entries(value)) {
    if (name !== '__proto__') {
      result[name] = Object.hasOwn(members, name) ? ofType(members[name] as PropertyType, member) : member
    }
  }
  return result
}
