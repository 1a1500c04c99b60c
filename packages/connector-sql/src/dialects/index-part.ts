/** Indexes on a part of the rows, for databases that have them. */
import type { IndexDesign } from '../migration/design.js'

/**
 * Which rows an index holds, as the end of the statement that makes it; empty: all.
 *
 * ```js
 * partOf({ name: 'Note_slug', unique: true, columns, live: 'deletedAt' }, quoteName) // ' WHERE "deletedAt" IS NULL'
 * ```
 */
export function partOf (
  { columns: [first], exceptBlank, live }: IndexDesign, quote: (name: string) => string
): string {
  const tests = [
    ...(exceptBlank === true && first !== undefined ? [`${quote(first.name)} <> ''`] : []),
    ...(live === undefined ? [] : [`${quote(live)} IS NULL`])
  ]
  return tests.length === 0 ? '' : ` WHERE ${tests.join(' AND ')}`
}
