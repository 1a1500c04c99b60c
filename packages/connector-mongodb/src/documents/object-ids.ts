/** Texts that stand for ObjectIDs. */

/** As an ObjectID is written by `toHexString`, so that the text comes back as it was. */
export const isObjectIdText = (text: string): boolean => /^[0-9a-f]{24}$/.test(text)

/** The same in any case, for ids: `507F…` finds the row `507f…`. */
export const isAnyObjectIdText = (text: string): boolean => /^[0-9a-fA-F]{24}$/.test(text)

const digits = '0123456789abcdef'
const length = 24

/**
 * The least text of an ObjectID that is not below `text`, as texts are ordered; undefined when all are below it. So
 * ranges of texts can be asked of fields that hold ObjectIDs.
 *
 * ```js
 * leastObjectId('5') // '500000000000000000000000'
 * leastObjectId('Mug') // 'a00000000000000000000000': capitals stand between the digits and the letters a to f
 * leastObjectId('tea') // undefined
 * ```
 */
export function leastObjectId (text: string): string | undefined {
  for (let i = 0; i < length; i++) {
    if (i === text.length) return text.padEnd(length, '0')
    const character = text[i] as string
    if (digits.includes(character)) continue
    const above = [...digits].find(digit => digit > character)
    return above === undefined ? successor(text.slice(0, i)) : (text.slice(0, i) + above).padEnd(length, '0')
  }
  return text.length === length ? text : successor(text.slice(0, length))
}

/** The least text of an ObjectID above all that begin with `start`. */
function successor (start: string): string | undefined {
  const kept = start.replace(/(?<!f)f+$/, '')
  if (kept === '') return undefined
  const next = digits[digits.indexOf(kept.slice(-1)) + 1] as string
  return (kept.slice(0, -1) + next).padEnd(length, '0')
}
