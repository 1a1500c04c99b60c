/**
 * Text without the difference of upper and lower case, by Unicode's simple folding: as many characters as before.
 *
 * ```js
 * foldCase('ÉCOLE') === foldCase('école') // true
 * ```
 */
export function foldCase (text: string): string {
  if (isAscii(text)) return text.toLowerCase()
  let folded = ''
  for (const character of text) folded += foldCharacter(character)
  return folded
}

/** Whether a text has ASCII only, so that folding it is quick. */
export const isAscii = (text: string): boolean => /^[\0-\x7f]*$/.test(text)

/** By way of the capital, so that `ς` and `σ` meet; the dotless i has a capital of another letter. */
function foldCharacter (character: string): string {
  if (character === 'ı') return character
  const upper = oneFor(character, character.toUpperCase())
  return oneFor(upper, upper.toLowerCase())
}

/** `changed`, if it is one character as well. */
function oneFor (character: string, changed: string): string {
  const isOne = changed.length === 1 || (changed.length === 2 && (changed.codePointAt(0) as number) > 0xffff)
  return isOne ? changed : character
}
