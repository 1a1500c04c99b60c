/** What attempts on an account are counted by. */
import { sha256 } from '@fastback/core/connector'

/** Longer ones are counted by their digest: keys are kept. */
const longest = 100

/**
 * The account that a condition asks for: values that a store may take for the same (other letters, accents, widths,
 * blanks around) count together.
 *
 * ```js
 * const name = accountName('Customer', { email: 'Ann@example.com' })
 * name === accountName('Customer', { email: 'ann@example.com ' }) // true
 * ```
 * @param where values by property, in the order of the look-up
 */
export function accountName (modelName: string, where: Readonly<Record<string, unknown>>): string {
  return JSON.stringify([
    modelName,
    ...Object.entries(where).map(([name, value]) => `${name}=${folded(String(value))}`)
  ])
}

/**
 * Names the account with an id, for `Attempt.id`.
 *
 * ```js
 * accountId('Customer', 7) // '["Customer","id","7"]'
 * ```
 */
export const accountId = (modelName: string, id: unknown): string =>
  JSON.stringify([modelName, 'id', short(String(id))])

const folded = (text: string): string =>
  short(
    text
      .normalize('NFKD')
      .replace(/\p{M}+/gu, '')
      .toLowerCase()
      .trim()
  )

const short = (text: string): string =>
  text.length <= longest ? text : sha256(text)
