import type { Quantifier } from './ast.js'

/**
 * The words that conditions on the rows of a relation to several begin with.
 *
 * ```js
 * Object.keys({ some: {} }).every(name => quantifiers.has(name)) // true
 * ```
 */
export const quantifiers: ReadonlySet<string> = new Set<Quantifier>(['some', 'every', 'none'])
