/** Names and texts in the quotes of MySQL. */
import { sha256 } from '@fastback/core/connector'
import { IdentifierError } from '../../errors.js'

/** Characters that a name can have. */
const longest = 64

/**
 * @throws FBK_SQL_IDENTIFIER for a name that is empty, longer than 64 characters, ends with a blank, or has a NUL or a
 * character beyond U+FFFF
 */
export function quoteName (name: string): string {
  if (name === '' || name.length > longest || name.endsWith(' ') || /[\0\ud800-\udfff]/.test(name)) {
    throw new IdentifierError(JSON.stringify(name))
  }
  return `\`${name.replaceAll('`', '``')}\``
}

/** A name of an index that is short enough; a long one ends in a hash of the whole. */
export function indexName (name: string): string {
  if (name.length <= longest) return name
  return `${name.slice(0, longest - 11)}_${sha256(name, 'hex').slice(0, 10)}`
}

/** Connections have NO_BACKSLASH_ESCAPES. */
export const quoteText = (text: string): string => `'${text.replaceAll("'", "''")}'`
