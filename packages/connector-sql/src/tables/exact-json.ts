/** JSON text with whole numbers that no double holds. */
import { randomUUID } from 'node:crypto'
import type { PropertyType } from '@fastback/core'

/** Digits in a row that may be such a number. */
const mayBeLarge = /\d{16}/

/** Texts, and numbers. */
const tokens = /"[^"\\]*(?:\\.[^"\\]*)*"|-?\d+(?:\.\d+)?(?:[eE][+-]?\d+)?/g

const isRounded = (token: string): boolean => /^-?\d{16,1000}$/.test(token) && String(Number(token)) !== token

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
  const marked = text.replaceAll(tokens, token => isRounded(token) ? `"${mark}${token}"` : token)
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
