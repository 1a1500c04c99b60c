/** Patterns of `like` as regular expressions that MongoDB runs in linear time. */
import { foldCase, likeRuns } from '@fastback/core/connector'

/**
 * SQL's LIKE as a regular expression (with the option `s`). Each run is searched where it comes first and not tried
 * elsewhere again: a lookahead that is captured is atomic, in every engine. Letters in both cases are written out, so
 * that case is the reference's and not the engine's.
 *
 * ```js
 * likePattern('a%b', false) // '^a[\\s\\S]*b(?![\\s\\S])'
 * ```
 */
export function likePattern (pattern: string, ignoreCase: boolean): string {
  const runs = likeRuns(ignoreCase ? foldCase(pattern) : pattern)
  const written = runs.map(run => run.map(character => characterPattern(character, ignoreCase)).join(''))
  const end = '(?![\\s\\S])'
  if (written.length === 1) return `^${written[0] as string}${end}`
  const middle = written
    .slice(1, -1)
    .filter(run => run !== '')
    .map((run, i) => `(?=([\\s\\S]*?${run}))\\${i + 1}`)
  return `^${written[0] as string}${middle.join('')}[\\s\\S]*${written.at(-1) as string}${end}`
}

/** Whether a text of 24 hexadecimal digits, which may be stored as an ObjectID, can match. */
export function canMatchObjectId (pattern: string, ignoreCase: boolean): boolean {
  const characters = likeRuns(ignoreCase ? foldCase(pattern) : pattern).flat()
  const literals = characters.filter(character => character !== undefined)
  return literals.length <= 24 && literals.every(character => /^[0-9a-f]$/.test(character))
}

function characterPattern (character: string | undefined, ignoreCase: boolean): string {
  if (character === undefined) return '[\\s\\S]'
  const same = ignoreCase ? variants.of(character) : [character]
  return same.length === 1 ? escaped(character) : `(?:${same.map(escaped).join('|')})`
}

/** A BSON pattern has no NUL in it. */
const escaped = (character: string): string =>
  character === '\0' ? '\\x00' : character.replace(/[\\^$.*+?()[\]{}|/]/, '\\$&')

/** Made when the first pattern asks for it (some milliseconds), and always the same. */
class Variants {
  #byFolded: ReadonlyMap<string, readonly string[]> | undefined

  /** All characters that are the same without case: `k` is also `K`, and the sign for kelvin. */
  of (folded: string): readonly string[] {
    return (this.#byFolded ??= foldedTable()).get(folded) ?? [folded]
  }
}

const variants = new Variants()

/** No character with case lies beyond. */
const last = 0x1ffff

function foldedTable (): Map<string, string[]> {
  const table = new Map<string, string[]>()
  for (let code = 0; code <= last; code++) {
    if (code >= 0xd800 && code < 0xe000) continue
    const character = String.fromCodePoint(code)
    const folded = foldCase(character)
    if (folded === character) continue
    const known = table.get(folded)
    if (known === undefined) table.set(folded, [folded, character])
    else known.push(character)
  }
  return table
}
