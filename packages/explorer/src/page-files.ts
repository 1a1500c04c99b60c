/** The files of the page: those listed here and no others (security.md, S-57), each read when it is first asked for. */
import { readFile } from 'node:fs/promises'
import { textFile, type ServedFile } from './served-file.js'

/** Modules of the page, compiled from `src/page/`. */
export const pageModules = [
  'answer',
  'body-editor',
  'code-panel',
  'components',
  'condition-rows',
  'copy',
  'description',
  'dom',
  'file-answer',
  'filter-builder',
  'form-editor',
  'history',
  'inputs',
  'json-view',
  'logins',
  'main',
  'operation',
  'request',
  'request-forms',
  'resumable',
  'row-actions',
  'rows-view',
  'schema-view',
  'tags',
  'theme',
  'token',
  'token-form',
  'upload'
] as const

const root = new URL('../', import.meta.url)

const types: Readonly<Record<string, string>> = {
  html: 'text/html; charset=utf-8',
  css: 'text/css; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  svg: 'image/svg+xml'
}

/** Where each file is, by the name it is served under. */
const places: ReadonlyMap<string, string> = new Map([
  ['index.html', 'assets/index.html'],
  ['style.css', 'assets/style.css'],
  ['icon.svg', 'assets/icon.svg'],
  ...pageModules.map(name => [`${name}.js`, `dist/page/${name}.js`] as const)
])

export class PageFiles {
  readonly #read = new Map<string, Promise<ServedFile>>()

  /** The file of this name; undefined for all names that are not listed. */
  get (name: string): Promise<ServedFile> | undefined {
    const place = places.get(name)
    if (place === undefined) return undefined
    let file = this.#read.get(name)
    if (file === undefined) {
      file = readFile(new URL(place, root)).then(bytes =>
        textFile(bytes, types[name.slice(name.lastIndexOf('.') + 1)] as string)
      )
      this.#read.set(name, file)
    }
    return file
  }
}
