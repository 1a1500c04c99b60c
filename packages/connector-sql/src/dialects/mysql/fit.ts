/** How well columns of MySQL that are there suit properties. */
import type { PropertyType } from '@fastback/core'
import { keepsCalendar } from '../calendar.js'
import { hasCapacity, isExact } from './decimals.js'
import {
  isBigint, isBinary, isBoolean, isNumeric, isDocument, isDouble, isEnum, isInteger, isLongText, isMoment, isPoint,
  isTextual, isVaryingBinary, isVaryingText, isUnroundedDouble, keepsMilliseconds
} from './declared-types.js'

/** Whether a column has room for every value of a property, as it is (`TableMigration.holds`). */
export function holds (type: PropertyType, declared: string): boolean {
  switch (type.kind) {
    case 'string': return (isTextual(declared) && !isEnum(declared)) || keepsCalendar(type, declared, 0)
    case 'number': return isDouble(declared) || isNumeric(declared)
    case 'integer': case 'long': return isInteger(declared)
    case 'bigint': return isBigint(declared)
    case 'decimal': return hasCapacity(type, declared)
    case 'boolean': return isBoolean(declared)
    case 'date': return isMoment(declared)
    case 'buffer': return isBinary(declared)
    case 'geopoint': return isDocument(declared) || isPoint(declared)
    default: return isDocument(declared)
  }
}

/**
 * Whether values come back as they were written (`ColumnTypes.keeps`). Of a text the database cuts nothing but blanks
 * beyond the length.
 */
export function keeps (type: PropertyType, declared: string): boolean {
  switch (type.kind) {
    case 'string': return isVaryingText(declared) || keepsCalendar(type, declared, 0)
    case 'number': return isInteger(declared) || isUnroundedDouble(declared)
    case 'date': return keepsMilliseconds(declared)
    case 'buffer': return isVaryingBinary(declared)
    case 'integer': case 'long': case 'boolean': return holds(type, declared)
    case 'bigint': return isInteger(declared)
    case 'decimal': return isExact(declared)
    default: return isLongText(declared)
  }
}
