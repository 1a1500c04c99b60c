/** Which format a property has in MySQL. */
import type { PropertyType } from '@fastback/core'
import { calendarIn, keepsCalendar } from '../calendar.js'
import { canStoreUuid } from '../uuid.js'
import { decimalOf, digitsAsText, hasCapacity, isExact } from './decimals.js'
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

/** A column of a type that is nothing like the property's: JavaScript decides conditions. */
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

const isTextual = (declared: string): boolean =>
  /^(?:char|varchar|tinytext|text|mediumtext|longtext|enum)\b/i.test(declared)
const isShape = (declared: string): boolean =>
  /^(?:multi)?(?:point|linestring|polygon)\b|^geom(?:etry)?(?:collection)?\b/i.test(declared)
const isInteger = (declared: string): boolean => /^(?:tinyint|smallint|mediumint|int|integer|bigint)\b/i.test(declared)

const wholeOf = (declared = ''): MysqlFormat => /^bigint\b.*\bunsigned\b/i.test(declared) ? unsigned : integer

/** The format of a property, in an existing column when `declaredType` is given. */
export function formatOf (type: PropertyType, declaredType: string | undefined, server: Server): MysqlFormat {
  switch (type.kind) {
    case 'string': {
      const calendar = calendarIn(type, declaredType)
      if (calendar !== undefined) return calendarOf(calendar)
      if (declaredType === undefined || isTextual(declaredType)) return text(server, declaredType)
      if (isShape(declaredType)) return shape(text(server, undefined))
      if (isExact(declaredType)) return digitsAsText(server, declaredType)
      return /^uuid\b/i.test(declaredType) ? uuid(server) : foreign(text(server, undefined), String)
    }
    case 'decimal': {
      const format = decimalOf(type, declaredType === undefined || isExact(declaredType) ? declaredType : undefined)
      return declaredType === undefined || isExact(declaredType)
        ? format
        : foreign(format, raw => format.decode(raw))
    }
    case 'number':
      if (declaredType === undefined || /^(?:double|real)\b/i.test(declaredType)) return real
      if (/^float\b/i.test(declaredType)) return single
      if (isInteger(declaredType)) return wholeOf(declaredType)
      return /^(?:decimal|numeric)\b/i.test(declaredType) ? numeric : foreign(real, Number)
    case 'integer':
    case 'long':
    case 'bigint':
      return declaredType === undefined || isInteger(declaredType) ? wholeOf(declaredType) : foreign(integer, Number)
    case 'boolean':
      if (declaredType === undefined || /^(?:tinyint|bit|bool)/i.test(declaredType)) return boolean
      return foreign(
        boolean,
        raw => /^(?:t|true|1|y)/i.test(String(raw)),
        value => (isInteger(declaredType) ? Number(value) : String(value))
      )
    case 'date':
      if (declaredType === undefined) return date
      if (/^(?:datetime|timestamp|date)\b/i.test(declaredType)) return /\([4-6]\)/.test(declaredType) ? finerDate : date
      return foreign(
        date,
        raw => new Date(/^-?\d{6,16}$/.test(String(raw)) ? Number(raw) : String(raw)),
        value => (isInteger(declaredType) ? (value as Date).getTime() : (value as Date).toISOString())
      )
    case 'buffer':
      return declaredType !== undefined && /^bit\b/i.test(declaredType) ? bits : bytes
    default:
      return declaredType !== undefined && /^point\b/i.test(declaredType) ? point(type) : json(type)
  }
}

/** Whether a column has room for every value of a property, as it is (`TableMigration.holds`). */
export function holds (type: PropertyType, declared: string): boolean {
  switch (type.kind) {
    case 'string': return (isTextual(declared) && !/^enum\b/i.test(declared)) || keepsCalendar(type, declared, 0)
    case 'number': return /^(?:double|real|decimal|numeric)\b/i.test(declared)
    case 'integer': case 'long': return isInteger(declared)
    case 'bigint': return /^bigint\b/i.test(declared)
    case 'decimal': return hasCapacity(type, declared)
    case 'boolean': return /^(?:tinyint|bit|bool)/i.test(declared)
    case 'date': return /^(?:datetime|timestamp)\b/i.test(declared)
    case 'buffer': return /^(?:var)?binary\b|blob\b/i.test(declared)
    case 'geopoint': return /^(?:(?:medium|long)?text|json|point)\b/i.test(declared)
    default: return /^(?:(?:medium|long)?text|json)\b/i.test(declared)
  }
}

export const uuidDefault = (declared: string): string | undefined =>
  /^uuid$/i.test(declared) || canStoreUuid(declared) ? '(uuid())' : undefined

/**
 * Whether values come back as they were written (`ColumnTypes.keeps`). Of a text the database cuts nothing but blanks
 * beyond the length.
 */
export function keeps (type: PropertyType, declared: string): boolean {
  switch (type.kind) {
    case 'string':
      return /^(?:varchar|tinytext|text|mediumtext|longtext)\b/i.test(declared) || keepsCalendar(type, declared, 0)
    case 'number': return isInteger(declared) || /^(?:double|real)(?!\()/i.test(declared)
    case 'date': return /^(?:datetime|timestamp)\([3-6]\)/i.test(declared)
    case 'buffer': return /^varbinary\b|blob\b/i.test(declared)
    case 'integer': case 'long': case 'boolean': return holds(type, declared)
    case 'bigint': return isInteger(declared)
    case 'decimal': return isExact(declared)
    default: return /^(?:medium|long)?text\b/i.test(declared)
  }
}

/** Names that MySQL knows for a type beside the one that it gives; MariaDB's JSON is a text. */
const typeNames: Readonly<Record<string, string>> = {
  integer: 'int', bool: 'tinyint', boolean: 'tinyint', numeric: 'decimal', dec: 'decimal', real: 'double', json: 'longtext'
}

/** `INTEGER(11) UNSIGNED` is `int`: the widths of whole numbers say nothing, and collations are another matter. */
export function canonicalType (type: string): string {
  const [, given = '', size = ''] = /^([a-z]+)\s*(\([^)]*\))?/.exec(type.toLowerCase().trim()) ?? []
  const name = typeNames[given] ?? given
  const isSized = /^(?:var)?(?:char|binary)$|^decimal$|^bit$/.test(name)
  return `${name}${isSized ? size.replaceAll(' ', '') : ''}`
}
