/** Which format a property has in MySQL. */
import type { PropertyType } from '@fastback/core'
import type { Server } from './flavour.js'
import {
  boolean,
  bytes,
  date,
  encodeText,
  integer,
  json,
  numeric,
  point,
  real,
  scalar,
  single,
  text,
  type MysqlFormat
} from './formats.js'

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
const isInteger = (declared: string): boolean => /^(?:tinyint|smallint|mediumint|int|integer|bigint)\b/i.test(declared)

/** The format of a property, in an existing column when `declaredType` is given. */
export function formatOf (type: PropertyType, declaredType: string | undefined, server: Server): MysqlFormat {
  switch (type.kind) {
    case 'string':
      return declaredType === undefined || isTextual(declaredType)
        ? text(server, declaredType)
        : foreign(text(server, undefined), String)
    case 'number':
      if (declaredType === undefined || /^(?:double|real)\b/i.test(declaredType)) return real
      if (/^float\b/i.test(declaredType)) return single
      if (isInteger(declaredType)) return integer
      return /^(?:decimal|numeric)\b/i.test(declaredType) ? numeric : foreign(real, Number)
    case 'integer':
    case 'long':
      return declaredType === undefined || isInteger(declaredType) ? integer : foreign(integer, Number)
    case 'boolean':
      if (declaredType === undefined || /^(?:tinyint|bit|bool)/i.test(declaredType)) return boolean
      return foreign(
        boolean,
        raw => /^(?:t|true|1|y)/i.test(String(raw)),
        value => (isInteger(declaredType) ? Number(value) : String(value))
      )
    case 'date':
      if (declaredType === undefined || /^(?:datetime|timestamp|date)\b/i.test(declaredType)) return date
      return foreign(
        date,
        raw => new Date(/^-?\d{6,16}$/.test(String(raw)) ? Number(raw) : String(raw)),
        value => (isInteger(declaredType) ? (value as Date).getTime() : (value as Date).toISOString())
      )
    case 'buffer':
      return bytes
    default:
      return declaredType !== undefined && /^point\b/i.test(declaredType) ? point(type) : json(type)
  }
}

/** Whether a column has room for every value of a property, as it is (`TableMigration.holds`). */
export function holds (type: PropertyType, declared: string): boolean {
  switch (type.kind) {
    case 'string': return isTextual(declared) && !/^enum\b/i.test(declared)
    case 'number': return /^(?:double|real|decimal|numeric)\b/i.test(declared)
    case 'integer': case 'long': return isInteger(declared)
    case 'boolean': return /^(?:tinyint|bit|bool)/i.test(declared)
    case 'date': return /^(?:datetime|timestamp)\b/i.test(declared)
    case 'buffer': return /^(?:var)?binary\b|blob\b/i.test(declared)
    case 'geopoint': return /^(?:(?:medium|long)?text|json|point)\b/i.test(declared)
    default: return /^(?:(?:medium|long)?text|json)\b/i.test(declared)
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
