/** SQL's LIKE in linear time, without a regular expression (security.md, S-22). */
import { foldCase, isAscii } from './fold-case.js'
import type { Meter } from './work.js'

/** A run between two `%`: code points, and undefined for `_`. */
type Run = ReadonlyArray<string | undefined>

/**
 * Units of work for each character of a text: when it is searched for a text, tried against a character of a run,
 * folded.
 */
const searched = 1 / 4
const tried = 1 / 4
const folded = { ascii: 1 / 8, other: 12 }

/**
 * Compiles a pattern to a test of whole texts: `%` is any run of characters, `_` one character (a code point), `\`
 * takes the next one literally.
 *
 * ```js
 * compileLike('a%', false)('abc') // true
 * compileLike('A_', true)('ab') // true
 * ```
 * @param ignoreCase compares by Unicode simple case folding
 * @param meter counts the work, before a text is looked at
 */
export function compileLike (pattern: string, ignoreCase: boolean, meter?: Meter): (text: string) => boolean {
  const runs = likeRuns(ignoreCase ? foldCase(pattern) : pattern)
  const hasSingle = runs.some(run => run.includes(undefined))
  const plain = hasSingle ? compileRuns(runs) : compileTexts(runs.map(run => run.join('')))
  const test = ignoreCase ? (text: string) => plain(foldCase(text)) : plain
  if (meter === undefined) return test
  const longest = runs.reduce((most, run) => Math.max(most, run.length), 1)
  const units = hasSingle ? Math.max(searched, longest * tried) : searched
  return text => {
    meter.spend(1 + (units + (ignoreCase ? (isAscii(text) ? folded.ascii : folded.other) : 0)) * text.length)
    return test(text)
  }
}

/**
 * The parts of a `like` pattern between its `%`: lists of characters, undefined for `_`. A backslash takes the meaning
 * from what follows it.
 *
 * ```js
 * likeRuns('a_%c') // [['a', undefined], ['c']]
 * ```
 */
export function likeRuns (pattern: string): Run[] {
  const runs: Array<Array<string | undefined>> = [[]]
  let escaped = false
  for (const character of pattern) {
    const run = runs[runs.length - 1] as Array<string | undefined>
    if (escaped) { run.push(character); escaped = false } else if (character === '\\') escaped = true
    else if (character === '%') runs.push([])
    else run.push(character === '_' ? undefined : character)
  }
  if (escaped) runs[runs.length - 1]?.push('\\')
  return runs
}

/** Without `_`, JavaScript's own search does it. */
function compileTexts (texts: readonly string[]): (text: string) => boolean {
  const first = texts[0] as string
  if (texts.length === 1) return text => text === first
  const last = texts[texts.length - 1] as string
  const middle = texts.slice(1, -1).filter(text => text !== '')
  const least = first.length + last.length
  return text => {
    if (text.length < least || !text.startsWith(first) || !text.endsWith(last)) return false
    let at = first.length
    const end = text.length - last.length
    for (const wanted of middle) {
      const found = text.indexOf(wanted, at)
      if (found < 0 || found + wanted.length > end) return false
      at = found + wanted.length
    }
    return true
  }
}

/** The first run stands at the beginning, the last one at the end, those between wherever they come first. */
function compileRuns (runs: readonly Run[]): (text: string) => boolean {
  const first = runs[0] as Run
  const last = runs[runs.length - 1] as Run
  const middle = runs.slice(1, -1)
  return text => {
    const characters = hasPairs(text) ? [...text] : text
    const { length } = characters
    if (runs.length === 1) return length === first.length && standsAt(characters, 0, first)
    const end = length - last.length
    let at = first.length
    if (at > end || !standsAt(characters, 0, first) || !standsAt(characters, end, last)) return false
    for (const run of middle) {
      while (at + run.length <= end && !standsAt(characters, at, run)) at++
      if (at + run.length > end) return false
      at += run.length
    }
    return true
  }
}

const hasPairs = (text: string): boolean => /[\ud800-\udfff]/.test(text)

function standsAt (characters: string | readonly string[], at: number, run: Run): boolean {
  for (let i = 0; i < run.length; i++) if (run[i] !== undefined && run[i] !== characters[at + i]) return false
  return true
}
