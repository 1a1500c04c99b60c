/** Finds files of rows that no row has: what a process left that ended between the store of files and that of rows. */
import type { StorageDriver } from '../driver.js'
import { containerOf } from './file-keeper.js'
import type { FileLocation } from './file-location.js'
import { references } from './file-references.js'
import { isStoredName, storedName } from './stored-name.js'

/** What `sweepFiles` is asked for. */
export interface SweepOptions {
  /** Milliseconds: younger files may be those of a row that is just being stored. Default: a day. */
  readonly olderThan?: number
}

const day = 24 * 60 * 60 * 1000
/** Rows that are read at a time. */
const batch = 500

/**
 * Removes the files of properties that no row has, and uploads to signed addresses that none took.
 * @returns how many were removed
 */
export async function sweepFiles (
  driver: StorageDriver, places: readonly FileLocation[], { olderThan = day }: SweepOptions = {}
): Promise<{ removed: number }> {
  const containers = new Map<string, FileLocation[]>()
  for (const place of places) containers.set(containerOf(place), [...containers.get(containerOf(place)) ?? [], place])
  let removed = 0
  for (const [container, inIt] of containers) {
    // The files first: one that a row gets from now on is not among them.
    const before = Date.now() - olderThan
    const candidates = (await driver.files(container, {})).filter(({ name, mtime }) =>
      isStoredName(name) && mtime.getTime() <= before)
    if (candidates.length === 0) continue
    const had = await namesInRows(inIt)
    for (const { name } of candidates) {
      if (had.has(name)) continue
      await driver.remove(container, name)
      removed++
    }
  }
  return { removed }
}

async function namesInRows (places: readonly FileLocation[]): Promise<ReadonlySet<string>> {
  const names = new Set<string>()
  for (const { Model, property } of places) {
    const { connector, key } = Model.compiled
    const select = { names: [...key.map(({ name }) => name), property.name], extra: 'none' } as const
    for (let skip = 0; ; skip += batch) {
      const rows = await connector.find(
        Model.compiled, { where: undefined, order: [], limit: batch, skip, select, include: [] }, {}
      )
      for (const row of rows) for (const { id, name } of references(row[property.name])) names.add(storedName(id, name))
      if (rows.length < batch) break
    }
  }
  return names
}
