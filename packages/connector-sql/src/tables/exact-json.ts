/** JSON text with whole numbers that no double holds. */
import { randomUUID } from 'node:crypto'
import type { PropertyType } from '@fastback/core'

/** Digits in a row that may be such a number. */
const mayBeLarge = /\d{16}/

const number = /-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/y

const isRounded = (token: string): boolean => /^-?\d{16,1000}$/.test(token) && String(Number(token)) !== token

/** The text with such numbers as texts that begin with a mark. */
function withMarks (text: string, mark: string): string {
  let marked = ''
  let from = 0
  for (let at = 0; at < text.length; at++) {
    const letter = text[at] as string
    if (letter === '"') at = endOfText(text, at)
    else if (letter === '-' || (letter >= '0' && letter <= '9')) {
      number.lastIndex = at
      const [token = letter] = number.exec(text) ?? []
      if (isRounded(token)) {
        marked += `${text.slice(from, at)}"${mark}${token}"`
        from = at + token.length
      }
      at += token.length - 1
    }
  }
  return marked + text.slice(from)
}

/** Where the quote stands that ends the text which begins at `start`. */
function endOfText (text: string, start: number): number {
  let at = start + 1
  while (at < text.length && text[at] !== '"') at += text[at] === '\\' ? 2 : 1
  return at
}

/**
 * The value of a JSON text. A whole number whose digits a double would change is a bigint.
 *
 * ```js
 * parseExactly('[1, 9007199254740993]') // [1, 9007199254740993n]
 * ```
 */
export function parseExactly (text: string): unknown {
  if (!mayBeLarge.test(text)) return JSON.parse(text)
  const mark = randomUUID()
  const marked = withMarks(text, mark)
  if (marked === text) return JSON.parse(text)
  return JSON.parse(marked, (_key, value: unknown) =>
    typeof value === 'string' && value.startsWith(mark) ? BigInt(value.slice(mark.length)) : value)
}

/**
 * Whether values of a type may have such numbers within: as JSON of the database's, these would be rounded by whoever
 * reads it.
 */
export function holdsLarge ({ kind, items, members }: PropertyType): boolean {
  if (kind === 'long' || kind === 'bigint') return true
  return (items !== undefined && holdsLarge(items)) || Object.values(members ?? {}).some(holdsLarge)
}
