/** Codes that people type (OI-142): eight letters without vowels, so that no words come about. */
import { randomInt } from 'node:crypto'

const letters = 'BCDFGHJKLMNPQRSTVWXZ'
const length = 8

/** A new one, as it is stored: `WDJBMJHT`. */
export const newUserCode = (): string =>
  Array.from({ length }, () => letters[randomInt(letters.length)] as string).join('')

/**
 * As it is shown.
 *
 * ```js
 * shownCode('WDJBMJHT') // 'WDJB-MJHT'
 * ```
 */
export const shownCode = (code: string): string => `${code.slice(0, 4)}-${code.slice(4)}`

const form = new RegExp(`^[${letters}]{${length}}$`)

/**
 * As it is stored, of what somebody typed in any case, with or without dash and blanks; undefined for what is no code.
 *
 * ```js
 * readUserCode('wdjb mjht') // 'WDJBMJHT'
 * ```
 */
export function readUserCode (text: string | undefined): string | undefined {
  if (text === undefined || text.length > 64) return undefined
  const code = text.replace(/[\s-]/g, '').toUpperCase()
  return form.test(code) ? code : undefined
}
