/** Names and texts in the quotes of PostgreSQL. */
import { sha256 } from '@fastback/core/connector'
import { IdentifierError } from '../../errors.js'

/** PostgreSQL cuts longer names off, silently. */
const longest = 63

/** @throws FBK_SQL_IDENTIFIER for a name that is empty, too long (63 bytes), or has a NUL */
export function quoteName (name: string): string {
  if (name === '' || name.includes('\0') || Buffer.byteLength(name) > longest) {
    throw new IdentifierError(JSON.stringify(name))
  }
  return `"${name.replaceAll('"', '""')}"`
}

/** A name of an index that is short enough; a long one ends in a hash of the whole. */
export function indexName (name: string): string {
  if (Buffer.byteLength(name) <= longest) return name
  const hash = sha256(name, 'hex').slice(0, 10)
  return `${Buffer.from(name).subarray(0, longest - 11).toString().replace(/\ufffd$/, '')}_${hash}`
}

/** @throws FBK_SQL_IDENTIFIER for a text with a NUL */
export function quoteText (text: string): string {
  if (text.includes('\0')) throw new IdentifierError(JSON.stringify(text))
  return text.includes('\\')
    ? ` E'${text.replaceAll('\\', '\\\\').replaceAll("'", "''")}'`
    : `'${text.replaceAll("'", "''")}'`
}

/** A list of texts, of bytes, of null and of such lists, as PostgreSQL reads it. */
export const arrayText = (items: readonly unknown[]): string => `{${items.map(elementText).join()}}`

function elementText (item: unknown): string {
  if (item === null || item === undefined) return 'NULL'
  if (Array.isArray(item)) return arrayText(item)
  if (item instanceof Buffer) return `"\\\\x${item.toString('hex')}"`
  return `"${String(item).replaceAll('\\', '\\\\').replaceAll('"', '\\"')}"`
}
