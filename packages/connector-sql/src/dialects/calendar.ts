/** Days and times of day in columns of these types (`dateOnly`, `time`). */
import type { PropertyType } from '@fastback/core'
import { invalid, readCalendar } from '@fastback/core/connector'

export type Calendar = NonNullable<PropertyType['calendar']>

/** Whether a text is one, in the one form that rows have. */
export const isOf = (calendar: Calendar) => (value: unknown): boolean =>
  readCalendar(calendar, value) !== invalid && readCalendar(calendar, value) === value

/** Whether a column is of such a type; a time with a zone is another thing. */
export const isCalendar = (declared: string, calendar: Calendar): boolean =>
  calendar === 'date' ? /^date$/i.test(declared) : /^time(?:\(\d\))?(?: without time zone)?$/i.test(declared)

/** Whether a column gives back each of them, digits of a second included. */
export const keepsCalendar = (declared: string, calendar: Calendar): boolean =>
  isCalendar(declared, calendar) && !/\([0-5]\)/.test(declared)
