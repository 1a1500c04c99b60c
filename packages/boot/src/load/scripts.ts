/** The code files of a folder: boot scripts and mixins. */
import { existsSync, readdirSync } from 'node:fs'
import path from 'node:path'
import type { Folder } from './folder.js'
import { codeFileOf, isCode, isEsModule, isTypeScript } from './module.js'

/**
 * Code files of a folder by name without regard to case, without `index.*` and names that begin with `_`. TypeScript
 * that was compiled counts as the JavaScript beside it. No folder, no files.
 * @throws FBK_BOOT_TYPESCRIPT for a file that this Node does not run
 */
export function scriptsIn (folder: Folder, dir: string | undefined): string[] {
  const files = codeFiles(dir).map(file =>
    isTypeScript(file) ? (codeFileOf(folder, withoutExtension(file)) as string) : file
  )
  return [...new Set(files)].sort((a, b) => a.toLowerCase() < b.toLowerCase() ? -1 : 1)
}

/** The files of a folder that are code, or TypeScript that this Node may not run; each without its extension, once. */
export const scriptNames = (dir: string | undefined): string[] => [...new Set(codeFiles(dir).map(withoutExtension))]

/**
 * The ES modules of a folder that hold definitions of models, as `note.model.ts`; each without its extension, once. In
 * CommonJS, and beside a definition in JSON (`note.model.json`), such a file is a script like any other.
 */
export const definitionModules = (dir: string | undefined): string[] => [...new Set(codeFiles(dir)
  .filter(file => withoutExtension(file).endsWith('.model') && isEsModule(file))
  .map(withoutExtension)
  .filter(base => !existsSync(`${base}.json`)))]

/** The files of a folder that are code, or TypeScript that this Node may not run. */
export function codeFiles (dir: string | undefined): string[] {
  if (dir === undefined) return []
  let entries
  try {
    entries = readdirSync(dir, { withFileTypes: true })
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return []
    throw error
  }
  return entries.filter(entry => !entry.isDirectory()).map(entry => entry.name)
    .filter(name => isCode(name) && path.parse(name).name !== 'index' && !name.startsWith('_'))
    .map(name => path.join(dir, name)).sort()
}

export const withoutExtension = (file: string): string => file.slice(0, -path.extname(file).length)
