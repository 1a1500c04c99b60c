/**
 * The text of the file:
 * `{ "format": "fastback-memory", "version": 1, "models": { "Note": { "lastId": 3, "rows": [{ "id": 1, … }] } } }`.
 * Values that JSON does not have are tagged (`tagged.ts`). LoopBack's own file (`{ ids, models }`, each row a text of
 * JSON) is read as well.
 */
import type { Row } from '@fastback/core'
import type { Collection } from './collection.js'
import { isRecord } from './is-record.js'
import { readLoopBack } from './loopback-file.js'
import { tag, untag } from './tagged.js'
import type { SavedModel } from './saved-model.js'

const format = 'fastback-memory'
const version = 1

export function stringifyStore (
  collections: ReadonlyMap<string, Collection>,
  waiting: ReadonlyMap<string, SavedModel>
): string {
  const models: Record<string, unknown> = {}
  for (const [name, model] of waiting) models[name] = model.written
  for (const [name, { lastId, rows }] of collections) models[name] = { lastId, rows: rows.map(tag) }
  return JSON.stringify({ format, version, models })
}

/** @throws Error saying what is wrong with the text */
export function parseStore (text: string): Map<string, SavedModel> {
  const store: unknown = JSON.parse(text)
  if (!isRecord(store) || !isRecord(store.models)) throw new Error('it has no "models"')
  if (store.format === undefined) return readLoopBack(store)
  if (store.format !== format || store.version !== version) {
    throw new Error(
      `its format is ${JSON.stringify(store.format)} ${JSON.stringify(store.version)}, not "${format}" ${version}`
    )
  }
  return new Map(Object.entries(store.models).map(([name, model]) => [name, readModel(name, model)]))
}

function readModel (name: string, written: unknown): SavedModel {
  if (!isRecord(written) || !Array.isArray(written.rows) || !Number.isSafeInteger(written.lastId)) {
    throw new Error(`model "${name}" has no "rows" and "lastId"`)
  }
  const { rows } = written
  if (!rows.every(isRecord)) throw new Error(`model "${name}" has a row that is no object`)
  return { lastId: written.lastId as number, written, rows: () => rows.map(row => untag(row) as Row) }
}
