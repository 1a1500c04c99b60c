/**
 * Kinds of properties whose values are one piece: without members, and equal in every store when they are equal here.
 *
 * ```js
 * plainKinds.has('date') // true
 * plainKinds.has('object') // false
 * ```
 */
export const plainKinds: ReadonlySet<string> =
  new Set(['string', 'number', 'integer', 'long', 'bigint', 'decimal', 'boolean', 'date'])
