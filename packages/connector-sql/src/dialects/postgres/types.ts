/** How PostgreSQL's columns hold the values of properties (README, storage layout). */
import type { PropertyType } from '@fastback/core'
import { isInt64 } from '../../query/whole-bound.js'
import { encodeJson, reviver } from '../../tables/json-text.js'
import type { ColumnFormat } from '../column-types.js'
import { decodeDate, encodeDate, refusesDate } from './dates.js'
import { codeJson, codeText, decodeText, parseJson } from './text-code.js'

export interface PostgresFormat extends ColumnFormat {
  /** Type of bound values and of the elements of lists. */
  readonly sqlType: string
  /** Expression for the value's JSON text, NULL for NULL; undefined where only JavaScript can write it. */
  readonly jsonText: ((column: string) => string) | undefined
  /** Expression for the value as jsonb; undefined where conditions cannot look into it. */
  readonly jsonb: ((column: string) => string) | undefined
}

const itself = <T>(value: T): T => value
const every = (): boolean => true
const asText = (column: string): string => `${column}::text`
const binary = (column: string): string => `${column} COLLATE "C"`

type Given = Partial<PostgresFormat> & Pick<PostgresFormat, 'name' | 'declaredType' | 'accepts' | 'encode' | 'decode'>

/** What most formats share. Raw values are texts, as PostgreSQL writes them. */
function scalar (format: Given): PostgresFormat {
  const { sqlType = format.declaredType } = format
  const bound = format.bound ?? ((placeholder: string) => `${placeholder}::${sqlType}`)
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
    jsonText: asText,
    jsonb: undefined,
    sortedBound: bound,
    ...format,
    sqlType,
    bound,
    plain: format.plain ?? format.decode
  }
}

const isText = (value: unknown): boolean => typeof value === 'string'
const encodeText = (value: unknown): string =>
  codeText(typeof value === 'string' ? value : typeof value === 'object' ? encodeJson(value) : String(value))
const decodeString = (raw: unknown): string => decodeText(String(raw))

const text = scalar({
  name: 'text',
  declaredType: 'text',
  accepts: isText,
  encode: encodeText,
  decode: decodeString,
  jsonText: column => `to_json(${column})::text`,
  sorted: binary
})

/** Texts in columns of other types (enum, inet, …): compared as the text that the database writes. */
const castText = (declaredType: string): PostgresFormat => ({
  ...text,
  declaredType,
  comparable: false,
  read: asText,
  bound: placeholder => `${placeholder}::text::${declaredType}`,
  jsonText: column => `to_json(${column}::text)::text`
})

const isUuid = (value: unknown): boolean => /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(value as string)

const uuid = scalar({
  ...text,
  declaredType: 'uuid',
  read: asText,
  sqlType: 'uuid',
  canStore: isUuid,
  refuses: value => isUuid(String(value).toLowerCase()) ? undefined : 'is not a UUID',
  bound: placeholder => `${placeholder}::uuid`,
  sorted: column => `${column}::text COLLATE "C"`,
  sortedBound: placeholder => `${placeholder}::text`
})

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
  encode: value => encodeNumber(typeof value === 'bigint' ? Number(value) : value),
  decode: Number
}

const real = scalar(double)
const single = scalar({ ...double, declaredType: 'real' })
/**
 * Decimal numbers of existing columns. A double is written with the fewest digits that tell it apart, which is how
 * people mean it there.
 */
const numeric = scalar({
  ...double,
  declaredType: 'numeric',
  encode: encodeNumber,
  canStore: value => typeof value === 'bigint' || Number.isFinite(value)
})

const encodeWhole = (given: unknown): string | null => {
  const value = numberOf(given)
  return typeof value === 'number' && Number.isInteger(value) ? String(BigInt(value)) : encodeNumber(value)
}

/** Numbers that a double holds exactly are numbers, larger ones bigints. */
function decodeWhole (raw: unknown): unknown {
  const number = Number(raw)
  return Number.isSafeInteger(number) ? number : BigInt(raw as string)
}

const integer = scalar({
  name: 'integer',
  declaredType: 'bigint',
  accepts: isNumber,
  canStore: isInt64,
  whole: true,
  refuses: value => isInt64(numberOf(value)) ? undefined : 'is not a whole number of 64 bits',
  encode: encodeWhole,
  decode: decodeWhole
})

const boolean = scalar({
  name: 'boolean',
  declaredType: 'boolean',
  accepts: value => typeof value === 'boolean',
  encode: value => value === true || value === 1 ? 'true' : 'false',
  decode: raw => raw === 't' || raw === 'true'
})

const timeOfDay = '-MM-DD"T"HH24:MI:SS.MS"Z"'

/** A date as `toISOString` writes it, in quotes. Years before 0 and after 9999 have a sign and six digits. */
function dateText (column: string): string {
  const year = `(SELECT extract(year FROM ${column})::int + (${column} < '0001-01-01')::int AS y) years`
  const padded =
    "CASE WHEN y = 0 THEN '0000' ELSE CASE WHEN y < 0 THEN '-' ELSE '+' END || lpad(abs(y)::text, 6, '0') END"
  return (
    `CASE WHEN ${column} >= '0001-01-01' AND ${column} < '10000-01-01' THEN '"' || to_char(${column}, 'YYYY${timeOfDay}') || '"' ` +
    `WHEN isfinite(${column}) THEN (SELECT '"' || ${padded} || to_char(${column}, '${timeOfDay}') || '"' FROM ${year}) WHEN ${column} IS NOT NULL THEN 'null' END`
  )
}

const epoch = (column: string): string => `extract(epoch FROM ${column}) * 1000`

const date = scalar({
  name: 'date',
  declaredType: 'timestamptz',
  accepts: value => value instanceof Date && !Number.isNaN(value.getTime()),
  refuses: refusesDate,
  encode: encodeDate,
  decode: decodeDate,
  read: epoch,
  jsonText: dateText
})

const bytes = scalar({
  name: 'blob',
  declaredType: 'bytea',
  accepts: value => value instanceof Uint8Array,
  encode: value =>
    value instanceof Uint8Array
      ? Buffer.from(value.buffer, value.byteOffset, value.byteLength)
      : Buffer.from(String(value)),
  decode: raw => Buffer.from((raw as string).slice(2), 'hex'),
  jsonText: undefined
})

function json (type: PropertyType, declaredType: 'jsonb' | 'json'): PostgresFormat {
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
      jsonb: declaredType === 'jsonb' ? itself : column => `${column}::jsonb`
    }),
    plain
  }
}

/**
 * A column of a type that is nothing like the property's: its text is read as well as can be, and JavaScript decides
 * conditions.
 */
function foreign (base: ColumnFormat, declaredType: string, decode: (raw: string) => unknown): PostgresFormat {
  return scalar({
    name: base.name,
    declaredType,
    comparable: false,
    accepts: base.accepts,
    encode: value => foreignText(value, isInteger(declaredType)),
    decode: raw => decode(decodeText(raw as string)),
    read: asText,
    bound: placeholder => `${placeholder}::text::${declaredType}`,
    jsonText: undefined
  })
}

function foreignText (value: unknown, asNumber: boolean): string {
  if (value instanceof Date) return asNumber ? String(value.getTime()) : value.toISOString()
  if (typeof value === 'boolean' && asNumber) return String(Number(value))
  return typeof value === 'object' ? codeJson(encodeJson(value)) : encodeText(value)
}

const isTextual = (declared: string): boolean =>
  /^(?:text|varchar|character varying|char|character|bpchar|citext|name)\b/i.test(declared)
const isInteger = (declared: string): boolean =>
  /^(?:smallint|integer|int|int2|int4|int8|bigint|serial|bigserial|smallserial)\b/i.test(declared)

function parsed (raw: string): unknown {
  try {
    return JSON.parse(raw)
  } catch {
    return raw
  }
}

/** The format of a property, in an existing column when `declaredType` is given. */
export function formatOf (type: PropertyType, declaredType: string | undefined): PostgresFormat {
  switch (type.kind) {
    case 'string':
      if (declaredType === undefined || isTextual(declaredType)) return text
      return /^uuid$/i.test(declaredType) ? uuid : castText(declaredType)
    case 'number':
      if (declaredType === undefined || /^(?:double precision|float8|float)\b/i.test(declaredType)) return real
      if (/^(?:real|float4)\b/i.test(declaredType)) return single
      if (isInteger(declaredType)) return integer
      return /^(?:numeric|decimal)\b/i.test(declaredType) ? numeric : foreign(real, declaredType, Number)
    case 'integer':
    case 'long':
      return declaredType === undefined || isInteger(declaredType) ? integer : foreign(integer, declaredType, Number)
    case 'boolean':
      return declaredType === undefined || /^bool/i.test(declaredType)
        ? boolean
        : foreign(boolean, declaredType, raw => /^(?:t|true|1|y)/i.test(raw))
    case 'date':
      if (declaredType === undefined || /^(?:timestamp|timestamptz|date)\b/i.test(declaredType)) return date
      return foreign(date, declaredType, raw => new Date(/^-?\d{6,16}$/.test(raw) ? Number(raw) : raw))
    case 'buffer':
      return declaredType === undefined || /^bytea$/i.test(declaredType)
        ? bytes
        : foreign(bytes, declaredType, raw => Buffer.from(raw))
    default: {
      if (declaredType === undefined || /^jsonb$/i.test(declaredType)) return json(type, 'jsonb')
      if (/^json$/i.test(declaredType)) return json(type, 'json')
      const revive = reviver(type) ?? itself
      return foreign(json(type, 'jsonb'), declaredType, raw => revive(parsed(raw)))
    }
  }
}
