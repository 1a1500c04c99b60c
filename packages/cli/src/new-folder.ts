/** The folder of an application that is being made. */
import { existsSync, mkdirSync, readdirSync, rmSync } from 'node:fs'
import path from 'node:path'

/**
 * Makes a folder and what `work` puts into it; when that fails, all that was made is taken away again. A folder that
 * was there stays, with what was in it (a fresh `.git`), and so do the folders above it.
 *
 * ```js
 * await inNewFolder('/srv/shop', async () => { await writeFile('/srv/shop/package.json', '{}') })
 * ```
 * @param folder absolute path
 * @throws what `work` throws
 */
export async function inNewFolder<T> (folder: string, work: () => Promise<T>): Promise<T> {
  const before = existsSync(folder) ? new Set(readdirSync(folder)) : undefined
  // The topmost folder that was not there.
  const made = mkdirSync(folder, { recursive: true })
  try {
    return await work()
  } catch (error) {
    if (made !== undefined) rmSync(made, { recursive: true, force: true })
    else {
      for (const entry of readdirSync(folder)) {
        if (before?.has(entry) !== true) rmSync(path.join(folder, entry), { recursive: true, force: true })
      }
    }
    throw error
  }
}
