/** The text of tokens, and the form that is stored of it. */
import { randomInt } from 'node:crypto'
import { sha256 } from '@fastback/core/connector'

const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789'

/** Stored ids begin with it. No token does: what is found in a stolen store opens nothing. */
const mark = 'sha256-'

/** A token longer than this is none. */
const maxLength = 1024

export function generateToken (length = 64): string {
  let text = ''
  for (let i = 0; i < length; i++) text += alphabet[randomInt(alphabet.length)] as string
  return text
}

/**
 * SHA-256 is enough for 64 random characters.
 *
 * ```js
 * storedId(token.id) // 'sha256-…'
 * ```
 */
export const storedId = (token: string): string => mark + sha256(token)

export const isStoredId = (id: unknown): boolean => typeof id === 'string' && id.startsWith(mark)

/** Whether some collation may take a text for a stored id: in another case, with blanks or marks in between (S-79). */
export const resemblesStoredId = (text: string): boolean =>
  mayBeginMark(text.charCodeAt(0)) &&
  text.normalize('NFKD').replace(/[^A-Za-z0-9-]/g, '').toLowerCase().startsWith(mark)

/** False for the letters and digits that no collation takes for an "s": most tokens begin with one of them. */
const mayBeginMark = (code: number): boolean =>
  code === 0x53 || code === 0x73 ||
  !((code >= 0x30 && code <= 0x39) || (code >= 0x41 && code <= 0x5A) || (code >= 0x61 && code <= 0x7A))

/** Whether a text that a client sent may be a token at all. A stored id is none, however it is spelled. */
export const mayBeToken = (text: string): boolean => text !== '' && text.length <= maxLength && !resemblesStoredId(text)
