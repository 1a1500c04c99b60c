/** Whether ES modules of a folder may import packages of certain names: seen before any of them is loaded. */
import { existsSync, readFileSync, readdirSync, statSync, type Dirent } from 'node:fs'
import path from 'node:path'

/** Of a folder with more files and folders than this (uploads, say) all is taken to be possible. */
const most = 2_000

const code = /\.m?[jt]s$/

/**
 * Whether a file of the folder has one of the names in quotes, or one is installed where its packages would find it, or
 * there are too many files to look.
 *
 * ```js
 * mayImport('my-app', ['loopback', 'loopback-boot'])
 * ```
 */
export function mayImport (root: string, names: readonly string[]): boolean {
  if (isInstalled(root, names)) return true
  const quoted = new RegExp(`['"\`](?:${names.join('|')})['"\`]`)
  let seen = 0
  for (const { file, isCode } of filesBelow(root)) {
    seen++
    if (seen > most || (isCode && quoted.test(textOf(file)))) return true
  }
  return false
}

function isInstalled (folder: string, names: readonly string[]): boolean {
  const packages = path.join(folder, 'node_modules')
  if (existsSync(packages) && names.some(name => existsSync(path.join(packages, name)))) return true
  const above = path.dirname(folder)
  return above !== folder && isInstalled(above, names)
}

/** Files and folders, but for packages and what is hidden. A link to a folder above never ends: count. */
function * filesBelow (folder: string): Generator<{ readonly file: string, readonly isCode: boolean }> {
  for (const entry of entriesOf(folder)) {
    const { name } = entry
    if (name === 'node_modules' || name.startsWith('.')) continue
    const file = path.join(folder, name)
    const found = entry.isSymbolicLink() ? statSync(file, { throwIfNoEntry: false }) : entry
    yield { file, isCode: found?.isFile() === true && code.test(name) }
    if (found?.isDirectory() === true) yield * filesBelow(file)
  }
}

/** What cannot be read cannot be imported from either; that a folder is missing is said where it is loaded. */
function entriesOf (folder: string): Dirent[] {
  try {
    return readdirSync(folder, { withFileTypes: true })
  } catch {
    return []
  }
}

function textOf (file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    return ''
  }
}
