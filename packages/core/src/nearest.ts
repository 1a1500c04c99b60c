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
  const best = nearestName(name, candidates)
  return best === undefined ? '' : ` Did you mean "${best}"?`
}

/**
 * The candidate nearest to a misspelt name; undefined when none is near.
 *
 * ```js
 * nearestName('Prodct', ['Product', 'Order']) // 'Product'
 * ```
 */
export function nearestName (name: string, candidates: readonly string[]): string | undefined {
  let best: string | undefined
  // Half of a short name being different makes another name of it: "Role" is not what "Note" was meant to be.
  // Every name of one letter is near to every other.
  let bestDistance = Math.min(name.length, Math.max(name.length > 4 ? 2 : 1, Math.floor(name.length / 3)) + 1)
  for (const candidate of candidates) {
    const distance = distanceOf(name.toLowerCase(), candidate.toLowerCase())
    if (distance < bestDistance) { best = candidate; bestDistance = distance }
  }
  return best
}

/** The same for names from outside: what is longer than names are is not compared, as that takes long. */
export const nearestOutside = (name: string, candidates: readonly string[]): string | undefined =>
  name.length > 64 ? undefined : nearestName(name, candidates)

/** The letters that differ; two that changed places count as one. */
function distanceOf (one: string, other: string): number {
  const distance = editDistance(one, other)
  return distance === 2 && sorted(one) === sorted(other) ? 1 : distance
}

const sorted = (text: string): string => [...text].sort().join('')
