/** The files of a page: those listed and no others (security.md, S-57), each read when it is first requested. */
import { readFile } from 'node:fs/promises'
import { textFile, type ServedFile } from './served-file.js'

const types: Readonly<Record<string, string>> = {
  html: 'text/html; charset=utf-8',
  css: 'text/css; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  svg: 'image/svg+xml',
  txt: 'text/plain; charset=utf-8'
}

/**
 * Files that are served under names of their own, and no others.
 *
 * ```js
 * const files = new PageFiles(new URL('../', import.meta.url), pageFilePaths(['index.html'], ['main']))
 * await files.get('main.js') // undefined for names that are not listed
 * ```
 */
export class PageFiles {
  readonly #read = new Map<string, Promise<ServedFile>>()

  /**
   * @param root the folder of the package
   * @param paths where each file is below it, by the name it is served under
   */
  constructor (private readonly root: URL, private readonly paths: ReadonlyMap<string, string>) {}

  /** The file of this name; undefined for all names that are not listed. */
  get (name: string): Promise<ServedFile> | undefined {
    const path = this.paths.get(name)
    if (path === undefined) return undefined
    let file = this.#read.get(name)
    if (file === undefined) {
      file = readFile(new URL(path, this.root)).then(bytes =>
        textFile(bytes, types[name.slice(name.lastIndexOf('.') + 1)] as string)
      )
      this.#read.set(name, file)
    }
    return file
  }
}

/**
 * Where the files of a package's page are: its assets, and the modules compiled to `dist/page`.
 *
 * ```js
 * pageFilePaths(['index.html'], ['main']).get('main.js') // 'dist/page/main.js'
 * ```
 */
export const pageFilePaths = (assets: readonly string[], modules: readonly string[]): ReadonlyMap<string, string> =>
  new Map([
    ...assets.map(name => [name, `assets/${name}`] as const),
    ...modules.map(name => [`${name}.js`, `dist/page/${name}.js`] as const)
  ])
