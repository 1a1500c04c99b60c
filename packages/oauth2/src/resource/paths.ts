/** Which requests a list of paths covers (O-200). Whatever form of a path might lead somewhere is looked at: in doubt it is covered. */

export interface PathRules {
  readonly caseSensitive: boolean
}

/** A path in the forms that may be meant by it: as it is, and decoded, with and without what `//`, `.` and `..` do. */
export function formsOf (url: string, { caseSensitive }: PathRules): string[] {
  const end = url.search(/[?#]/)
  const given = (end === -1 ? url : url.slice(0, end)).replace(/^https?:\/\/[^/]*/i, '')
  // Most paths have one form only.
  const all = /%|\/\/|\/\.|\\|;/.test(given) ? [...new Set(variants(given).flatMap(path => [path, resolved(path)]))] : [given]
  return caseSensitive ? all : all.map(path => path.toLowerCase())
}

function variants (path: string): string[] {
  const plain = path.split(';', 1)[0] as string
  try {
    const decoded = decodeURIComponent(path)
    return [path, plain, decoded, decoded.replaceAll('\\', '/')]
  } catch {
    return [path, plain]
  }
}

function resolved (path: string): string {
  const segments: string[] = []
  for (const segment of path.split('/')) {
    if (segment === '..') segments.pop()
    else if (segment !== '' && segment !== '.') segments.push(segment)
  }
  return `/${segments.join('/')}`
}

/** Whether a path is a prefix's, or below it: whole segments count. */
export type Covers = (forms: readonly string[]) => boolean

export function prefixOf (path: string, { caseSensitive }: PathRules): string {
  const prefix = path.replace(/\/\*?$/, '').replace(/\/+$/, '')
  return caseSensitive ? prefix : prefix.toLowerCase()
}

export function coversAny (paths: readonly string[], rules: PathRules): Covers {
  const prefixes = paths.map(path => prefixOf(path, rules))
  return forms => forms.some(form => prefixes.some(prefix => form.startsWith(prefix) &&
    (form.length === prefix.length || form[prefix.length] === '/')))
}
