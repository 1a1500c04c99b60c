/**
 * Columns whose dates others keep as texts: `2021-07-01 10:20:30`, which CURRENT_TIMESTAMP writes, or a day, or a time
 * with a zone. Rows show instants; SQL compares and orders by these, whichever form a row has, and a write keeps the
 * form that the column has.
 */
import { toIsoText } from '@fastback/core/connector'
import type { ColumnFormat } from '../column-types.js'
import { encodeDate } from './dates.js'
import { date } from './formats.js'

/** A day, what stands before the time, the minutes, the seconds with what stands behind the point, the zone. */
const parts = /^\d{4}-\d\d-\d\d(?:([ T])\d\d:\d\d(?:(:\d\d)(\.\d+)?)?( ?(?:Z|UTC|[+-]\d\d:?\d\d))?)?$/

/** Writes dates as an example is written, in UTC; with a fraction where there is one, or always has three digits. */
function writerLike (example: string): (date: Date) => string | number | null {
  if (/^-?\d+$/.test(example)) return date => Number.isNaN(date.getTime()) ? null : date.getTime()
  const found = parts.exec(example)
  if (found === null) return encodeDate
  const [, between, seconds, fraction, zone = ''] = found
  const utc = zone.replace(/\d/g, '0').replace('-', '+')
  return date => {
    const iso = toIsoText(date)
    if (iso.length !== 24) return encodeDate(date)
    const time = fraction?.length === 4 ? iso.slice(11, 23) : iso.slice(11, 23).replace(/\.000$/, '')
    if (between === undefined && time === '00:00:00') return iso.slice(0, 10)
    const isShort = between !== undefined && seconds === undefined && time.endsWith(':00')
    return `${iso.slice(0, 10)}${between ?? ' '}${isShort ? time.slice(0, -3) : time}${utc}`
  }
}

/** Hours and minutes from UTC, where they stand at the end. */
const zoneOf = (column: string): string =>
  `CASE WHEN length(${column}) < 17 THEN '' ` +
  `WHEN substr(${column}, -6) GLOB '[+-][0-9][0-9]:[0-9][0-9]' THEN substr(${column}, -6) ` +
  `WHEN substr(${column}, -5) GLOB '[+-][0-9][0-9][0-9][0-9]' ` +
  `THEN substr(${column}, -5, 3) || ':' || substr(${column}, -2) ELSE '' END`

/** Milliseconds since 1970 of a value in any of these forms, or of a number, which they are. */
function instant (column: string): string {
  const time = `substr(${column}, 1, CASE substr(${column}, 17, 1) WHEN ':' THEN 19 ELSE 16 END)`
  const fraction = `CASE substr(${column}, 20, 1) WHEN '.' THEN ` +
    `CAST(round(CAST('0' || substr(${column}, 20, 4) AS REAL) * 1000) AS INTEGER) ELSE 0 END`
  return `CASE WHEN typeof(${column}) <> 'text' OR ${column} NOT GLOB '*[^0-9]*' THEN CAST(${column} AS INTEGER) ` +
    `WHEN ${column} GLOB '[0-9][0-9][0-9][0-9]-*' ` +
    `THEN strftime('%s', ${time} || ${zoneOf(column)}) * 1000 + ${fraction} END`
}

/** @param example a text that the column has; of a form that nobody knows, dates are written as everywhere */
export function datesLike (example: string): ColumnFormat {
  const write = writerLike(example)
  const timeOf = (value: unknown): number => new Date(value as Date).getTime()
  return {
    ...date,
    encode: value => write(new Date(value as Date)),
    listed: timeOf,
    sorted: instant,
    span: value => ({ first: timeOf(value), last: timeOf(value) }),
    equality: {
      sql: (column, next) => `${instant(column)} = ${next()}`,
      values: value => [value === null ? null : timeOf(value)],
      among: instant,
      leavesShown: true
    }
  }
}
