/** What files of rows are called in the store: nothing that clients see leads there. */
import path from 'node:path'
import { sha256 } from '@fastback/core/connector'

const extension = /^\.[a-z0-9]{1,16}$/
const stored = /^(?:sent-)?[\w-]{43}(?:\.[a-z0-9]{1,16})?$/

/**
 * The name in the store of a file with this id, with the extension of the name that it came with.
 *
 * ```js
 * storedName('0b9e…', 'me.PNG') // 'x7Qn….png'
 * ```
 */
export function storedName (id: string, name: string): string {
  const ending = path.extname(name).toLowerCase()
  const digest = sha256(`file of a row ${id}`)
  return digest + (extension.test(ending) ? ending : '')
}

/** The name of a file that was sent to a signed address, and that no row has yet. */
export const sentName = (id: string, name: string): string => `sent-${storedName(id, name)}`

/** Whether a name in the store is one of these. */
export const isStoredName = (name: string): boolean => stored.test(name)
