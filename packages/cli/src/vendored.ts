/**
 * Packages of a checkout inside an application's own folder: a container is built of that folder alone, so that what
 * its package.json names must be there.
 */
import { cpSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'

type Names = Readonly<Record<string, string>>

interface Manifest {
  readonly name: string
  readonly version: string
  readonly files?: readonly string[]
  readonly dependencies?: Names
  readonly [key: string]: unknown
}

interface Package { readonly folder: string, readonly manifest: Manifest }

/** Folder of the application that they are copied to. */
const place = 'vendor'

/** For development, as in a package that npm has. */
const dropped: ReadonlySet<string> = new Set(['devDependencies', 'publishConfig', 'scripts'])

export interface Vendored {
  /** What the application's package.json says of each. */
  readonly dependencies: Names
  /** Folders relative to the application. */
  readonly folders: readonly string[]
  /** Copies them into an application. */
  copy (application: string): void
}

/**
 * The packages of a checkout that some of them need, themselves among them. They name one another by version, and the
 * application names all of them: npm finds each where the application has it.
 *
 * ```js
 * const { dependencies, copy } = vendored('/srv/fastback', ['@fastback/cli'])
 * copy('/srv/my-app') // '/srv/my-app/vendor/cli', …
 * ```
 */
export function vendored (checkout: string, names: readonly string[]): Vendored {
  const packages = withNeeded(checkout, names)
  const folderOf = ({ manifest }: Package): string => `${place}/${folderName(manifest.name)}`
  return {
    dependencies: Object.fromEntries(packages.map(each => [each.manifest.name, `file:${folderOf(each)}`])),
    folders: packages.map(folderOf),
    copy (application) {
      const versions = new Map(packages.map(({ manifest }) => [manifest.name, manifest.version]))
      for (const each of packages) copyPackage(each, path.join(application, folderOf(each)), versions)
    }
  }
}

const folderName = (name: string): string => name.slice(name.indexOf('/') + 1)

function withNeeded (checkout: string, first: readonly string[]): Package[] {
  const found = new Map<string, Package>()
  const visit = (name: string): void => {
    if (found.has(name)) return
    const folder = path.join(checkout, 'packages', folderName(name))
    const manifest = JSON.parse(readFileSync(path.join(folder, 'package.json'), 'utf8')) as Manifest
    found.set(name, { folder, manifest })
    for (const [needed, range] of Object.entries(manifest.dependencies ?? {})) if (isLocal(range)) visit(needed)
  }
  for (const name of first) visit(name)
  return [...found.values()]
}

const isLocal = (range: string): boolean => range.startsWith('workspace:')

/** What runs, and its types: maps lead to sources, which are for anyone who works on the packages. */
const isWanted = (folder: string, file: string): boolean =>
  !path.relative(folder, file).split(path.sep).includes('node_modules') && !/\.(map|tsbuildinfo)$/.test(file)

function copyPackage ({ folder, manifest }: Package, target: string, versions: ReadonlyMap<string, string>): void {
  mkdirSync(target, { recursive: true })
  const entries = ['README.md', ...manifest.files ?? []].filter(entry => !entry.startsWith('!') && entry !== 'src')
  for (const entry of entries) {
    const source = path.join(folder, entry)
    if (!existsSync(source)) continue
    cpSync(source, path.join(target, entry), { recursive: true, filter: file => isWanted(folder, file) })
  }
  const dependencies = Object.entries(manifest.dependencies ?? {}).map(([name, range]) =>
    [name, isLocal(range) ? `^${versions.get(name) ?? ''}` : range])
  const kept = Object.entries(manifest).filter(([key]) => !dropped.has(key))
  const written = { ...Object.fromEntries(kept), dependencies: Object.fromEntries(dependencies) as Names }
  writeFileSync(path.join(target, 'package.json'), JSON.stringify(written, null, 2) + '\n')
}
