/** Writes the files of a plan: all of them, or none (generators.md, CL-4). */
import { randomUUID } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, renameSync, rmSync, rmdirSync, statSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { ChangedMeanwhileError } from '../errors.js'
import type { FileChange } from './change-set.js'

/**
 * Writes to temporary files, and renames them when all are there.
 *
 * ```js
 * const putBack = writeFiles(changes.folder, changes.changes)
 * ```
 * @returns a function that puts everything back as it was
 * @throws FBK_CLI_CHANGED_MEANWHILE, and what the file system says; nothing is changed then
 */
export function writeFiles (folder: string, changes: readonly FileChange[]): () => void {
  const at = ({ file }: FileChange): string => path.join(folder, file)
  for (const change of changes) {
    const now = existsSync(at(change)) ? readFileSync(at(change), 'utf8') : undefined
    if (now !== change.before) throw new ChangedMeanwhileError(change.file)
  }
  const made: string[] = []
  const temporary = new Map<FileChange, string>()
  const done: FileChange[] = []
  const putBack = (): void => {
    for (const change of done.reverse()) {
      if (change.before === undefined) rmSync(at(change))
      else writeFileSync(at(change), change.before)
    }
    for (const each of made.reverse()) rmdirSync(each)
  }
  try {
    for (const change of changes) {
      if (change.after === undefined) continue
      const file = at(change)
      makeFolder(path.dirname(file), made)
      const name = path.join(path.dirname(file), `.${path.basename(file)}.${randomUUID()}`)
      temporary.set(change, name)
      writeFileSync(name, change.after, change.before === undefined ? {} : { mode: statSync(file).mode })
    }
    for (const change of changes) {
      const name = temporary.get(change)
      if (name === undefined) rmSync(at(change))
      else renameSync(name, at(change))
      temporary.delete(change)
      done.push(change)
    }
  } catch (error) {
    for (const name of temporary.values()) rmSync(name, { force: true })
    putBack()
    throw error
  }
  return putBack
}

/** Makes a folder and those above it, and remembers which were made, outermost first. */
function makeFolder (folder: string, made: string[]): void {
  if (existsSync(folder)) return
  makeFolder(path.dirname(folder), made)
  mkdirSync(folder)
  made.push(folder)
}
