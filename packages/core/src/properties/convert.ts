/**
 * Conversions of single values to a property's type, by LoopBack's in-process rules (behaviour.md, section 1) without
 * its silent accidents (security.md, S-32): what cannot be converted gives `invalid`, never NaN, `[object Object]` or
 * another day.
 */
import { readIsoInstant } from './instants.js'
import type { GeoPoint } from './types.js'

/** What a conversion gives for a value that is not of the type and cannot become it. */
export const invalid: unique symbol = Symbol('invalid')
export type Invalid = typeof invalid

/** Numbers and booleans become text, dates ISO text; objects only when their class says how (ObjectID and its like). */
export function toText (value: unknown): string | Invalid {
  switch (typeof value) {
    case 'string': return value
    case 'number': case 'boolean': case 'bigint': return String(value)
    case 'object': break
    default: return invalid
  }
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? invalid : value.toISOString()
  if (value === null || Array.isArray(value) || value instanceof Uint8Array || Object.hasOwn(value, 'toString')) {
    return invalid
  }
  const { toString } = value
  return typeof toString === 'function' && toString !== Object.prototype.toString ? String(value) : invalid
}

/** Digits of a whole number at most: reading more of them takes its time, and no column has them. */
const mostDigits = 1000

/**
 * Whether a text says a whole number that no double holds exactly: JSON has such a number as text (`bigIntAsJson`).
 *
 * ```js
 * isLargeInteger('9007199254740993') // true
 * ```
 */
export const isLargeInteger = (text: string): boolean =>
  text.length > 15 && text.length <= mostDigits && !Number.isSafeInteger(Number(text)) && /^\s*[+-]?\d+\s*$/.test(text)

/**
 * Finite numbers; numeric text, booleans (1, 0) and dates (milliseconds) are converted. A number that no double holds
 * is a bigint.
 */
export function toNumber (value: unknown): number | bigint | Invalid {
  switch (typeof value) {
    case 'number': return Number.isFinite(value) ? value : invalid
    case 'string': {
      if (value.trim() === '') return invalid
      const number = Number(value)
      return isLargeInteger(value) ? BigInt(value) : Number.isFinite(number) ? number : invalid
    }
    case 'boolean': return value ? 1 : 0
    case 'bigint': return narrowBigInt(value)
    default: return value instanceof Date && !Number.isNaN(value.getTime()) ? value.getTime() : invalid
  }
}

/** The number, where a double holds it exactly. */
export function narrowBigInt (value: bigint): number | bigint {
  const number = Number(value)
  return Number.isSafeInteger(number) ? number : value
}

/** Like numbers, without fractions. */
export function toInteger (value: unknown): number | bigint | Invalid {
  const number = toNumber(value)
  return typeof number === 'number' && !Number.isInteger(number) ? invalid : number
}

/**
 * Whole numbers of 64 bits, with a sign or without, as numbers where a double holds them. A number beyond the safe ones
 * is refused: its last digits are not those that were written.
 *
 * ```js
 * toBigInt('9007199254740993') // 9007199254740993n
 * toBigInt(2 ** 53) // invalid, a symbol
 * ```
 */
export function toBigInt (value: unknown): number | bigint | Invalid {
  if (typeof value === 'number' && !Number.isSafeInteger(value)) return invalid
  const whole = toInteger(value)
  return typeof whole === 'bigint' && (whole < -(2n ** 63n) || whole >= 2n ** 64n) ? invalid : whole
}

/** `'true'`, `'1'`, `'false'`, `'0'` and empty text by meaning, other text and numbers by truth, as LoopBack has it. */
export function toBoolean (value: unknown): boolean | Invalid {
  switch (typeof value) {
    case 'boolean': return value
    case 'string': return value !== 'false' && value !== '0' && value !== ''
    case 'number': return Number.isNaN(value) ? invalid : value !== 0
    case 'bigint': return value !== 0n
    default: return invalid
  }
}

const isoDay = /^(\d{4})-(\d{2})-(\d{2})(?!\d)/

/**
 * Dates, milliseconds, and text that `Date` understands, if it names a day that exists (`Date` itself turns 30 February
 * into 1 March).
 *
 * ```js
 * toDate('2020-02-30') // invalid, a symbol
 * ```
 */
export function toDate (value: unknown): Date | Invalid {
  if (value instanceof Date) return Number.isNaN(value.getTime()) ? invalid : value
  if (typeof value !== 'string' && typeof value !== 'number') return invalid
  const known = typeof value === 'string' ? readIsoInstant(value) : undefined
  if (known !== undefined) return known
  const date = new Date(value)
  if (Number.isNaN(date.getTime())) return invalid
  const day = typeof value === 'string' ? isoDay.exec(value) : null
  return day !== null && Number(day[3]) > daysInMonth(Number(day[1]), Number(day[2])) ? invalid : date
}

/** @param month 1 to 12 */
export const daysInMonth = (year: number, month: number): number => {
  // `Date.UTC` would read the years 0–99 as 1900–1999; a year 400 later has the same months.
  return new Date(Date.UTC(year + 400, month, 0)).getUTCDate()
}

/**
 * Buffers, byte lists, text (its UTF-8 bytes), and the two JSON forms of binary data: Node's and LoopBack's `{ $type:
 * 'base64', $data }`.
 */
export function toBuffer (value: unknown): Buffer | Invalid {
  if (Buffer.isBuffer(value)) return value
  if (value instanceof Uint8Array) return Buffer.from(value.buffer, value.byteOffset, value.byteLength)
  if (typeof value === 'string') return Buffer.from(value, 'utf8')
  if (Array.isArray(value)) return ofBytes(value)
  if (value === null || typeof value !== 'object') return invalid
  const { type, data, $type, $data } = value as Record<string, unknown>
  if (type === 'Buffer' && Array.isArray(data)) return ofBytes(data)
  return $type === 'base64' && typeof $data === 'string' ? readBase64($data) : invalid
}

/** The bytes of Base64, in either alphabet, its padding optional; Node itself ignores what is none. */
export const readBase64 = (text: string): Buffer | Invalid => isBase64(text) ? Buffer.from(text, 'base64') : invalid

const ofBytes = (bytes: readonly unknown[]): Buffer | Invalid =>
  bytes.every(byte => typeof byte === 'number' && Number.isInteger(byte) && byte >= 0 && byte <= 255)
    ? Buffer.from(bytes as number[])
    : invalid

const isBase64 = (text: string): boolean =>
  text.replace(/(?<!=)=+$/, '').length % 4 !== 1 && /^[A-Za-z0-9+/_-]*={0,2}$/.test(text)

/**
 * A point from `'lat,lng'`, `[lat, lng]`, `{ lat, lng }`, or JSON text of the latter two; a symbol for what is none, or
 * not within ±90 and ±180 degrees.
 *
 * ```js
 * toGeoPoint('52.5,13.4') // { lat: 52.5, lng: 13.4 }
 * ```
 */
export function toGeoPoint (value: unknown): GeoPoint | Invalid {
  const point = typeof value === 'string' ? parsePoint(value) : value
  if (point === null || typeof point !== 'object') return invalid
  const [lat, lng] = Array.isArray(point)
    ? point.length === 2 ? point.map(degrees) : []
    : [degrees((point as GeoPoint).lat), degrees((point as GeoPoint).lng)]
  if (lat === undefined || lng === undefined) return invalid
  return Math.abs(lat) <= 90 && Math.abs(lng) <= 180 ? { lat, lng } : invalid
}

const degrees = (value: unknown): number | undefined => {
  const number = typeof value === 'boolean' ? invalid : toNumber(value)
  return typeof number === 'number' ? number : undefined
}

function parsePoint (text: string): unknown {
  if (/^\s*[[{]/.test(text)) return parseJson(text)
  return text.split(',')
}

/** The value of JSON text, or undefined for text that is none. */
export function parseJson (text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}
