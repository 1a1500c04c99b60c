/** Finds by a few letters, as they come in order in what is looked for. */

/**
 * How well a text fits letters: 0 when they are not in it in this order; more when they are next to each other, at the
 * beginning, or at the beginning of words.
 *
 * ```js
 * fitOf('Data Note', 'note') > fitOf('Data Annotation', 'note')
 * ```
 */
function fitOf (text: string, letters: string): number {
  const [inside, wanted] = [text.toLowerCase(), letters.toLowerCase().replaceAll(/\s+/g, '')]
  if (wanted === '') return 1
  const at = inside.replaceAll(/\s/g, ' ').indexOf(letters.toLowerCase().trim())
  if (at >= 0) return 1000 - at + (at === 0 || isStart(text, at) ? 500 : 0) - inside.length / 1000
  let [from, score] = [0, 1]
  for (const letter of wanted) {
    const found = inside.indexOf(letter, from)
    if (found < 0) return 0
    score += found === from ? 5 : isStart(text, found) ? 8 : 1
    from = found + 1
  }
  return score - inside.length / 1000
}

const isStart = (text: string, at: number): boolean =>
  at === 0 || /[\s./_-]/.test(text[at - 1] as string) || (/[A-Z]/.test(text[at] as string) && /[a-z]/.test(text[at - 1] as string))

/** The items that fit best, the best first; all in their order for no letters. */
export function bestOf<T> (items: readonly T[], letters: string, textOf: (item: T) => string, most: number): T[] {
  if (letters.trim() === '') return items.slice(0, most)
  return items
    .map(item => ({ item, fit: fitOf(textOf(item), letters) }))
    .filter(({ fit }) => fit > 0)
    .sort((one, other) => other.fit - one.fit)
    .slice(0, most)
    .map(({ item }) => item)
}
