/** What types of columns are called in PostgreSQL. */

export const isTextual = (declared: string): boolean =>
  /^(?:text|varchar|character varying|char|character|bpchar|citext|name)\b/i.test(declared)
/** A text that is filled up with blanks. */
export const isPadded = (declared: string): boolean => /^(?:char|character|bpchar)(?:\(\d+\))?$/i.test(declared)
/** A text that keeps blanks at its end. */
export const isVaryingText = (declared: string): boolean =>
  /^(?:text|varchar|character varying|citext)\b/i.test(declared)
export const isUuidType = (declared: string): boolean => /^uuid$/i.test(declared)

export const isInteger = (declared: string): boolean =>
  /^(?:smallint|integer|int|int2|int4|int8|bigint|serial|bigserial|smallserial)\b/i.test(declared)
/** Of integers: one of 32 bits or less. */
export const isSmallInteger = (declared: string): boolean => /^(?:small|int(?!8)|serial)/i.test(declared)
export const isBigint = (declared: string): boolean => /^(?:big(?:int|serial)|int8)\b/i.test(declared)
export const isDouble = (declared: string): boolean => /^(?:double precision|float8|float)\b/i.test(declared)
export const isSingle = (declared: string): boolean => /^(?:real|float4)\b/i.test(declared)
export const isNumeric = (declared: string): boolean => /^(?:numeric|decimal)\b/i.test(declared)
/** One that has as many digits as it is given. */
export const isUnlimitedNumeric = (declared: string): boolean => /^(?:numeric|decimal)$/i.test(declared)
export const isBoolean = (declared: string): boolean => /^bool/i.test(declared)

export const isMoment = (declared: string): boolean => /^timestamp(?:tz)?\b/i.test(declared)
/** A day, or a moment without microseconds. */
export const isOfMilliseconds = (declared: string): boolean => /^date\b|^timestamp(?:tz)?\([0-3]\)/i.test(declared)
/** Whether a moment is stored with all its milliseconds, or more. */
export const keepsMilliseconds = (declared: string): boolean => /^timestamp(?!\([0-2]\))/i.test(declared)

export const isBinary = (declared: string): boolean => /^bytea$/i.test(declared)
export const isPoint = (declared: string): boolean => /^point$/i.test(declared)
export const isArray = (declared: string): boolean => /\[\]$/.test(declared)
/** `json` or `jsonb`. */
export const isDocument = (declared: string): boolean => /^jsonb?$/i.test(declared)

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
