/**
 * In a built server the framework is there once: what code of the folder requires or imports by the names of its
 * packages leads into the built folder.
 */
import Module from 'node:module'
import { fileURLToPath } from 'node:url'

type Resolve = (request: string, ...rest: unknown[]) => string

/** What Node.js resolves `require` with; packages that stand in for others replace it, as it has no other door. */
const loader = Module as unknown as { _resolveFilename: Resolve }

/**
 * @param places files by the names of entries: `{ '@fastback/core': './core.js' }`
 * @param base what they are relative to
 * @param modules whether names in `import` are looked at as well, for which Node.js has a thread of its own
 */
export function useBuilt (places: Readonly<Record<string, string>>, base: string, modules: boolean): void {
  const urls = new Map(Object.entries(places).map(([name, file]) => [name, new URL(file, base).href]))
  const before = loader._resolveFilename
  loader._resolveFilename = function (this: unknown, request, ...rest) {
    const url = urls.get(request)
    return url === undefined ? before.call(this, request, ...rest) : fileURLToPath(url)
  }
  if (modules) Module.register('./built-imports.js', import.meta.url, { data: urls })
}
