/** Instants as PostgreSQL writes them. */
import { toIsoText } from '@fastback/core/connector'
import type { Span } from '../column-types.js'

/** The first day of PostgreSQL's calendar. */
const first = Date.UTC(-4712, 10, 24)

/** Why a date cannot be stored; undefined when it can. */
export function refusesDate (value: unknown): string | undefined {
  const time = new Date(value as Date).getTime()
  return time < first ? 'is before 4713 BC, where the calendar of the database begins' : undefined
}

/** Text of a date; null for an invalid one. What lies before the calendar is before everything in it. */
export function encodeDate (value: unknown): string | null {
  const date = value instanceof Date ? value : new Date(value as string)
  if (Number.isNaN(date.getTime())) return null
  if (date.getTime() < first) return '-infinity'
  const text = toIsoText(date)
  // Years 1 to 9999.
  if (text.length === 24 && !text.startsWith('0000')) return text
  const year = date.getUTCFullYear()
  const [, rest] = /^[+-]?\d+(-.*)$/.exec(text) as unknown as [string, string]
  return year > 0 ? `${year}${rest}` : `${String(1 - year).padStart(4, '0')}${rest} BC`
}

/** The instant of `extract(epoch …) * 1000`; null for none. Rows of others may have microseconds. */
export function decodeDate (raw: unknown): Date | null {
  const date = new Date(Math.floor(Number(raw)))
  return Number.isNaN(date.getTime()) ? null : date
}

/** Columns of microseconds, of which rows show the milliseconds. */
export function spanOfDate (value: unknown): Span {
  const first = encodeDate(value)
  return { first, last: first?.replace('Z', '999Z') }
}
