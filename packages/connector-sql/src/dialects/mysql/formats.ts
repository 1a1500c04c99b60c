/** How MySQL's columns hold values (README, storage layout). */
import type { PropertyType } from '@fastback/core'
import { isDouble, isInt64 } from '../../query/integer-bound.js'
import { decodeJson, encodeWellFormedJson as encodeJson, reviver } from '../../tables/json-text.js'
import type { ColumnFormat } from '../column-types.js'
import { finer } from '../finer.js'
import { isSingle, shownSingle, spanOfSingle } from '../single.js'
import { decodeDate, encodeDate, isInRange, refusesDate, spanOfDate } from './dates.js'

export interface MysqlFormat extends ColumnFormat {
  /** Type of the elements of lists, for JSON_TABLE. */
  readonly listType: string
}

export const itself = <T>(value: T): T => value
export const every = (): boolean => true

type Given = Partial<MysqlFormat> & Pick<MysqlFormat, 'name' | 'declaredType' | 'accepts' | 'encode' | 'decode'>

/** What most formats share. */
export function scalar (format: Given): MysqlFormat {
  const bound = format.bound ?? itself
  return {
    comparable: true,
    verbatim: undefined,
    canStore: every,
    whole: false,
    refuses: undefined,
    span: undefined,
    equality: undefined,
    read: itself,
    readJson: itself,
    listed: format.encode,
    sorted: itself,
    jsonEncoding: 'decoded',
    listType: format.declaredType,
    sortedBound: bound,
    ...format,
    bound,
    plain: format.plain ?? format.decode
  }
}

/** The type to declare for texts that no index holds whole; `migrate.ts` makes others shorter. */
export const longText = 'LONGTEXT'

const isNumber = (value: unknown): boolean =>
  (typeof value === 'number' && !Number.isNaN(value)) || typeof value === 'bigint'
const numberOf = (value: unknown): unknown =>
  typeof value === 'boolean' ? Number(value) : typeof value === 'bigint' ? Number(value) : value
const isFinite = (value: unknown): boolean => isDouble(value) && (typeof value === 'bigint' || Number.isFinite(value))

const largest = Number.MAX_VALUE

/** A double; the database has no infinite ones. */
function encodeDouble (given: unknown): unknown {
  const value = numberOf(given)
  if (typeof value !== 'number') return value
  return Number.isNaN(value)
    ? null
    : value === Infinity
      ? largest
      : value === -Infinity
        ? -largest
        : value === 0
          ? 0
          : value
}

/** The stored number itself, which a column of 32 bits equals; what is too large for one the database refuses. */
function encodeSingle (given: unknown): unknown {
  const value = encodeDouble(given)
  const stored = Math.fround(value as number)
  return typeof value === 'number' && Number.isFinite(stored) ? stored : value
}

export const real = scalar({
  name: 'real',
  declaredType: 'DOUBLE',
  accepts: isNumber,
  canStore: isFinite,
  refuses: value => typeof value === 'number' && !Number.isFinite(value) ? 'is not finite' : undefined,
  encode: encodeDouble,
  decode: Number,
  verbatim: 'number',
  jsonEncoding: 'number'
})

export const single = scalar({
  ...real,
  declaredType: 'FLOAT',
  canStore: isSingle,
  encode: encodeSingle,
  decode: raw => shownSingle(Math.fround(Number(raw))),
  verbatim: undefined,
  jsonEncoding: 'decoded',
  listed: encodeSingle,
  listType: 'DOUBLE',
  span (value) {
    const { first, last } = spanOfSingle(value)
    return { first: encodeDouble(first), last: encodeDouble(last) }
  }
})

export const numeric = scalar({
  ...real,
  declaredType: 'DECIMAL',
  canStore: value => typeof value === 'bigint' || Number.isFinite(value),
  encode: value => String(typeof value === 'bigint' ? value : encodeDouble(value)),
  bound: placeholder => `CAST(${placeholder} AS DECIMAL(65, 30))`,
  sortedBound: placeholder => `CAST(${placeholder} AS DECIMAL(65, 30))`,
  listType: 'DECIMAL(65, 30)'
})

const encodeWhole = (given: unknown): string | null => {
  const value = typeof given === 'boolean' ? Number(given) : given
  if (typeof value === 'number' && Number.isNaN(value)) return null
  return typeof value === 'number' && Number.isInteger(value) ? String(BigInt(value)) : String(value)
}

/** Numbers that a double holds exactly are numbers, larger ones bigints. */
function decodeWhole (raw: unknown): unknown {
  const number = Number(raw)
  return Number.isSafeInteger(number) ? number : BigInt(raw as string)
}

const asSigned = (placeholder: string): string => `CAST(${placeholder} AS SIGNED)`

export const integer = scalar({
  name: 'integer',
  declaredType: 'BIGINT',
  accepts: isNumber,
  canStore: isInt64,
  whole: true,
  refuses: value =>
    isInt64(typeof value === 'boolean' ? Number(value) : value) ? undefined : 'is not a whole number of 64 bits',
  encode: encodeWhole,
  decode: decodeWhole,
  jsonEncoding: 'number',
  bound: asSigned,
  sortedBound: asSigned
})

export const boolean = scalar({
  name: 'boolean',
  declaredType: 'TINYINT(1)',
  accepts: value => typeof value === 'boolean',
  encode: value => value === true || value === 1 ? 1 : 0,
  decode: raw => raw === 1 || (Buffer.isBuffer(raw) ? raw[0] === 1 : Number(raw) !== 0),
  listType: 'INT'
})

const asDate = (placeholder: string): string => `CAST(${placeholder} AS DATETIME(6))`

export const date = scalar({
  name: 'date',
  declaredType: 'DATETIME(3)',
  accepts: value => value instanceof Date && !Number.isNaN(value.getTime()),
  canStore: isInRange,
  refuses: refusesDate,
  encode: encodeDate,
  decode: decodeDate,
  bound: asDate,
  sortedBound: asDate,
  listType: 'DATETIME(6)'
})

/** Instants of more than three digits, of which rows show three. */
export const finerDate = scalar({ ...date, ...finer(spanOfDate, asDate) })

export const bytes = scalar({
  name: 'blob',
  declaredType: 'LONGBLOB',
  accepts: value => value instanceof Uint8Array,
  encode: value =>
    value instanceof Uint8Array
      ? Buffer.from(value.buffer, value.byteOffset, value.byteLength)
      : Buffer.from(String(value)),
  decode: raw => (Buffer.isBuffer(raw) ? raw : Buffer.from(String(raw))),
  listed: value => Buffer.from(value as Uint8Array).toString('hex'),
  listType: 'LONGTEXT'
})

/** `BIT(n)`, which the database compares as numbers. */
export const bits = scalar({ ...bytes, comparable: false })

const decodeStored = (raw: unknown): unknown =>
  typeof raw === 'string' ? decodeJson(raw) : Buffer.isBuffer(raw) ? decodeJson(raw.toString()) : raw

/** JSON as the text that it was; in columns of type JSON as the database writes it. */
export function json (type: PropertyType): MysqlFormat {
  const revive = reviver(type)
  return {
    ...scalar({
      name: 'json',
      declaredType: longText,
      comparable: false,
      accepts: every,
      encode: encodeJson,
      decode: revive === undefined ? decodeStored : raw => revive(decodeStored(raw))
    }),
    plain: decodeStored
  }
}

/** Shapes of existing columns, as the texts that the database writes for them (`LINESTRING(0 0,1 1)`). */
export function shape (base: MysqlFormat): MysqlFormat {
  const read = (column: string): string => `ST_AsText(${column})`
  return {
    ...base,
    comparable: false,
    read,
    readJson: read,
    bound: placeholder => `ST_GeomFromText(${placeholder})`,
    sorted: read,
    sortedBound: itself
  }
}

/** Columns of the type `point` that were made before: x is the longitude, y the latitude. */
export function point (type: PropertyType): MysqlFormat {
  const read = (column: string): string =>
    `IF(${column} IS NULL, NULL, JSON_OBJECT('lat', ST_Y(${column}), 'lng', ST_X(${column})))`
  return {
    ...json(type),
    declaredType: 'POINT',
    read,
    readJson: read,
    encode (value) {
      const { lat, lng } = value as { readonly lat: number, readonly lng: number }
      return `POINT(${Number(lng)} ${Number(lat)})`
    },
    bound: placeholder => `ST_GeomFromText(${placeholder})`
  }
}
