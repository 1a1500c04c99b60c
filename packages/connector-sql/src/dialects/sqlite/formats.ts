/** How SQLite's columns hold values (README, storage layout). */
import type { PropertyType } from '@fastback/core'
import type { ColumnFormat } from '../column-types.js'
import { decodeDate, encodeDate } from './dates.js'
import { isDouble, isInt64 } from '../../query/integer-bound.js'
import { holdsLarge } from '../../tables/exact-json.js'
import { decodeJson, encodeJson, reviver } from '../../tables/json-text.js'

/**
 * Drivers end texts at a NUL. Texts with one go in and out as bytes; inside the database they are texts like all
 * others.
 */
const readText = (column: string): string =>
  `CASE WHEN instr(${column}, char(0)) THEN CAST(${column} AS BLOB) ELSE ${column} END`
const encodeText = (text: string): string | Buffer => text.includes('\0') ? Buffer.from(text) : text
const itself = <T>(value: T): T => value
const every = (): boolean => true

/**
 * What most formats share: JavaScript sees the same value as rows have, columns and values stand in statements as they
 * are.
 */
export const scalar = (
  format: Partial<ColumnFormat> &
    Pick<ColumnFormat, 'name' | 'declaredType' | 'accepts' | 'encode' | 'decode' | 'jsonEncoding'>
): ColumnFormat => ({
  comparable: true,
  verbatim: undefined,
  canStore: every,
  whole: false,
  refuses: undefined,
  span: undefined,
  equality: undefined,
  read: itself,
  readJson: itself,
  bound: itself,
  listed: itself,
  sorted: itself,
  ...format,
  sortedBound: format.bound ?? itself,
  plain: format.decode
})

const quotedJson = (column: string): string => `json_quote(CAST(${column} AS TEXT))`

export const text = scalar({
  name: 'text',
  declaredType: 'TEXT',
  accepts: value => typeof value === 'string',
  encode: value =>
    encodeText(typeof value === 'string' ? value : typeof value === 'object' ? encodeJson(value) : String(value)),
  decode: raw => (typeof raw === 'string' ? raw : raw instanceof Uint8Array ? bufferOf(raw).toString() : String(raw)),
  verbatim: 'string',
  read: readText,
  readJson: quotedJson,
  jsonEncoding: 'json',
  bound: placeholder => `CAST(${placeholder} AS TEXT)`
})

const largest = 2n ** 63n
const smallest = Number(-largest)

/**
 * Numbers that one of the drivers would round to an integer are bound as text: the column's affinity makes the same
 * number of it.
 */
function encodeNumber (value: unknown): unknown {
  if (typeof value === 'number') {
    if (Number.isInteger(value)) return value === 0 ? 0 : value
    if (Number.isNaN(value)) return null
    return Math.abs(value - Math.floor(value)) < Number.EPSILON ? String(value) : value
  }
  if (typeof value === 'bigint') return value >= -largest && value < largest ? value : Number(value)
  return typeof value === 'boolean' ? Number(value) : value
}

const isNumber = (value: unknown): boolean =>
  (typeof value === 'number' && !Number.isNaN(value)) || typeof value === 'bigint'

/** A column of numbers may hold a text, or bytes, of others: these are shown as they are. */
function numberIn (raw: unknown): unknown {
  const number = Number(raw)
  return Number.isNaN(number) ? raw : number
}

export const real = scalar({
  name: 'real',
  declaredType: 'REAL',
  accepts: isNumber,
  encode: encodeNumber,
  decode: raw => typeof raw === 'number' ? raw : numberIn(raw),
  verbatim: 'number',
  jsonEncoding: 'number',
  listed: value => typeof value === 'bigint' ? encodeNumber(value) : Number.isFinite(value) ? value : String(value)
})

/**
 * Numbers that a double holds exactly come as numbers, larger ones as bigints (Node's driver gives the smallest of all
 * as a number).
 */
function decodeInteger (raw: unknown): unknown {
  if (typeof raw === 'number') return raw === smallest ? -largest : raw
  return typeof raw === 'bigint' && !Number.isSafeInteger(Number(raw)) ? raw : numberIn(raw)
}

export const integer = scalar({
  ...real,
  name: 'integer',
  declaredType: 'INTEGER',
  // A double may stand in such a column, too: nothing else has all its digits there beyond 64 bits (security.md, S-03).
  canStore: value => isDouble(value) || isInt64(value),
  refuses: value => typeof value !== 'bigint' || isInt64(value) ? undefined : 'is not a whole number of 64 bits',
  decode: decodeInteger,
  verbatim: undefined
})

export const boolean = scalar({
  name: 'boolean',
  declaredType: 'INTEGER',
  accepts: value => typeof value === 'boolean',
  encode: value => value === true || value === 1 ? 1 : 0,
  decode: raw => raw === 1 || (raw !== 0 && raw !== 0n && raw !== '0' && raw !== 'false' && raw !== ''),
  jsonEncoding: 'boolean',
  listed: value => value === true ? 1 : 0
})

const isDate = (value: unknown): boolean => value instanceof Date && !Number.isNaN(value.getTime())

export const date = scalar({
  name: 'date',
  declaredType: 'TEXT',
  accepts: isDate,
  encode: value => encodeDate(value instanceof Date ? value : new Date(value as string)),
  decode: decodeDate,
  readJson: quotedJson,
  jsonEncoding: 'date',
  listed: value => encodeDate(value as Date)
})

/** Dates in the columns that LoopBack's SQLite connector made. */
export const milliseconds: ColumnFormat = {
  ...date,
  name: 'milliseconds',
  declaredType: 'INTEGER',
  readJson: itself,
  jsonEncoding: 'milliseconds',
  encode: value => { const time = new Date(value as Date).getTime(); return Number.isNaN(time) ? null : time },
  listed: value => (value as Date).getTime()
}

const bufferOf = (bytes: Uint8Array): Buffer => Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)

export const blob = scalar({
  name: 'blob',
  declaredType: 'BLOB',
  comparable: false,
  accepts: value => value instanceof Uint8Array,
  encode: value => value instanceof Uint8Array ? value : Buffer.from(String(value)),
  decode: raw => raw instanceof Uint8Array ? bufferOf(raw) : Buffer.from(String(raw)),
  jsonEncoding: 'decoded'
})

/** The plain data of a JSON column, dates still as text. */
function decodeStored (raw: unknown): unknown {
  return typeof raw === 'string'
    ? decodeJson(raw)
    : raw instanceof Uint8Array
      ? decodeJson(bufferOf(raw).toString())
      : raw
}

export function json (type: PropertyType): ColumnFormat {
  const revive = reviver(type)
  const format = scalar({
    name: 'json',
    declaredType: 'TEXT',
    comparable: false,
    accepts: () => true,
    encode: encodeJson,
    decode: revive === undefined ? decodeStored : raw => revive(decodeStored(raw)),
    readJson: column => `CASE WHEN json_valid(${column}) THEN ${column} ELSE json_quote(CAST(${column} AS TEXT)) END`,
    jsonEncoding: 'json'
  })
  return { ...format, ...(holdsLarge(type) ? { readJson: itself, jsonEncoding: 'decoded' as const } : {}), plain: decodeStored }
}
