/** The client for pages without a bundler: its modules, as a server hands them out. For Node. */
import { existsSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'

export interface BrowserModules {
  /** For the page's `<script type="importmap">`. The same as long as `base` is. */
  readonly imports: Readonly<Record<string, string>>
  /** What is to be served: the texts of the modules by their addresses. */
  readonly files: ReadonlyMap<string, string>
}

/** What a page imports; the bindings belong to a bundler, with what they bind to. */
const entries = ['@fastback/client', '@fastback/client/indexeddb', '@fastback/client/live']

/** Modules name each other at the beginning of a line, as the compiler writes them. */
const imported = /^(?:import|(?:import|export)\s[^'"();=]*\sfrom)\s*['"]([^'"]+)['"]/gm

/**
 * The modules that a page needs, and nothing else of their packages.
 *
 * ```ts
 * import { browserModules } from '@fastback/client/modules'
 *
 * const { imports, files } = browserModules()
 * console.log(imports['@fastback/client']) // /modules/@fastback/client/dist/index.js
 * for (const [address, text] of files) {
 *   app.get(address, (request, reply) => reply.type('text/javascript').send(text))
 * }
 * ```
 * @param options `base`: where they are served. Default: `/modules`
 */
export function browserModules ({ base = '/modules' }: { readonly base?: string } = {}): BrowserModules {
  const imports: Record<string, string> = {}
  const files = new Map<string, string>()
  const add = (url: string): string => {
    const address = `${base}/${pathOf(fileURLToPath(url))}`
    if (files.has(address)) return address
    const text = readFileSync(fileURLToPath(url), 'utf8')
    files.set(address, text)
    for (const [, name = ''] of text.matchAll(imported)) {
      if (name.startsWith('.')) add(new URL(name, url).href)
      else imports[name] = add(resolve(name))
    }
    return address
  }
  for (const name of entries) imports[name] = add(resolve(name))
  return { imports, files }
}

/**
 * The module that a name stands for. Packages with bundles have these for pages, whatever the conditions of the
 * process: a page names its modules in a file.
 */
function resolve (name: string): string {
  const url = import.meta.resolve(name)
  const { folder, manifest } = packageOf(fileURLToPath(url))
  const entry = manifest.exports?.[`.${name.slice(manifest.name.length)}`]
  if (typeof entry !== 'object' || entry.unbundled === undefined || entry.default === undefined) return url
  return pathToFileURL(path.join(folder, entry.default)).href
}

/** `…/idb/build/index.js` → `idb/build/index.js` */
function pathOf (file: string): string {
  const { folder, manifest } = packageOf(file)
  return [manifest.name, ...path.relative(folder, file).split(path.sep)].join('/')
}

interface Manifest {
  readonly name: string
  readonly exports?: Readonly<Record<string, string | { readonly unbundled?: string, readonly default?: string }>>
}

/** The package that a file belongs to. */
function packageOf (file: string): { readonly folder: string, readonly manifest: Manifest } {
  let folder = path.dirname(file)
  while (!existsSync(path.join(folder, 'package.json'))) folder = path.dirname(folder)
  return { folder, manifest: JSON.parse(readFileSync(path.join(folder, 'package.json'), 'utf8')) as Manifest }
}
