/** Paths as Express matches them, for middleware that runs without Express. */
import { createRequire } from 'node:module'
import { canonicalPath, foldPath, withoutEndSlashes } from '@fastback/core/remote'

export type PathMatcher = (pathname: string) => boolean

/** What a path pattern of Express (not a plain path) contains. */
const pattern = /[:*?+()[\]\\]/

/** Whether a path is plain text: no parameters, no wildcards. */
export function isLiteral (path: unknown): path is string {
  return typeof path === 'string' && !pattern.test(path)
}

/**
 * The path of a request target, without query. The target has its one spelling by then: `@fastback/core` sees to that
 * before all middleware (security.md, S-70).
 */
export function pathnameOf (url: string): string {
  const end = url.indexOf('?')
  return end === -1 ? url : url.slice(0, end)
}

/** A path for Express' own matching, in the spelling that paths of requests have. */
export function expressPath (path: string | RegExp): string | RegExp {
  if (typeof path !== 'string' || !path.startsWith('/')) return path
  if (pattern.test(path)) return path.replace(/[^\0-\x7f]+/g, text => encodeURIComponent(text))
  const spelled = canonicalPath(path)
  // What was an escape may be a sign of patterns now.
  return spelled === path ? path : spelled.replace(/[+()*:$]/g, '\\$&')
}

/**
 * Whether a path has an escaped separator, or a NUL, in one of its segments. For routes that is text (an id may be
 * `a/b`); a file server would take it for another path, which no guard of that path has seen.
 */
export const namesNoFile = (pathname: string): boolean => /%(?:2F|5C|00)/.test(pathname)

/** Matches the paths and everything below them, without regard to case; no paths match every path. */
export function matchPaths (paths: ReadonlyArray<string | RegExp>): PathMatcher | undefined {
  if (paths.length === 0 || paths.includes('/')) return undefined
  const matchers = paths.map(matchPath)
  return matchers.length === 1 ? matchers[0] : pathname => matchers.some(matches => matches(pathname))
}

function matchPath (path: string | RegExp): PathMatcher {
  if (!isLiteral(path)) return expressMatcher(path)
  const prefix = withoutEndSlashes(foldPath(canonicalPath(path)))
  return pathname => {
    if (pathname.length < prefix.length) return false
    if (pathname.length > prefix.length && pathname[prefix.length] !== '/') return false
    return foldPath(pathname.slice(0, prefix.length)) === prefix
  }
}

/**
 * What patterns among the paths take of a path, which Express takes off before it calls what is mounted there: all of
 * it, for `*`. Nothing where none of them is a pattern; undefined where Express would not call it.
 */
export function partTaken (paths: ReadonlyArray<string | RegExp>): (pathname: string) => string | undefined {
  const layers = paths.filter(each => !isLiteral(each)).map(layerOf)
  if (layers.length === 0) return () => ''
  return pathname => {
    try {
      const taken = layers.find(each => each.match(pathname))?.path
      return taken !== undefined && pathname.startsWith(taken) ? taken : undefined
    } catch {
      return undefined
    }
  }
}

interface Layer {
  /** What the last match took. */
  readonly path: string | undefined
  match (path: string): boolean
}
type LayerClass = new (path: string | RegExp, options: object, handle: () => void) => Layer

/** A pattern or regular expression is matched by Express' own code. */
function layerOf (path: string | RegExp): Layer {
  const Layer = createRequire(import.meta.url)('express/lib/router/layer.js') as LayerClass
  return new Layer(path, { sensitive: false, strict: false, end: false }, () => {})
}

function expressMatcher (path: string | RegExp): PathMatcher {
  const layer = layerOf(path)
  return pathname => {
    try {
      return layer.match(pathname)
    } catch {
      // A parameter that cannot be decoded: the layer matches, and anyone who reads the parameter fails.
      return true
    }
  }
}
