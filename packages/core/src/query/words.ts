/** Texts as words, for searches: what every store that has no opinion of its own takes for a word. */
import { foldCase } from './fold-case.js'

/** Letters with the marks on them, and digits, of every script; what stands between is none of it. */
const word = /[\p{L}\p{M}\p{N}]+/gu

/**
 * The words of a text in their order, without the difference of upper and lower case. Accents count: `cafe` is not
 * `café`.
 *
 * ```js
 * wordsOf('The café, 24/7!') // ['the', 'café', '24', '7']
 * ```
 */
export const wordsOf = (text: string): string[] => foldCase(text).match(word) ?? []
