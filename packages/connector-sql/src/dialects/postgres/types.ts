/** Which format a property has in PostgreSQL. */
import type { PropertyType } from '@fastback/core'
import { encodeJson, reviver } from '../../tables/json-text.js'
import type { ColumnFormat } from '../column-types.js'
import { arrayOf, point } from './native-formats.js'
import {
  asText,
  boolean,
  bytes,
  castText,
  date,
  encodeText,
  integer,
  itself,
  json,
  numeric,
  real,
  scalar,
  single,
  text,
  uuid,
  type PostgresFormat
} from './formats.js'
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
    case 'string': return isTextual(declared)
    case 'number': return /^(?:double precision|float8|float|numeric|decimal)\b/i.test(declared)
    case 'integer': case 'long': return isInteger(declared)
    case 'boolean': return /^bool/i.test(declared)
    case 'date': return /^timestamp/i.test(declared)
    case 'buffer': return /^bytea$/i.test(declared)
    case 'array': return /^jsonb?$|\[\]$/i.test(declared)
    case 'geopoint': return /^(?:jsonb?|point)$/i.test(declared)
    default: return /^jsonb?$/i.test(declared)
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
