/** The files of the page: those that the build lists (`page/files.json`), and no others (security.md, S-57). */
import { readFileSync } from 'node:fs'
import { PageFiles } from './page-files.js'

/**
 * The files of the page, whose bundle is in `page/` of this package.
 *
 * ```js
 * servePage(scope, uiFiles(), { basePath: undefined })
 * ```
 */
export function uiFiles (): PageFiles {
  const root = new URL('../../page/', import.meta.url)
  const names = JSON.parse(readFileSync(new URL('files.json', root), 'utf8')) as readonly string[]
  return new PageFiles(root, new Map(names.map(name => [name, name])))
}
