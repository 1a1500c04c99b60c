import { typeNotAllowed } from './form-errors.js'

/**
 * A declared type without parameters and in small letters.
 *
 * ```js
 * bareType('Text/Plain; charset=utf-8') // 'text/plain'
 * ```
 */
export const bareType = (type: string): string => (type.split(';', 1)[0] as string).trim().toLowerCase()

/**
 * Checks the declared type of a file against those that are taken; none: all are.
 *
 * ```js
 * checkDeclaredType('image/png', ['image/*'])
 * ```
 * @param allowed types, `image/*` for all of a kind
 * @throws RequestError 415 CONTENT_TYPE_NOT_ALLOWED
 */
export function checkDeclaredType (type: string, allowed: readonly string[]): void {
  if (allowed.length === 0) return
  const given = bareType(type)
  const isAllowed = allowed.some(each => {
    const wanted = bareType(each)
    return wanted === given || wanted === '*/*' || (wanted.endsWith('/*') && given.startsWith(wanted.slice(0, -1)))
  })
  if (!isAllowed) throw typeNotAllowed(given, allowed)
}
