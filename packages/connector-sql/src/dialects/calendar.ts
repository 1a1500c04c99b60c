/** Days and times of day in columns of these types (`dateOnly`, `time`). */
import type { PropertyType } from '@fastback/core'
import { readCalendar } from '@fastback/core/connector'

export type Calendar = NonNullable<PropertyType['calendar']>

/** Whether a text is one, in the one form that rows have. */
export const isWritten = (calendar: Calendar) => (text: unknown): boolean => readCalendar(calendar, text) === text

/** A time with a zone is another thing. */
const declared: Readonly<Record<Calendar, RegExp>> = { date: /^date$/i, time: /^time(?:\(\d\))?(?: without time zone)?$/i }

/** What a property is in a column of its own type, or a new one; undefined in any other column, and for other types. */
export const calendarIn = ({ calendar }: PropertyType, type: string | undefined): Calendar | undefined =>
  calendar !== undefined && (type === undefined || declared[calendar].test(type)) ? calendar : undefined

/** Whether a column has the type of a day or a time, digits of a second included. @param digits where it says none */
export const keepsCalendar = (type: PropertyType, column: string, digits: 0 | 6): boolean => {
  const calendar = calendarIn(type, column)
  return calendar === 'date' || (calendar === 'time' && Number(/\((\d)\)/.exec(column)?.[1] ?? digits) === 6)
}
