/** How PostgreSQL's columns hold decimals, and texts that stand in columns of numbers: compared as numbers always. */
import type { PropertyType } from '@fastback/core'
import { isDecimalText } from '@fastback/core/connector'
import { decimalFormat, digitsOf, isDecimal, within } from '../decimals.js'
import { isNumeric } from './declared-types.js'
import { asText, scalar, type PostgresFormat } from './formats.js'
import { text } from './texts.js'

const isWhole = (declared: string): boolean => /^(?:smallint|bigint|integer|int[248]?|(?:small|big)?serial)\b/i.test(declared)

/** Whether the database compares the values of a column as the numbers that they are, with all digits. */
export const isExact = (declared: string): boolean => isNumeric(declared) || isWhole(declared)

/** A whole number of 64 bits has up to 19 digits; the database refuses what is beyond. */
const ofWhole = { precision: 19, scale: 0 } as const

const asNumeric = (placeholder: string): string => `${placeholder}::numeric`

/** The digits without zeros at their end, in quotes. */
function shortText (column: string): string {
  const digits = asText(column)
  return `'"' || CASE WHEN strpos(${digits}, '.') > 0 THEN rtrim(rtrim(${digits}, '0'), '.') ELSE ${digits} END || '"'`
}

/** Decimals in a column that compares numbers exactly. */
export function decimalOf ({ limits = {} }: PropertyType, declaredType: string | undefined): PostgresFormat {
  const { precision = 38, scale } = limits
  const wanted = scale === undefined ? 'numeric' : `numeric(${precision},${scale})`
  const digits = digitsIn(declaredType ?? wanted)
  const isPadded = digits?.scale === scale
  return scalar({
    ...decimalFormat(limits),
    declaredType: declaredType ?? wanted,
    sqlType: 'numeric',
    bound: asNumeric,
    jsonText: scale === undefined ? shortText : isPadded ? column => `'"' || ${asText(column)} || '"'` : undefined,
    ...(digits === undefined ? {} : within(digits))
  })
}

const digitsIn = (declared: string) => isWhole(declared) ? ofWhole : digitsOf(declared)

/** Whether a column has room for every value of a property: for as many digits on both sides of the point. */
export function hasCapacity ({ limits: { precision = 38, scale } = {} }: PropertyType, declared: string): boolean {
  const digits = digitsOf(declared)
  if (!isNumeric(declared)) return false
  return digits === undefined ||
    (scale !== undefined && digits.scale >= scale && digits.precision - digits.scale >= precision - scale)
}

/** A text in such a column: its digits are those that the database writes. */
export function digitsAsText (declaredType: string): PostgresFormat {
  return scalar({
    ...text,
    declaredType,
    sqlType: 'numeric',
    accepts: isDecimal,
    canStore: isDecimalText,
    // Under the name of the column, ORDER BY would be about the text.
    read: column => `('' || ${asText(column)})`,
    bound: placeholder => `${placeholder}::text::numeric`,
    sortedBound: placeholder => `${placeholder}::text::numeric`,
    sorted: column => column,
    jsonText: column => `to_json(${asText(column)})::text`,
    boundByValues: true
  })
}
