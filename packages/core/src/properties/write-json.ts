/** JSON text of single values, faster than `JSON.stringify` for what rows are mostly made of. */
import { knownIsoText } from './instants.js'

const MS_PER_DAY = 86_400_000
/**
 * Characters that JSON escapes, and halves of surrogate pairs, which `JSON.stringify` escapes when they stand alone.
 */
// eslint-disable-next-line no-control-regex
const escaped = /[\u0000-\u001f"\\\ud800-\udfff]/

/** A string with its quotes. */
export function writeText (text: string): string {
  return escaped.test(text) ? JSON.stringify(text) : `"${text}"`
}

/** A finite number; anything else becomes null, as in `JSON.stringify`. */
export function writeNumber (value: number): string {
  return Number.isFinite(value) ? `${value}` : 'null'
}

/**
 * A number where a double holds it, else text: as a number the client would read another value (security.md, S-03).
 *
 * ```js
 * bigIntAsJson(7n) // 7
 * bigIntAsJson(2n ** 60n) // '1152921504606846976'
 * ```
 */
export function bigIntAsJson (value: bigint): number | string {
  const number = Number(value)
  return Number.isSafeInteger(number) ? number : `${value}`
}

/**
 * Makes a writer of dates (ISO text with milliseconds). It keeps the date part of the day it wrote last, because rows
 * of one list are mostly of few days and `toISOString` takes eight times as long.
 */
export function dateWriter (): (date: Date) => string {
  let day = NaN
  let prefix = ''
  return date => {
    const time = date.getTime()
    if (Number.isNaN(time)) return 'null'
    const known = knownIsoText(time)
    if (known !== undefined) return `"${known}"`
    const today = Math.floor(time / MS_PER_DAY)
    if (today !== day) {
      const text = date.toISOString()
      // Years beyond four digits are written with a sign and more digits.
      prefix = `"${text.slice(0, text.indexOf('T') + 1)}`
      day = today
    }
    const ms = time - today * MS_PER_DAY
    const seconds = Math.floor(ms / 1000)
    const minutes = Math.floor(seconds / 60)
    return `${prefix}${two(Math.floor(minutes / 60))}:${two(minutes % 60)}:${two(seconds % 60)}.${three(ms % 1000)}Z"`
  }
}

const two = (n: number): string => n < 10 ? `0${n}` : `${n}`
const three = (n: number): string => n < 10 ? `00${n}` : n < 100 ? `0${n}` : `${n}`

/**
 * Any value as `JSON.stringify` writes it, bigints included; undefined where it has no JSON form (functions, symbols,
 * undefined). Instances of model classes have a `toJSON` of their own and show what they show.
 *
 * ```js
 * writeValue([7, 2n ** 60n]) // '[7,"1152921504606846976"]'
 * ```
 */
export function writeValue (value: unknown): string | undefined {
  switch (typeof value) {
    case 'string': return writeText(value)
    case 'number': return writeNumber(value)
    case 'boolean': return value ? 'true' : 'false'
    case 'bigint': return JSON.stringify(bigIntAsJson(value))
    case 'object': return value === null ? 'null' : writeObject(value)
    default: return undefined
  }
}

/**
 * A list of plain objects that have the same members, as `writeValue` writes it, but names are written once.
 *
 * ```js
 * writeRecords([{ city: 'Lima', n: 2 }, { city: 'Quito', n: 1 }]) // '[{"city":"Lima","n":2},{"city":"Quito","n":1}]'
 * ```
 */
export function writeRecords (rows: ReadonlyArray<Readonly<Record<string, unknown>>>): string {
  const [first] = rows
  if (first === undefined) return '[]'
  const writeDate = dateWriter()
  const members = Object.keys(first).map((name, i) => ({ name, key: `${i === 0 ? '{' : ','}${writeText(name)}:` }))
  if (members.length === 0) return JSON.stringify(rows)
  let text = ''
  for (const row of rows) {
    text += text === '' ? '[' : ','
    for (const { name, key } of members) {
      const value = row[name]
      const written = value instanceof Date ? writeDate(value) : writeValue(value)
      // JSON leaves such a member out.
      if (written === undefined) return writeValue(rows) as string
      text += key + written
    }
    text += '}'
  }
  return `${text}]`
}

function writeObject (value: object): string | undefined {
  try {
    return JSON.stringify(value)
  } catch {
    // A bigint is all that a replacer can help with; a cycle throws again.
    return JSON.stringify(value, (_, inner: unknown) => typeof inner === 'bigint' ? bigIntAsJson(inner) : inner)
  }
}
