/** Paths as Express matches them, for middleware that runs without Express. */
import { createRequire } from 'node:module'

export type PathMatcher = (pathname: string) => boolean

/** What a path pattern of Express (not a plain path) contains. */
const pattern = /[:*?+()[\]\\]/

/** Whether a path is plain text: no parameters, no wildcards. */
export function isLiteral (path: unknown): path is string {
  return typeof path === 'string' && !pattern.test(path)
}

/**
 * The path of a request target, without query, and with escapes of characters that need none undone (`/%61pi` is `/api`): the router
 * undoes them too, and what guards a path must see the same one (security.md, S-50).
 */
export function pathnameOf (url: string): string {
  const end = url.search(/[?#]/)
  return plainly(end === -1 ? url : url.slice(0, end))
}

/** A request target with needless escapes undone; the query stays as it is. */
export function canonicalUrl (url: string): string {
  if (!url.includes('%')) return url
  const end = url.search(/[?#]/)
  return end === -1 ? plainly(url) : plainly(url.slice(0, end)) + url.slice(end)
}

function plainly (path: string): string {
  if (!path.includes('%')) return path
  return path.replace(/%(2[de]|3\d|4[1-9a-f]|5[0-9af]|6[1-9a-f]|7[0-9ae])/gi, escape => {
    const character = String.fromCharCode(parseInt(escape.slice(1), 16))
    return /[\w.~-]/.test(character) ? character : escape
  })
}

/** Matches the paths and everything below them, without regard to case; no paths match every path. */
export function matchPaths (paths: ReadonlyArray<string | RegExp>): PathMatcher | undefined {
  if (paths.length === 0 || paths.includes('/')) return undefined
  const matchers = paths.map(matchPath)
  return matchers.length === 1 ? matchers[0] : pathname => matchers.some(matches => matches(pathname))
}

function matchPath (path: string | RegExp): PathMatcher {
  if (!isLiteral(path)) return expressMatcher(path)
  const prefix = path.toLowerCase().replace(/\/+$/, '')
  return pathname => {
    if (pathname.length < prefix.length) return false
    if (pathname.length > prefix.length && pathname[prefix.length] !== '/') return false
    return pathname.slice(0, prefix.length).toLowerCase() === prefix
  }
}

type LayerClass = new (path: string | RegExp, options: object, handle: () => void) => { match (path: string): boolean }

/** A pattern or regular expression is matched by Express' own code. */
function expressMatcher (path: string | RegExp): PathMatcher {
  const Layer = createRequire(import.meta.url)('express/lib/router/layer.js') as LayerClass
  const layer = new Layer(path, { sensitive: false, strict: false, end: false }, () => {})
  return pathname => {
    try {
      return layer.match(pathname)
    } catch {
      // A parameter that cannot be decoded: the layer matches, and whoever reads the parameter fails.
      return true
    }
  }
}
