/** Names of columns in texts of SQL that the database gives back. */

/**
 * The name right before a part of a text, the last time that it occurs: in quotes, or bare behind an opening bracket.
 *
 * ```js
 * nameBefore(' IS NULL', ' WHERE "deletedAt" IS NULL') // 'deletedAt'
 * ```
 */
export function nameBefore (part: string, text: string): string | undefined {
  const end = text.lastIndexOf(part)
  if (end === -1) return undefined
  if (text[end - 1] !== '"') return text.slice(text.lastIndexOf('(', end) + 1, end)
  let start = end - 2
  // A quote within the name is doubled.
  while (start >= 0 && (text[start] !== '"' || text[start - 1] === '"')) start -= text[start] === '"' ? 2 : 1
  return text.slice(start + 1, end - 1).replaceAll('""', '"')
}
