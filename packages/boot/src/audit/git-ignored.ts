/** Whether version control leaves a file out. */
import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import type { Folder } from '../load/folder.js'

/** What git says; without it, what stands in the folder's own `.gitignore` by name. */
export function isIgnored ({ root }: Folder, file: string): boolean {
  const { status } = spawnSync('git', ['-C', root, 'check-ignore', '-q', file], { stdio: 'ignore', timeout: 10_000 })
  if (status === 0 || status === 1) return status === 0
  const names = [
    path.basename(file),
    `*${path.extname(file)}`,
    `/${path.relative(root, file)}`,
    path.relative(root, file),
    ...(path.basename(file).startsWith('.env') ? ['.env*', '.env.*'] : [])
  ]
  try {
    return readFileSync(path.join(root, '.gitignore'), 'utf8').split(/\r?\n/).some(line => names.includes(line.trim()))
  } catch {
    return false
  }
}
