/** How MySQL's columns hold values (README, storage layout). */
import type { PropertyType } from '@fastback/core'
import { isInt64 } from '../../query/whole-bound.js'
import { decodeJson, encodeWellFormedJson as encodeJson, reviver } from '../../tables/json-text.js'
import type { ColumnFormat } from '../column-types.js'
import { decodeDate, encodeDate, isInRange, refusesDate } from './dates.js'
import type { Server } from './flavour.js'

export interface MysqlFormat extends ColumnFormat {
  /** Type of the elements of lists, for JSON_TABLE. */
  readonly listType: string
}

const itself = <T>(value: T): T => value
const every = (): boolean => true

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

export const encodeText = (value: unknown): string =>
  typeof value === 'string' ? value : typeof value === 'object' ? encodeJson(value) : String(value)
const decodeText = (raw: unknown): string => Buffer.isBuffer(raw) ? raw.toString() : String(raw)

/** The type to declare for texts that no index holds whole; `migrate.ts` makes others shorter. */
export const longText = 'LONGTEXT'

/** Texts; in columns of other collations `=` is the column's own, ranges and orders are not. */
export function text ({ flavour: { collation } }: Server, declaredType: string | undefined): MysqlFormat {
  const isExact = declaredType === undefined || declaredType.includes(` ${collation}`)
  return scalar({
    name: 'text',
    declaredType: longText,
    accepts: value => typeof value === 'string',
    encode: encodeText,
    decode: decodeText,
    verbatim: 'string',
    listType: `LONGTEXT CHARACTER SET utf8mb4 COLLATE ${collation}`,
    sorted: isExact ? itself : column => `CONVERT(${column} USING utf8mb4) COLLATE ${collation}`
  })
}

const isNumber = (value: unknown): boolean =>
  (typeof value === 'number' && !Number.isNaN(value)) || typeof value === 'bigint'
const numberOf = (value: unknown): unknown =>
  typeof value === 'boolean' ? Number(value) : typeof value === 'bigint' ? Number(value) : value
const isFinite = (value: unknown): boolean => typeof value === 'bigint' || Number.isFinite(value)

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
  bound: undefined as never,
  sorted: column => `CAST(CAST(${column} AS CHAR) AS DOUBLE)`
})

export const numeric = scalar({
  ...real,
  declaredType: 'DECIMAL',
  encode: value => String(encodeDouble(value)),
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

export const date = scalar({
  name: 'date',
  declaredType: 'DATETIME(3)',
  accepts: value => value instanceof Date && !Number.isNaN(value.getTime()),
  canStore: isInRange,
  refuses: refusesDate,
  encode: encodeDate,
  decode: decodeDate,
  bound: placeholder => `CAST(${placeholder} AS DATETIME(6))`,
  sortedBound: placeholder => `CAST(${placeholder} AS DATETIME(6))`,
  listType: 'DATETIME(6)'
})

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

/** Columns of the type `point` that were made before: x is the longitude, y the latitude. */
export function point (type: PropertyType): MysqlFormat {
  return {
    ...json(type),
    declaredType: 'POINT',
    read: column => `IF(${column} IS NULL, NULL, JSON_OBJECT('lat', ST_Y(${column}), 'lng', ST_X(${column})))`,
    encode (value) {
      const { lat, lng } = value as { readonly lat: number, readonly lng: number }
      return `POINT(${Number(lng)} ${Number(lat)})`
    },
    bound: placeholder => `ST_GeomFromText(${placeholder})`
  }
}
