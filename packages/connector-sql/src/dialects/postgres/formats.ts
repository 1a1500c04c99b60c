/** How PostgreSQL's columns hold values (README, storage layout). */
import type { PropertyType } from '@fastback/core'
import { isDouble, isInt64 } from '../../query/integer-bound.js'
import { encodeJson, reviver } from '../../tables/json-text.js'
import { holdsLarge } from '../../tables/exact-json.js'
import type { ColumnFormat } from '../column-types.js'
import { finer } from '../finer.js'
import { isSingle, shownSingle, spanOfSingle } from '../single.js'
import { decodeDate, encodeDate, refusesDate, spanOfDate } from './dates.js'
import { codeJson, parseJson } from './text-code.js'

export interface PostgresFormat extends ColumnFormat {
  /** Type of bound values and of the elements of lists. */
  readonly sqlType: string
  /** Expression for the value's JSON text, NULL for NULL; undefined where only JavaScript can write it. */
  readonly jsonText: ((column: string) => string) | undefined
  /** Expression for the value as jsonb; undefined where conditions cannot look into it. */
  readonly jsonb: ((column: string) => string) | undefined
}

export const itself = <T>(value: T): T => value
const every = (): boolean => true
export const asText = (column: string): string => `${column}::text`

type Given = Partial<PostgresFormat> & Pick<PostgresFormat, 'name' | 'declaredType' | 'accepts' | 'encode' | 'decode'>

/** What most formats share. Raw values are texts, as PostgreSQL writes them. */
export function scalar (format: Given): PostgresFormat {
  const { sqlType = format.declaredType } = format
  const bound = format.bound ?? ((placeholder: string) => `${placeholder}::${sqlType}`)
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
    jsonText: asText,
    jsonb: undefined,
    sortedBound: bound,
    ...format,
    sqlType,
    bound,
    plain: format.plain ?? format.decode
  }
}

const isNumber = (value: unknown): boolean =>
  (typeof value === 'number' && !Number.isNaN(value)) || typeof value === 'bigint'
const numberOf = (value: unknown): unknown => typeof value === 'boolean' ? Number(value) : value

/** Digits as text; null for what is no number. */
function encodeNumber (given: unknown): string | null {
  const value = numberOf(given)
  return typeof value === 'number' && Number.isNaN(value) ? null : Object.is(value, -0) ? '0' : String(value)
}

const double: Given = {
  name: 'real',
  declaredType: 'double precision',
  accepts: isNumber,
  canStore: isDouble,
  encode: value => encodeNumber(typeof value === 'bigint' ? Number(value) : value),
  decode: Number
}

export const real = scalar(double)
export const single = scalar({
  ...double,
  declaredType: 'real',
  canStore: isSingle,
  span (value) {
    const { first, last } = spanOfSingle(value)
    return { first: String(shownSingle(first)), last: String(shownSingle(last)) }
  }
})
/**
 * Decimal numbers of existing columns. A double is written with the fewest digits that tell it apart, which is how
 * people mean it there.
 */
export const numeric = scalar({
  ...double,
  declaredType: 'numeric',
  encode: encodeNumber,
  canStore: value => typeof value === 'bigint' || Number.isFinite(value)
})

const encodeWhole = (given: unknown): string | null => {
  const value = numberOf(given)
  if (Number.isSafeInteger(value)) return String(value)
  return typeof value === 'number' && Number.isInteger(value) ? String(BigInt(value)) : encodeNumber(value)
}

/** Numbers that a double holds exactly are numbers, larger ones bigints. */
function decodeWhole (raw: unknown): unknown {
  const number = Number(raw)
  return Number.isSafeInteger(number) ? number : BigInt(raw as string)
}

/** No client reads another number: digits beyond those of a double are a text. */
const wholeText = (column: string): string =>
  `CASE WHEN ${column} BETWEEN ${Number.MIN_SAFE_INTEGER} AND ${Number.MAX_SAFE_INTEGER} THEN ${asText(column)} ` +
  `ELSE '"' || ${asText(column)} || '"' END`

export const integer = scalar({
  name: 'integer',
  declaredType: 'bigint',
  jsonText: wholeText,
  accepts: isNumber,
  canStore: isInt64,
  whole: true,
  refuses: value => isInt64(numberOf(value)) ? undefined : 'is not a whole number of 64 bits',
  encode: encodeWhole,
  decode: decodeWhole
})

/** The same of 16 or 32 bits. */
export const smallInteger = scalar({ ...integer, jsonText: asText })

export const boolean = scalar({
  name: 'boolean',
  declaredType: 'boolean',
  accepts: value => typeof value === 'boolean',
  encode: value => value === true || value === 1 ? 'true' : 'false',
  decode: raw => raw === 't' || raw === 'true'
})

const timeOfDay = '-MM-DD"T"HH24:MI:SS.MS"Z"'
const quotedDate = String.raw`"\""YYYY${timeOfDay.slice(0, -1)}\""`

/**
 * A date as `toISOString` writes it, in quotes. Years before 0 and after 9999 have a sign and six digits. There is no
 * query within it: PostgreSQL would plan that whenever it plans the statement, for as long as the rest of the row.
 */
function dateText (column: string): string {
  const far = `CASE WHEN ${column} > '0001-01-01' THEN '+' || lpad(to_char(${column}, 'YYYY${timeOfDay}'), 26, '0') ` +
    `WHEN ${column} >= '0001-01-01 BC' THEN '0000' || to_char(${column}, '${timeOfDay}') ` +
    `ELSE '-' || lpad((-1 - extract(year FROM ${column}))::int::text, 6, '0') || to_char(${column}, '${timeOfDay}') END`
  return `CASE WHEN ${column} >= '0001-01-01' AND ${column} < '10000-01-01' THEN to_char(${column}, '${quotedDate}') ` +
    `WHEN isfinite(${column}) THEN '"' || ${far} || '"' WHEN ${column} IS NOT NULL THEN 'null' END`
}

const epoch = (column: string): string => `extract(epoch FROM ${column}) * 1000`

export const date = scalar({
  name: 'date',
  declaredType: 'timestamptz(3)',
  sqlType: 'timestamptz',
  accepts: value => value instanceof Date && !Number.isNaN(value.getTime()),
  refuses: refusesDate,
  encode: encodeDate,
  decode: decodeDate,
  read: epoch,
  jsonText: dateText
})

/** Instants of more than three digits, of which rows show three. */
export const finerDate = scalar({ ...date, ...finer(spanOfDate, date.bound) })

/** Its lines have an end after 76 characters each. */
const base64 = (column: string): string => `'"' || translate(encode(${column}, 'base64'), E'\\n', '') || '"'`

export const bytes = scalar({
  name: 'blob',
  declaredType: 'bytea',
  accepts: value => value instanceof Uint8Array,
  encode: value =>
    value instanceof Uint8Array
      ? Buffer.from(value.buffer, value.byteOffset, value.byteLength)
      : Buffer.from(String(value)),
  decode: raw => Buffer.from((raw as string).slice(2), 'hex'),
  jsonText: base64
})

/** The same for models whose bytes are in JSON as LoopBack has them. */
export const loopbackBytes: PostgresFormat = { ...bytes, jsonText: undefined }

export function json (type: PropertyType, declaredType: 'jsonb' | 'json'): PostgresFormat {
  const revive = reviver(type)
  const plain = (raw: unknown): unknown => parseJson(raw as string)
  return {
    ...scalar({
      name: 'json',
      declaredType,
      comparable: false,
      accepts: every,
      encode: value => codeJson(encodeJson(value)),
      decode: revive === undefined ? plain : raw => revive(plain(raw)),
      jsonText: holdsLarge(type) ? undefined : asText,
      jsonb: declaredType === 'jsonb' ? itself : column => `${column}::jsonb`
    }),
    plain
  }
}
