/** Which format a property has in PostgreSQL. */
import type { PropertyType } from '@fastback/core'
import { encodeJson, reviver } from '../../tables/json-text.js'
import type { ColumnFormat } from '../column-types.js'
import { calendarIn, keepsCalendar } from '../calendar.js'
import { canStoreUuid } from '../uuid.js'
import { decimalOf, digitsAsText, hasCapacity, isExact } from './decimals.js'
import { arrayOf, point } from './native-formats.js'
import {
  asText,
  boolean,
  bytes,
  date,
  finerDate,
  integer,
  smallInteger,
  itself,
  json,
  loopbackBytes,
  numeric,
  real,
  scalar,
  single,
  type PostgresFormat
} from './formats.js'
import { calendars, castText, encodeText, padded, text, uuid } from './texts.js'
import { codeJson, decodeText } from './text-code.js'

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

const wholeOf = (declared = ''): PostgresFormat => /^(?:small|int(?!8)|serial)/i.test(declared) ? smallInteger : integer

/** The format of a property, in an existing column when `declaredType` is given. */
export function formatOf (type: PropertyType, declaredType: string | undefined): PostgresFormat {
  switch (type.kind) {
    case 'string': {
      const calendar = calendarIn(type, declaredType)
      if (calendar !== undefined) return calendars[calendar]
      if (declaredType === undefined) return text
      if (/^(?:char|character|bpchar)(?:\(\d+\))?$/i.test(declaredType)) return padded
      if (isTextual(declaredType)) return text
      if (isExact(declaredType)) return digitsAsText(declaredType)
      return /^uuid$/i.test(declaredType) ? uuid : castText(declaredType)
    }
    case 'decimal': {
      const format = decimalOf(type, declaredType === undefined || isExact(declaredType) ? declaredType : undefined)
      return declaredType === undefined || isExact(declaredType)
        ? format
        : foreign(format, declaredType, raw => format.decode(raw))
    }
    case 'number':
      if (declaredType === undefined || /^(?:double precision|float8|float)\b/i.test(declaredType)) return real
      if (/^(?:real|float4)\b/i.test(declaredType)) return single
      if (isInteger(declaredType)) return wholeOf(declaredType)
      return /^(?:numeric|decimal)\b/i.test(declaredType) ? numeric : foreign(real, declaredType, Number)
    case 'integer':
    case 'long':
    case 'bigint':
      return declaredType === undefined || isInteger(declaredType)
        ? wholeOf(declaredType)
        : foreign(integer, declaredType, Number)
    case 'boolean':
      return declaredType === undefined || /^bool/i.test(declaredType)
        ? boolean
        : foreign(boolean, declaredType, raw => /^(?:t|true|1|y)/i.test(raw))
    case 'date':
      if (declaredType === undefined || /^date\b|^timestamp(?:tz)?\([0-3]\)/i.test(declaredType)) return date
      if (/^timestamp(?:tz)?\b/i.test(declaredType)) return finerDate
      return foreign(date, declaredType, raw => new Date(/^-?\d{6,16}$/.test(raw) ? Number(raw) : raw))
    case 'buffer':
      return declaredType === undefined || /^bytea$/i.test(declaredType)
        ? type.bytes === 'loopback' ? loopbackBytes : bytes
        : foreign(bytes, declaredType, raw => Buffer.from(raw))
    default: {
      if (declaredType === undefined || /^jsonb$/i.test(declaredType)) return json(type, 'jsonb')
      if (/^json$/i.test(declaredType)) return json(type, 'json')
      if (/\[\]$/.test(declaredType)) return arrayOf(type, declaredType)
      if (/^point$/i.test(declaredType)) return point(type)
      const revive = reviver(type) ?? itself
      return foreign(json(type, 'jsonb'), declaredType, raw => revive(parsed(raw)))
    }
  }
}

/** Whether a column has room for every value of a property, as it is (`TableMigration.holds`). */
export function holds (type: PropertyType, declared: string): boolean {
  switch (type.kind) {
    case 'string': return isTextual(declared) || keepsCalendar(type, declared, 6)
    case 'number': return /^(?:double precision|float8|float|numeric|decimal)\b/i.test(declared)
    case 'integer': case 'long': return isInteger(declared)
    case 'bigint': return /^(?:big(?:int|serial)|int8)\b/i.test(declared)
    case 'decimal': return hasCapacity(type, declared)
    case 'boolean': return /^bool/i.test(declared)
    case 'date': return /^timestamp/i.test(declared)
    case 'buffer': return /^bytea$/i.test(declared)
    case 'array': return /^jsonb?$|\[\]$/i.test(declared)
    case 'geopoint': return /^(?:jsonb?|point)$/i.test(declared)
    default: return /^jsonb?$/i.test(declared)
  }
}

/** https://www.postgresql.org/docs/current/functions-uuid.html: of version 12 the extension pgcrypto has it. */
export function uuidDefault (declared: string): string | undefined {
  if (/^uuid$/i.test(declared)) return 'gen_random_uuid()'
  return canStoreUuid(declared) ? 'gen_random_uuid()::text' : undefined
}

/**
 * Whether values come back as they were written (`ColumnTypes.keeps`). Of a text the database cuts nothing but blanks
 * beyond the length.
 */
export function keeps (type: PropertyType, declared: string): boolean {
  switch (type.kind) {
    case 'string':
      return /^(?:text|varchar|character varying|citext)\b/i.test(declared) || keepsCalendar(type, declared, 6)
    case 'number':
      return isInteger(declared) || /^(?:double precision|float8|float)\b|^(?:numeric|decimal)$/i.test(declared)
    case 'bigint': return isInteger(declared)
    case 'decimal': return isExact(declared)
    case 'date': return /^timestamp(?!\([0-2]\))/i.test(declared)
    case 'array': case 'geopoint': return /^jsonb?$/i.test(declared)
    default: return holds(type, declared)
  }
}

/** Names that PostgreSQL knows for a type beside the one that it gives. */
const typeNames: Readonly<Record<string, string>> = {
  int: 'integer', int2: 'smallint', int4: 'integer', int8: 'bigint', serial: 'integer', smallserial: 'smallint',
  bigserial: 'bigint', float4: 'real', float: 'double precision', float8: 'double precision', decimal: 'numeric',
  varchar: 'character varying', char: 'character', bpchar: 'character', bool: 'boolean',
  timestamp: 'timestamp without time zone', timestamptz: 'timestamp with time zone', time: 'time without time zone',
  timetz: 'time with time zone', varbit: 'bit varying'
}

/** `varchar(20)` is `character varying(20)`, `timestamp(3)` is `timestamp without time zone(3)`. */
export function canonicalType (type: string): string {
  const written = type.toLowerCase()
  const size = /\([^()]*\)/.exec(written)?.[0] ?? ''
  const name = written.replace(size, ' ').replace(/\s+/g, ' ').trim()
  return `${typeNames[name] ?? name}${size.replaceAll(' ', '')}`
}
