/**
 * Lets code of an application folder say `require('loopback')`: LoopBack's names lead here, from the folder's own files
 * and from packages in its `node_modules` that expect the application's framework, even where a LoopBack is installed.
 */
import Module from 'node:module'
import path from 'node:path'
import { fileURLToPath } from 'node:url'

/** Files of this package by the names that code requires. */
const files: Readonly<Record<string, string>> = {
  loopback: '../cjs/index.cjs',
  'loopback-boot': '../cjs/boot.cjs'
}

const here = (file: string): string => fileURLToPath(new URL(file, import.meta.url))

type Resolve = (request: string, parent: { filename?: string | null } | undefined, ...rest: unknown[]) => string

/** What Node.js resolves `require` with; packages that stand in for others replace it, as it has no door of its own. */
const loader = Module as unknown as { _resolveFilename: Resolve }

export interface NameMapping {
  /** Names that were asked for so far. */
  readonly used: ReadonlySet<string>
  /** Lets the names lead where they did before. */
  remove (): void
}

/**
 * Maps LoopBack's names for a folder.
 * @param root the application's folder; packages above it (a workspace's `node_modules`) count as its own
 */
export function mapNames (root: string): NameMapping {
  const used = new Set<string>()
  const before = loader._resolveFilename
  const own = here('..')
  const isOurs = (file: string): boolean => file.startsWith(own) && !file.startsWith(root + path.sep)
  const mapped: Resolve = function (this: unknown, request, parent, ...rest) {
    const file = files[request]
    const from = parent?.filename
    if (file !== undefined && Object.hasOwn(files, request) && typeof from === 'string' && !isOurs(from)) {
      used.add(request)
      return here(file)
    }
    return before.call(this, request, parent, ...rest)
  }
  loader._resolveFilename = mapped
  return { used, remove () { if (loader._resolveFilename === mapped) loader._resolveFilename = before } }
}
