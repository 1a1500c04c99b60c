/** The packages that a built server is made of, and what they may be asked for. */
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import path from 'node:path'

/** An entry of a package, as code names it: `@fastback/core/remote`, or `#require` within its package. */
export interface PackageEntry {
  readonly name: string
  readonly file: string
  /** Its name in the built folder, without extension. */
  readonly out: string
}

interface Manifest {
  readonly name: string
  readonly exports: Targets
  readonly imports?: Targets
  readonly dependencies?: Readonly<Record<string, string>>
}

interface Target { readonly unbundled?: string, readonly import?: Target }

type Targets = Readonly<Record<string, Target>>

/**
 * All entries of a package and of those of the house that it depends on.
 *
 * ```js
 * packageEntries('/srv/app/node_modules/@fastback/cli/package.json')
 * // [{ name: '@fastback/core/remote', file: '…/core/dist/entries/remote.js', out: 'core-remote' }, …]
 * ```
 */
export function packageEntries (manifestFile: string): PackageEntry[] {
  const entries = new Map<string, readonly PackageEntry[]>()
  const add = (file: string): void => {
    const manifest = JSON.parse(readFileSync(file, 'utf8')) as Manifest
    if (entries.has(manifest.name)) return
    entries.set(manifest.name, entriesOf(manifest, path.dirname(file)))
    const { resolve } = createRequire(file)
    for (const name of Object.keys(manifest.dependencies ?? {})) {
      if (name.startsWith('@fastback/')) add(resolve(`${name}/package.json`))
    }
  }
  add(manifestFile)
  return [...entries.values()].flat()
}

function entriesOf ({ name, exports, imports = {} }: Manifest, folder: string): PackageEntry[] {
  const short = name.slice('@fastback/'.length)
  return Object.entries({ ...exports, ...imports }).flatMap(([key, target]) => {
    const { unbundled } = target.import ?? target
    if (unbundled === undefined) return []
    const isOwn = key.startsWith('#')
    const out = key === '.' ? short : `${short}-${isOwn ? 'own-' : ''}${key.replace(/^(?:#|\.\/)/, '')}`
    return [{ name: isOwn ? key : path.posix.join(name, key), file: path.join(folder, unbundled), out }]
  })
}
