/** The code files of a folder: boot scripts and mixins. */
import { readdirSync } from 'node:fs'
import path from 'node:path'
import { codeExtensions } from './module.js'

/** Code files of a folder by name without regard to case, without `index.*` and names that begin with `_`. No folder, no files. */
export function scriptsIn (dir: string | undefined): string[] {
  if (dir === undefined) return []
  let entries
  try {
    entries = readdirSync(dir, { withFileTypes: true })
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return []
    throw error
  }
  return entries
    .filter(entry => !entry.isDirectory())
    .map(entry => entry.name)
    .filter(isScript)
    .sort((a, b) => a.toLowerCase() < b.toLowerCase() ? -1 : 1)
    .map(name => path.join(dir, name))
}

function isScript (file: string): boolean {
  const { name, ext } = path.parse(file)
  return codeExtensions.includes(ext) && name !== 'index' && !name.startsWith('_') && !name.endsWith('.d')
}
