/** Instants as MySQL's DATETIME has them: UTC, years 1 to 9999. */
import { toIsoText } from '@fastback/core/connector'
import type { Span } from '../column-types.js'

const first = Date.parse('0001-01-01T00:00:00.000Z')
const last = Date.parse('9999-12-31T23:59:59.999Z')

export const isInRange = (value: unknown): boolean => {
  const time = new Date(value as Date).getTime()
  return !(time < first || time > last)
}

/** Why a date cannot be stored; undefined when it can. */
export const refusesDate = (value: unknown): string | undefined =>
  isInRange(value) ? undefined : 'is outside of the years 1 to 9999, which is all that the database has'

/**
 * Text of a date; null for an invalid one. What the database does not have lies before or after everything that it has.
 */
export function encodeDate (value: unknown): string | null {
  const date = value instanceof Date ? value : new Date(value as string)
  const time = date.getTime()
  if (Number.isNaN(time)) return null
  if (time < first) return '0000-12-31 23:59:59.999'
  if (time > last) return '9999-12-31 23:59:59.999999'
  return toIsoText(date).slice(0, 23).replace('T', ' ')
}

export function decodeDate (raw: unknown): Date | null {
  const text = String(raw)
  const date = new Date(`${text.slice(0, 10)}T${text.slice(11, 23) || '00:00:00'}Z`)
  return Number.isNaN(date.getTime()) ? null : date
}

/** Columns of microseconds: of the digits behind the third rows show none. */
export function spanOfDate (value: unknown): Span {
  const first = encodeDate(value)
  return { first, last: first?.replace(/^.{23}$/, '$&999') }
}
