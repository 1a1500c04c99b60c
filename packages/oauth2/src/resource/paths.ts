/**
 * Which requests a list of paths covers (O-200). Whatever form of a path might lead somewhere is looked at: in doubt it
 * is covered.
 */
import { foldPath, withoutEndSlashes } from '@fastback/core/remote'

export interface PathRules {
  readonly caseSensitive: boolean
}

/**
 * A path in the forms that may be meant by it: in the one spelling that `@fastback/core` gives every request
 * (security.md, S-70), and, where it has escapes or parameters of segments (`;v=1`), without them.
 */
export function formsOf (url: string, { caseSensitive }: PathRules): string[] {
  const end = url.indexOf('?')
  const path = end === -1 ? url : url.slice(0, end)
  // Most paths have one form only.
  const all = /[%;]/.test(path) ? [...new Set([path, path.replace(/;.*/, ''), decoded(path)])] : [path]
  return caseSensitive ? all : all.map(foldPath)
}

/** As a file server would have it. */
function decoded (path: string): string {
  try {
    return decodeURIComponent(path).replaceAll('\\', '/')
  } catch {
    return path
  }
}

/** Whether a path is a prefix's, or below it: whole segments count. */
export type Covers = (forms: readonly string[]) => boolean

export function prefixOf (path: string, { caseSensitive }: PathRules): string {
  const prefix = withoutEndSlashes(path.replace(/\/\*?$/, ''))
  return caseSensitive ? prefix : foldPath(prefix)
}

export function coversAny (paths: readonly string[], rules: PathRules): Covers {
  const prefixes = paths.map(path => prefixOf(path, rules))
  return forms => forms.some(form => prefixes.some(prefix => form.startsWith(prefix) &&
    (form.length === prefix.length || form[prefix.length] === '/')))
}
