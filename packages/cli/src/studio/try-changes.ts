/** Whether a folder starts with changes, before they are written: in a copy of what they are in. */
import { fork } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { cp, mkdir, readdir, rm, symlink } from 'node:fs/promises'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { writeFiles, type FileChange } from '../changes/index.js'
import { WrittenBrokenError } from '../errors.js'

/** Milliseconds that the start may take. */
const patience = 30_000

/** Folders that no start reads. */
const leftOut: ReadonlySet<string> = new Set(['.fastback', '.git', 'node_modules'])

export interface Trial { readonly folder: string, readonly env: string | undefined }
export interface TrialReport { readonly failure?: string }

/** @throws FBK_CLI_WRITTEN_BROKEN where it does not start */
export async function tryChanges (
  folder: string, changes: readonly FileChange[], env: string | undefined
): Promise<void> {
  // Within the folder, so that packages are found where the folder finds them.
  const copy = path.join(folder, '.fastback', `trial-${randomUUID()}`)
  await mkdir(copy, { recursive: true })
  try {
    const changed = new Set(changes.map(({ file }) => file.split('/')[0]))
    for (const name of await readdir(folder)) {
      if (leftOut.has(name)) continue
      const [from, to] = [path.join(folder, name), path.join(copy, name)]
      if (changed.has(name)) await cp(from, to, { recursive: true })
      else await symlink(from, to)
    }
    writeFiles(copy, changes)
    const failure = await failureOf({ folder: copy, env })
    if (failure !== undefined) throw new WrittenBrokenError(failure.replaceAll(copy, '.'))
  } finally {
    await rm(copy, { recursive: true, force: true })
  }
}

/** What stops the start; undefined where nothing does. */
async function failureOf (trial: Trial): Promise<string | undefined> {
  const child = fork(fileURLToPath(new URL('./trial.js', import.meta.url)), { stdio: ['ignore', 'ignore', 'ignore', 'ipc'] })
  const timer = setTimeout(() => { child.kill('SIGKILL') }, patience)
  try {
    const reported = Promise.race([
      once(child, 'message').then(([report]) => report as TrialReport),
      once(child, 'exit').then((): TrialReport => ({ failure: 'its process ended' }))
    ])
    child.send(trial)
    return (await reported).failure
  } finally {
    clearTimeout(timer)
    child.kill('SIGKILL')
  }
}
