/** Which characters are the same when case does not count: what `foldCase` makes of them, the other way round. */
import { foldCase } from '@fastback/core/connector'

/** No character with case lies beyond. */
const last = 0x1ffff

/**
 * Characters outside of ASCII by what they are folded to. Made when it is first needed (some milliseconds), and always
 * the same.
 */
class FoldTable {
  #made: Map<string, string[]> | undefined

  othersOf (character: string): readonly string[] {
    return (this.#made ??= make()).get(character) ?? []
  }
}

function make (): Map<string, string[]> {
  const made = new Map<string, string[]>()
  for (let code = 0x80; code <= last; code++) {
    if (code === 0xd800) code = 0xe000
    const character = String.fromCodePoint(code)
    const folded = foldCase(character)
    if (folded === character) continue
    const others = made.get(folded)
    if (others === undefined) made.set(folded, [character])
    else others.push(character)
  }
  return made
}

const foldTable = new FoldTable()

/** Those that are folded to letters of ASCII. */
const intoAscii: Readonly<Record<string, readonly string[]>> = { k: ['\u212a'], s: ['\u017f'] }

/**
 * What `translate(…, from, to)` has to put for the characters of a folded pattern, so that (after `lower` for ASCII) a
 * text can be compared with it.
 */
export function foldedFrom (pattern: string): { readonly from: string, readonly to: string } {
  let from = ''
  let to = ''
  for (const character of new Set(pattern)) {
    for (const other of character < '\u0080' ? intoAscii[character] ?? [] : foldTable.othersOf(character)) {
      from += other
      to += character
    }
  }
  return { from, to }
}
