import { distance as editDistance } from 'fastest-levenshtein'

/**
 * " Did you mean "Product"?" for the candidate nearest to a misspelt name, or an empty text when none is near.
 *
 * ```js
 * nearest('Prodct', ['Product', 'Order']) // ' Did you mean "Product"?'
 * nearest('zzz', ['Product', 'Order']) // ''
 * ```
 */
export function nearest (name: string, candidates: readonly string[]): string {
  let best: string | undefined
  let bestDistance = Math.max(2, Math.floor(name.length / 3)) + 1
  for (const candidate of candidates) {
    const distance = editDistance(name.toLowerCase(), candidate.toLowerCase())
    if (distance < bestDistance) { best = candidate; bestDistance = distance }
  }
  return best === undefined ? '' : ` Did you mean "${best}"?`
}
