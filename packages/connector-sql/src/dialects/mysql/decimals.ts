/** How MySQL's columns hold decimals, and texts that stand in columns of numbers: compared as numbers always. */
import type { PropertyType } from '@fastback/core'
import { isDecimalText } from '@fastback/core/connector'
import { decimalFormat, digitsOf, isDecimal, within } from '../decimals.js'
import type { Server } from './flavour.js'
import { scalar, type MysqlFormat } from './formats.js'
import { text } from './texts.js'

/** The largest column: 35 digits before the point, 30 behind it. */
const largest = 'DECIMAL(65,30)'
/** Digits that the database has in all, and after the point. */
const most = { precision: 65, scale: 30 } as const

const isWhole = (declared: string): boolean => /^(?:(?:tiny|small|medium|big)?int|integer)\b/i.test(declared)
const isDecimalType = (declared: string): boolean => /^(?:decimal|numeric|dec|fixed)\b/i.test(declared)

/** Whether the database compares the values of a column as the numbers that they are, with all digits. */
export const isExact = (declared: string): boolean => isDecimalType(declared) || isWhole(declared)

const digitsIn = (declared: string) =>
  isWhole(declared) ? { precision: 20, scale: 0 } : digitsOf(declared) ?? { precision: 10, scale: 0 }

/**
 * The type of a property's column. What a definition allows beyond the digits of the database is refused row by row.
 */
function columnOf ({ limits: { precision = 38, scale } = {} }: PropertyType): string {
  if (scale === undefined) return largest
  const places = Math.min(scale, most.scale)
  return `DECIMAL(${Math.min(Math.max(precision, places), most.precision)},${places})`
}

/** The digits of a bound value, as many as there can be on both sides of the point. */
function asDecimal (placeholder: string): string {
  return `CAST(${placeholder} AS ${largest})`
}

/** Decimals in a column that compares numbers exactly. */
export function decimalOf (type: PropertyType, declaredType: string | undefined): MysqlFormat {
  const wanted = declaredType ?? columnOf(type)
  return scalar({
    ...decimalFormat(type.limits ?? {}),
    declaredType: wanted,
    bound: asDecimal,
    sortedBound: asDecimal,
    listType: largest,
    ...within(digitsIn(wanted))
  })
}

/** Whether a column has room for every value of a property. */
export function hasCapacity (type: PropertyType, declared: string): boolean {
  if (!isDecimalType(declared)) return false
  const [room, wanted] = [digitsIn(declared), digitsIn(columnOf(type))]
  return room.scale >= wanted.scale && room.precision - room.scale >= wanted.precision - wanted.scale
}

/** A text in such a column: its digits are those that the database writes. */
export function digitsAsText (server: Server, declaredType: string): MysqlFormat {
  return scalar({
    ...text(server, undefined),
    declaredType,
    accepts: isDecimal,
    canStore: isDecimalText,
    bound: asDecimal,
    sortedBound: asDecimal,
    listType: largest,
    boundByValues: true
  })
}
