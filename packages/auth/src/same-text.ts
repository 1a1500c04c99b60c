import { timingSafeEqual } from 'node:crypto'

/**
 * Whether a secret that was looked up is the one that was sent, unit by unit, in a time that does not depend on where
 * they differ (security.md, S-79). A store may have found it by other letters, with blanks behind it, or in another
 * form of Unicode: what it takes for equal opens nothing.
 *
 * ```js
 * isSameText(token?.id, sent) // false where there is no token
 * ```
 */
export function isSameText (stored: unknown, sent: unknown): boolean {
  if (typeof stored !== 'string' || typeof sent !== 'string' || stored.length !== sent.length) return false
  return timingSafeEqual(Buffer.from(stored, 'utf16le'), Buffer.from(sent, 'utf16le'))
}
