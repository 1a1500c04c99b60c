/** How the time of JavaScript's backtracking engine grows with a text, as far as a look at the pattern tells. */

/** What was seen of a group that is open. */
interface Group {
  /** Quantifiers that may match more or less, in it and in what it holds. */
  loops: number
  /** Whether it has alternatives. */
  branches: boolean
}

/** Quantifiers `?` and alternatives that may double the time each: beyond, the pattern is as one that has no degree. */
const mostChoices = 4

/** `{2}`, `{2,}`, `{2,5}` */
const braces = /\{(\d+)(?:(,)(\d*))?\}/y

/** How often a quantifier lets its atom stand: undefined where there is none. */
function timesAt (source: string, at: number): { least: number, most: number, end: number } | undefined {
  switch (source[at]) {
    case '*': return { least: 0, most: Infinity, end: at + 1 }
    case '+': return { least: 1, most: Infinity, end: at + 1 }
    case '?': return { least: 0, most: 1, end: at + 1 }
    case '{': {
      braces.lastIndex = at
      const found = braces.exec(source)
      if (found === null) return undefined
      const [whole, least, comma, most] = found
      const last = comma === undefined ? least : most === '' || most === undefined ? Infinity : most
      return { least: Number(least), most: Number(last), end: at + whole.length }
    }
    default: return undefined
  }
}

/** Where a class that begins at `at` ends: in JavaScript the first bracket closes it. */
export function endOfClass (source: string, at: number): number {
  let end = at + 1
  while (end < source.length && source[end] !== ']') end += source[end] === '\\' ? 2 : 1
  return end + 1
}

/**
 * The power of a text's length that a test takes at worst: 1 for `^a*$`, 2 for `a*$`. Infinity where it may be
 * exponential: what may match in several ways stands in what is repeated. More than is true is said of many patterns,
 * and less of none.
 *
 * ```js
 * degreeOf('^(?:a+)+$') // Infinity
 * ```
 */
export function degreeOf (source: string): number {
  const open: Group[] = [{ loops: 0, branches: false }]
  let choices = 0
  /** The group that was closed last, where the next quantifier is about it. */
  let closed: Group | undefined
  for (let at = 0; at < source.length;) {
    const times = timesAt(source, at)
    const group = open.at(-1) as Group
    if (times !== undefined) {
      const { least, most, end } = times
      if (most > 1 && closed !== undefined && (closed.loops > 0 || closed.branches)) return Infinity
      if (most > 1 && least !== most) group.loops++
      // Within what is repeated it is no choice of its own any more.
      if (most === 1 && least === 0) { choices++; if (open.length > 1) group.branches = true }
      closed = undefined
      // A lazy quantifier takes as long.
      at = source[end] === '?' ? end + 1 : end
      continue
    }
    closed = undefined
    switch (source[at]) {
      case '\\': at += 2; continue
      case '[': at = endOfClass(source, at); continue
      case '(': open.push({ loops: 0, branches: false }); at += source[at + 1] === '?' ? 2 : 1; continue
      case ')':
        if (open.length > 1) {
          closed = open.pop() as Group
          const outer = open.at(-1) as Group
          outer.loops += closed.loops
          if (closed.branches) { choices++; outer.branches ||= open.length > 1 }
        }
        break
      case '|': group.branches = true; break
    }
    at++
  }
  const [whole] = open as [Group]
  if (choices > mostChoices) return Infinity
  const isAnchored = source.startsWith('^') && !whole.branches
  return Math.max(1, whole.loops + (isAnchored ? 0 : 1))
}
