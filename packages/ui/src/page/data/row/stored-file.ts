/** Files that are stored with a row. */
import type { Action } from '../../api/description.js'
import type { DataModel } from '../models/models.js'
import type { FileReference } from './draft.js'

/** The operation that sends a file of a row: of several, the one with its id. */
export function fileAction (model: DataModel, property: string, oneOf: FileReference | undefined): Action | undefined {
  const action = model.fileOf(property)
  return action === undefined || oneOf === undefined
    ? action
    : { ...action, path: `${action.path}/${encodeURIComponent(String(oneOf.id))}` }
}

/** The files in a value: references have a name, a size and a type. */
export function filesIn (value: unknown): FileReference[] {
  return [value ?? []].flat().filter((each): each is FileReference => each !== null && typeof each === 'object' && 'name' in each)
}

/**
 * A number of bytes in words.
 *
 * ```js
 * sizeText(2048) // '2 kB'
 * ```
 */
export function sizeText (bytes: number): string {
  if (bytes < 1024) return `${bytes} bytes`
  const [size, unit] = bytes < 1024 ** 2 ? [bytes / 1024, 'kB'] : [bytes / 1024 ** 2, 'MB']
  return `${size < 10 ? Math.round(size * 10) / 10 : Math.round(size)} ${unit}`
}
