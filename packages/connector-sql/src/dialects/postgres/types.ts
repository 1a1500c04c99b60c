/** Which format a property has in PostgreSQL. */
import type { PropertyType } from '@fastback/core'
import { encodeJson, reviver } from '../../tables/json-text.js'
import { calendarIn } from '../calendar.js'
import type { ColumnFormat } from '../column-types.js'
import { decimalOf, digitsAsText, isExact } from './decimals.js'
import {
  isArray, isBinary, isBoolean, isNumeric, isDocument, isDouble, isInteger, isMoment, isOfMilliseconds, isPadded,
  isPoint, isSingle, isSmallInteger, isTextual, isUuidType
} from './declared-types.js'
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
import { arrayOf, point } from './native-formats.js'
import { codeJson, decodeText } from './text-code.js'
import { calendars, castText, encodeText, padded, text, uuid } from './texts.js'

/** The format of a property, in an existing column when `declaredType` is given. */
export const formatOf = (type: PropertyType, declaredType: string | undefined): PostgresFormat =>
  declaredType === undefined
    ? formatOfNew(type)
    : formatOfExisting(type, declaredType) ?? foreignFormat(type, declaredType)

/** In a column that is made for it. */
function formatOfNew (type: PropertyType): PostgresFormat {
  switch (type.kind) {
    case 'string': return type.calendar === undefined ? text : calendars[type.calendar]
    case 'decimal': return decimalOf(type, undefined)
    case 'number': return real
    case 'integer': case 'long': case 'bigint': return integer
    case 'boolean': return boolean
    case 'date': return date
    case 'buffer': return bytesOf(type)
    default: return json(type, 'jsonb')
  }
}

/** In a column that is there; undefined where its type is nothing like the property's. */
function formatOfExisting (type: PropertyType, declared: string): PostgresFormat | undefined {
  switch (type.kind) {
    case 'string': {
      const calendar = calendarIn(type, declared)
      if (calendar !== undefined) return calendars[calendar]
      if (isPadded(declared)) return padded
      if (isTextual(declared)) return text
      if (isExact(declared)) return digitsAsText(declared)
      return isUuidType(declared) ? uuid : undefined
    }
    case 'decimal': return isExact(declared) ? decimalOf(type, declared) : undefined
    case 'number':
      if (isDouble(declared)) return real
      if (isSingle(declared)) return single
      if (isInteger(declared)) return wholeOf(declared)
      return isNumeric(declared) ? numeric : undefined
    case 'integer': case 'long': case 'bigint': return isInteger(declared) ? wholeOf(declared) : undefined
    case 'boolean': return isBoolean(declared) ? boolean : undefined
    case 'date':
      if (isOfMilliseconds(declared)) return date
      return isMoment(declared) ? finerDate : undefined
    case 'buffer': return isBinary(declared) ? bytesOf(type) : undefined
    default:
      if (isDocument(declared)) return json(type, /^jsonb$/i.test(declared) ? 'jsonb' : 'json')
      if (isArray(declared)) return arrayOf(type, declared)
      return isPoint(declared) ? point(type) : undefined
  }
}

const wholeOf = (declared: string): PostgresFormat => isSmallInteger(declared) ? smallInteger : integer

const bytesOf = (type: PropertyType): PostgresFormat => type.bytes === 'loopback' ? loopbackBytes : bytes

/** In a column of another type: its text is read as well as can be, and JavaScript decides conditions. */
function foreignFormat (type: PropertyType, declared: string): PostgresFormat {
  switch (type.kind) {
    case 'string': return castText(declared)
    case 'decimal': {
      const base = decimalOf(type, undefined)
      return foreign(base, declared, raw => base.decode(raw))
    }
    case 'number': return foreign(real, declared, Number)
    case 'integer': case 'long': case 'bigint': return foreign(integer, declared, Number)
    case 'boolean': return foreign(boolean, declared, raw => /^(?:t|true|1|y)/i.test(raw))
    case 'date': return foreign(date, declared, raw => new Date(/^-?\d{6,16}$/.test(raw) ? Number(raw) : raw))
    case 'buffer': return foreign(bytes, declared, raw => Buffer.from(raw))
    default: {
      const revive = reviver(type) ?? itself
      return foreign(json(type, 'jsonb'), declared, raw => revive(parsed(raw)))
    }
  }
}

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

function parsed (raw: string): unknown {
  try {
    return JSON.parse(raw)
  } catch {
    return raw
  }
}
