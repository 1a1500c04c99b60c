/**
 * How SQLite's columns hold decimals. It has no such type: a column of the affinity NUMERIC keeps a double. Columns
 * that are made for them hold texts that sort as the numbers do (`decimalKey`), so that `=`, `<`, ORDER BY and indexes
 * are exact. Columns that others made hold numbers, or texts of digits.
 */
import type { PropertyType } from '@fastback/core'
import { decimalKey, decimalOfKey, decimalText, type DecimalLimits } from '@fastback/core/connector'
import type { ColumnFormat } from '../column-types.js'
import { decimalFormat, isDecimal } from '../decimals.js'
import { scalar } from './formats.js'

/** Of the affinity TEXT, and told apart from other columns of texts. */
const declaredDecimal = 'DECIMAL TEXT'

/** Whether a column was made for the texts of `decimalKey`. */
export const isOfKeys = (declaredType: string): boolean => /^decimal\s+text$/i.test(declaredType)

/** Digits of a double that come back as they were written. */
const exactDigits = 15

/** What a column of the affinity NUMERIC keeps: doubles of so many digits, and whole numbers of 64 bits. */
function isKept (value: unknown): boolean {
  if (!isDecimal(value)) return false
  const digits = value.replace(/^-?[0.]*/, '').replace('.', '')
  const significant = value.includes('.') ? digits.replace(/0{1,1000}$/, '') : digits
  if (significant.length <= exactDigits) return true
  return !value.includes('.') && BigInt.asIntN(64, BigInt(value)) === BigInt(value)
}

/** @param isNumeric whether the column is of an affinity of numbers; undefined for one that is made for decimals */
export function decimalOf ({ limits = {} }: PropertyType, isNumeric: boolean | undefined): ColumnFormat {
  const base = { ...decimalFormat(limits), declaredType: declaredDecimal, jsonEncoding: 'decoded' as const }
  if (isNumeric === undefined) {
    const encode = (value: unknown): string => decimalKey(String(value))
    return scalar({ ...base, encode, listed: encode, decode: raw => shown(decimalOfKey(String(raw)) ?? raw, limits) })
  }
  return scalar({
    ...base,
    comparable: false,
    encode: String,
    ...(isNumeric
      ? {
          canStore: isKept,
          refuses: (value: unknown) => isKept(value) ? undefined : 'has more digits than its column of numbers holds'
        }
      : {})
  })
}

/** What is no decimal, which others wrote, is shown as it is. */
function shown (raw: unknown, { scale }: DecimalLimits): unknown {
  const text = decimalText(raw, scale)
  return typeof text === 'string' ? text : raw
}
