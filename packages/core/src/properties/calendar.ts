/** Days and times of day: texts, as neither is an instant (property types `dateOnly` and `time`). */
import { daysInMonth, invalid, type Invalid } from './convert.js'

/** `date`: `2020-01-31`, the years 1 to 9999. `time`: `08:30:00`, and up to six digits of a second (`08:30:00.25`). */
export type Calendar = 'date' | 'time'

/** Names of the formats of JSON Schema and OpenAPI: RFC 3339 `full-date`, and `partial-time`, which has no zone. */
export const calendarFormats: Readonly<Record<Calendar, string>> = { date: 'date', time: 'time-local' }

/**
 * A day or a time of day in the one form that stores keep, so that equal ones are equal texts and texts are in their
 * order. A `Date` (or its ISO text) is a day where it is midnight UTC.
 *
 * ```js
 * readCalendar('date', new Date(0)) // '1970-01-01'
 * readCalendar('time', '8:30') // invalid
 * readCalendar('time', '08:30') // '08:30:00'
 * readCalendar('time', '08:30:00.250') // '08:30:00.25'
 * ```
 */
export function readCalendar (calendar: Calendar, value: unknown): string | Invalid {
  const text = value instanceof Date ? isoText(value) : value
  if (typeof text !== 'string') return invalid
  return calendar === 'date' ? readDay(text) : readTime(text)
}

const isoText = (date: Date): string => Number.isNaN(date.getTime()) ? '' : date.toISOString()

function readDay (text: string): string | Invalid {
  const [, day, year, month, date] = /^((\d{4})-(\d\d)-(\d\d))(?:T00:00:00(?:\.0{1,6})?Z)?$/.exec(text) ?? []
  if (day === undefined || year === '0000' || month === '00' || Number(month) > 12 || date === '00') return invalid
  return Number(date) <= daysInMonth(Number(year), Number(month)) ? day : invalid
}

function readTime (text: string): string | Invalid {
  const [, minutes, seconds = '00', fraction = ''] =
    /^((?:[01]\d|2[0-3]):[0-5]\d)(?::([0-5]\d)(?:\.(\d{1,6}))?)?$/.exec(text) ?? []
  if (minutes === undefined) return invalid
  const digits = fraction.replace(/0{1,6}$/, '')
  return `${minutes}:${seconds}${digits === '' ? '' : `.${digits}`}`
}
