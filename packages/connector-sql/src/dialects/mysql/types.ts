/** Which format a property has in MySQL. */
import type { PropertyType } from '@fastback/core'
import { calendarIn } from '../calendar.js'
import { decimalOf, digitsAsText, isExact } from './decimals.js'
import {
  isBit, isBoolean, isDate, isNumeric, isDouble, isFiner, isInteger, isPoint, isShape, isSingle, isTextual,
  isUnsignedBigint, isUuidType
} from './declared-types.js'
import type { Server } from './flavour.js'
import {
  boolean,
  bits,
  bytes,
  date,
  finerDate,
  integer,
  json,
  numeric,
  point,
  real,
  scalar,
  shape,
  single,
  type MysqlFormat
} from './formats.js'
import { calendarOf, encodeText, text } from './texts.js'
import { unsigned } from './unsigned.js'
import { uuid } from './uuid.js'

/** The format of a property, in an existing column when `declaredType` is given. */
export const formatOf = (type: PropertyType, declaredType: string | undefined, server: Server): MysqlFormat =>
  declaredType === undefined
    ? formatOfNew(type, server)
    : formatOfExisting(type, declaredType, server) ?? foreignFormat(type, declaredType, server)

/** In a column that is made for it. */
function formatOfNew (type: PropertyType, server: Server): MysqlFormat {
  switch (type.kind) {
    case 'string': return type.calendar === undefined ? text(server, undefined) : calendarOf(type.calendar)
    case 'decimal': return decimalOf(type, undefined)
    case 'number': return real
    case 'integer': case 'long': case 'bigint': return integer
    case 'boolean': return boolean
    case 'date': return date
    case 'buffer': return bytes
    default: return json(type)
  }
}

/** In a column that is there; undefined where its type is nothing like the property's. */
function formatOfExisting (type: PropertyType, declared: string, server: Server): MysqlFormat | undefined {
  switch (type.kind) {
    case 'string': {
      const calendar = calendarIn(type, declared)
      if (calendar !== undefined) return calendarOf(calendar)
      if (isTextual(declared)) return text(server, declared)
      if (isShape(declared)) return shape(text(server, undefined))
      if (isExact(declared)) return digitsAsText(server, declared)
      return isUuidType(declared) ? uuid(server) : undefined
    }
    case 'decimal': return isExact(declared) ? decimalOf(type, declared) : undefined
    case 'number':
      if (isDouble(declared)) return real
      if (isSingle(declared)) return single
      if (isInteger(declared)) return wholeOf(declared)
      return isNumeric(declared) ? numeric : undefined
    case 'integer': case 'long': case 'bigint': return isInteger(declared) ? wholeOf(declared) : undefined
    case 'boolean': return isBoolean(declared) ? boolean : undefined
    case 'date': return isDate(declared) ? (isFiner(declared) ? finerDate : date) : undefined
    case 'buffer': return isBit(declared) ? bits : bytes
    default: return isPoint(declared) ? point(type) : json(type)
  }
}

const wholeOf = (declared: string): MysqlFormat => isUnsignedBigint(declared) ? unsigned : integer

/** In a column of another type: values are read as well as can be, and JavaScript decides conditions. */
function foreignFormat (type: PropertyType, declared: string, server: Server): MysqlFormat {
  switch (type.kind) {
    case 'decimal': {
      const base = decimalOf(type, undefined)
      return foreign(base, raw => base.decode(raw))
    }
    case 'number': return foreign(real, Number)
    case 'integer': case 'long': case 'bigint': return foreign(integer, Number)
    case 'boolean': return foreign(
      boolean,
      raw => /^(?:t|true|1|y)/i.test(String(raw)),
      value => (isInteger(declared) ? Number(value) : String(value))
    )
    case 'date': return foreign(
      date,
      raw => new Date(/^-?\d{6,16}$/.test(String(raw)) ? Number(raw) : String(raw)),
      value => (isInteger(declared) ? (value as Date).getTime() : (value as Date).toISOString())
    )
    default: return foreign(text(server, undefined), String)
  }
}

const foreign = (
  base: MysqlFormat,
  decode: (raw: unknown) => unknown,
  encode: (value: unknown) => unknown = encodeText
): MysqlFormat =>
  scalar({
    name: base.name,
    declaredType: base.declaredType,
    comparable: false,
    accepts: base.accepts,
    encode,
    decode: raw => decode(Buffer.isBuffer(raw) ? raw.toString() : raw)
  })
