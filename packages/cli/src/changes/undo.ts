/**
 * How what a command wrote is taken back: by git, or by the copies that are kept where there is no git (generators.md,
 * CL-5).
 */
import { execFile } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { promisify } from 'node:util'
import { NotCleanError, NothingToUndoError } from '../errors.js'
import { jsonText, type FileChange } from './change-set.js'
import { writeFiles } from './write-files.js'

const run = promisify(execFile)

/** Where copies lie, below the folder of the application. */
const copies = '.fastback/undo'

const git = async (folder: string, ...args: string[]): Promise<string> =>
  (await run('git', ['-C', folder, ...args], { maxBuffer: 64 * 1024 * 1024 })).stdout

/** Whether the folder is kept by git. */
export async function hasGit (folder: string): Promise<boolean> {
  try {
    return (await git(folder, 'rev-parse', '--is-inside-work-tree')).trim() === 'true'
  } catch {
    return false
  }
}

/**
 * What git would bring back must be what is there.
 * @throws FBK_CLI_NOT_CLEAN naming the files
 */
export async function mustBeClean (folder: string, changes: readonly FileChange[]): Promise<void> {
  const files = changes.map(({ file }) => file)
  const status = await git(folder, 'status', '--porcelain', '-z', '--untracked-files=all', '--', ...files)
  const dirty = status.split('\0').filter(line => line !== '').map(line => line.slice(3))
  if (dirty.length > 0) throw new NotCleanError(dirty.join(', '))
}

/** One commit of exactly these files. */
export async function commit (folder: string, changes: readonly FileChange[], message: string): Promise<void> {
  const files = changes.map(({ file }) => file)
  await git(folder, 'add', '--', ...files)
  await git(folder, 'commit', '--quiet', '-m', message, '--', ...files)
}

/** Keeps what the files said before. */
export function keepCopies (folder: string, changes: readonly FileChange[]): void {
  const time = new Date().toISOString().replaceAll(':', '-')
  const target = path.join(folder, copies)
  mkdirSync(target, { recursive: true })
  const ignore = path.join(folder, '.fastback', '.gitignore')
  if (!existsSync(ignore)) writeFileSync(ignore, '*\n')
  writeFileSync(path.join(target, `${time}.json`), jsonText(changes))
}

/**
 * Puts back what the last command wrote.
 *
 * ```js
 * undoLast('/srv/shop') // ['server/model-config.json', …]
 * ```
 * @returns the files
 * @throws FBK_CLI_NOTHING_TO_UNDO; FBK_CLI_CHANGED_MEANWHILE where a file was edited since
 */
export function undoLast (folder: string): string[] {
  const target = path.join(folder, copies)
  const last = existsSync(target) ? readdirSync(target).sort().at(-1) : undefined
  if (last === undefined) throw new NothingToUndoError(folder)
  const file = path.join(target, last)
  const changes = JSON.parse(readFileSync(file, 'utf8')) as FileChange[]
  writeFiles(folder, changes.map(({ before, after, ...change }) => ({ ...change, before: after, after: before })))
  rmSync(file)
  return changes.map(each => each.file)
}
