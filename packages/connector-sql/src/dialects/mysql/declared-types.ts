/** What types of columns are called in MySQL and MariaDB. */

export const isTextual = (declared: string): boolean =>
  /^(?:char|varchar|tinytext|text|mediumtext|longtext|enum)\b/i.test(declared)
/** A text that keeps blanks at its end. */
export const isVaryingText = (declared: string): boolean =>
  /^(?:varchar|tinytext|text|mediumtext|longtext)\b/i.test(declared)
/** A text of 64 KiB and more. */
export const isLongText = (declared: string): boolean => /^(?:medium|long)?text\b/i.test(declared)
export const isEnum = (declared: string): boolean => /^enum\b/i.test(declared)
export const isUuidType = (declared: string): boolean => /^uuid\b/i.test(declared)

export const isInteger = (declared: string): boolean =>
  /^(?:tinyint|smallint|mediumint|int|integer|bigint)\b/i.test(declared)
export const isBigint = (declared: string): boolean => /^bigint\b/i.test(declared)
export const isUnsignedBigint = (declared: string): boolean => /^bigint\b.*\bunsigned\b/i.test(declared)
export const isDouble = (declared: string): boolean => /^(?:double|real)\b/i.test(declared)
/** `double(10,2)` rounds. */
export const isUnroundedDouble = (declared: string): boolean => /^(?:double|real)(?!\()/i.test(declared)
export const isSingle = (declared: string): boolean => /^float\b/i.test(declared)
export const isNumeric = (declared: string): boolean => /^(?:decimal|numeric)\b/i.test(declared)
export const isBoolean = (declared: string): boolean => /^(?:tinyint|bit|bool)/i.test(declared)

export const isMoment = (declared: string): boolean => /^(?:datetime|timestamp)\b/i.test(declared)
export const isDate = (declared: string): boolean => /^(?:datetime|timestamp|date)\b/i.test(declared)
/** Whether a moment is stored with all its milliseconds, or more. */
export const keepsMilliseconds = (declared: string): boolean => /^(?:datetime|timestamp)\([3-6]\)/i.test(declared)
/** Whether it may have microseconds. */
export const isFiner = (declared: string): boolean => /\([4-6]\)/.test(declared)

export const isBinary = (declared: string): boolean => /^(?:var)?binary\b|blob\b/i.test(declared)
/** One that zeroes at the end are part of. */
export const isVaryingBinary = (declared: string): boolean => /^varbinary\b|blob\b/i.test(declared)
export const isBit = (declared: string): boolean => /^bit\b/i.test(declared)
export const isPoint = (declared: string): boolean => /^point\b/i.test(declared)
export const isShape = (declared: string): boolean =>
  /^(?:multi)?(?:point|linestring|polygon)\b|^geom(?:etry)?(?:collection)?\b/i.test(declared)
/** What JSON is stored in. */
export const isDocument = (declared: string): boolean => /^(?:(?:medium|long)?text|json)\b/i.test(declared)

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
