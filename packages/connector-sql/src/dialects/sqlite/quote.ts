/** Names and texts in the quotes of SQLite. */
import { IdentifierError } from '../../errors.js'

/**
 * @throws FBK_SQL_IDENTIFIER for an empty name, one with a NUL (the text of a statement ends there), or one that SQLite
 * keeps for itself
 */
export function quoteName (name: string): string {
  if (name === '' || name.includes('\0') || /^sqlite_/i.test(name)) throw new IdentifierError(JSON.stringify(name))
  return `"${name.replaceAll('"', '""')}"`
}

/** @throws FBK_SQL_IDENTIFIER for a text with a NUL */
export function quoteText (text: string): string {
  if (text.includes('\0')) throw new IdentifierError(JSON.stringify(text))
  return `'${text.replaceAll("'", "''")}'`
}
