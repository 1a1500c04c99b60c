/** How large a pattern is with its repetitions written out: known in one pass, before anything compiles it. */

/** `{2}`, `{2,}`, `{2,5}` */
const repetition = /\{(\d{1,4})(?:(,)(\d{0,4}))?\}/y

/** Where the class that begins at `at` ends. */
function classEnd (source: string, at: number): number {
  let end = at + 1
  if (source[end] === '^') end++
  // As the first character of a class a bracket is itself.
  if (source[end] === ']') end++
  while (end < source.length && source[end] !== ']') end += source[end] === '\\' ? 2 : 1
  return end + 1
}

/** Where an escape ends: `\d`, `\pL`, `\p{Greek}`, `\x{1f600}`. */
function escapeEnd (source: string, at: number): number {
  const braced = /[pPx]/.test(source[at + 1] ?? '') && source[at + 2] === '{'
  const end = braced ? source.indexOf('}', at) : -1
  return end === -1 ? at + 2 : end + 1
}

/** Where what is in front of a group's content ends: `(`, `(?:`, `(?P<year>`; undefined for flags alone, `(?i)`. */
function groupStart (source: string, at: number): number | undefined {
  if (source[at + 1] !== '?') return at + 1
  let end = at + 2
  while (end < source.length && !':>)'.includes(source[end] as string)) end++
  return source[end] === ')' ? undefined : end + 1
}

/**
 * About how many instructions a pattern has, however few characters it is written with: a repetition counts what it
 * repeats as often as that may stand there.
 *
 * ```js
 * sizeWrittenOut('(?:ab){500}') // 1000
 * ```
 */
export function sizeWrittenOut (source: string): number {
  /** Sizes of the groups that are open, the whole pattern first. */
  const open = [0]
  let last = 0
  const add = (size: number): void => {
    last = size
    open[open.length - 1] = (open.at(-1) as number) + size
  }
  for (let at = 0; at < source.length;) {
    switch (source[at]) {
      case '\\':
        add(1)
        at = escapeEnd(source, at)
        continue
      case '[':
        add(1)
        at = classEnd(source, at)
        continue
      case '(': {
        const start = groupStart(source, at)
        if (start !== undefined) open.push(0)
        at = start ?? source.indexOf(')', at) + 1
        continue
      }
      case ')':
        // What closes nothing is no pattern: its compiler says so.
        if (open.length > 1) add(open.pop() as number)
        break
      case '{': {
        repetition.lastIndex = at
        const found = repetition.exec(source)
        if (found === null) {
          add(1)
          break
        }
        const [whole, least, comma, most = ''] = found
        const times = Math.max(Number(least), comma === undefined ? 0 : Number(most), 1)
        open[open.length - 1] = (open.at(-1) as number) + last * (times - 1)
        last *= times
        at += whole.length
        continue
      }
      case '*': case '+': case '?': break
      default: add(1)
    }
    at++
  }
  return open.reduce((sum, size) => sum + size, 0)
}
