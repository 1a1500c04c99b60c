/** How PostgreSQL's columns hold texts, and what is read and written as text (README, storage layout). */
import { encodeJson } from '../../tables/json-text.js'
import { isWritten, type Calendar } from '../calendar.js'
import { isUuid, refusesUuid } from '../uuid.js'
import { asText, itself, scalar, type PostgresFormat } from './formats.js'
import { codeText, decodeText } from './text-code.js'

const binary = (column: string): string => `${column} COLLATE "C"`
const isText = (value: unknown): boolean => typeof value === 'string'
export const encodeText = (value: unknown): string =>
  codeText(typeof value === 'string' ? value : typeof value === 'object' ? encodeJson(value) : String(value))
const decodeString = (raw: unknown): string => decodeText(String(raw))

export const text = scalar({
  name: 'text',
  declaredType: 'text',
  accepts: isText,
  encode: encodeText,
  decode: decodeString,
  jsonText: column => `to_json(${column})::text`,
  sorted: binary
})

/**
 * Texts that the database fills with blanks to a length. They are shown without these, which `::text` leaves out, and
 * none has any of its own.
 */
export const padded = scalar({
  ...text,
  sqlType: 'bpchar',
  canStore: value => !(value as string).endsWith(' '),
  read: asText,
  bound: placeholder => `${placeholder}::bpchar`,
  jsonText: column => `to_json(${column}::text)::text`,
  sorted: column => binary(asText(column)),
  sortedBound: placeholder => `${placeholder}::text`
})

/** Texts in columns of other types (enum, inet, …): compared as the text that the database writes. */
export function castText (declaredType: string): PostgresFormat {
  // A cast writes the mask of a single address, too; the database itself does not.
  const read = /^inet$/i.test(declaredType) ? (column: string) => `(to_json(${column}) #>> '{}')` : asText
  return {
    ...text,
    declaredType,
    comparable: false,
    read,
    bound: placeholder => `${placeholder}::text::${declaredType}`,
    sorted: column => `${read(column)} COLLATE "C"`,
    sortedBound: placeholder => `${placeholder}::text`,
    jsonText: column => `to_json(${read(column)})::text`
  }
}

/** Days and times of day: texts here, and compared as what they are there. */
const calendarOf = (calendar: Calendar): PostgresFormat => scalar({
  ...text,
  declaredType: calendar,
  sqlType: calendar,
  canStore: isWritten(calendar),
  read: asText,
  bound: placeholder => `${placeholder}::${calendar}`,
  jsonText: column => `to_json(${asText(column)})::text`,
  sorted: itself,
  sortedBound: placeholder => `${placeholder}::${calendar}`,
  boundByValues: true
})

export const calendars: Readonly<Record<Calendar, PostgresFormat>> = {
  date: calendarOf('date'), time: calendarOf('time')
}

export const uuid = scalar({
  ...text,
  declaredType: 'uuid',
  read: asText,
  sqlType: 'uuid',
  canStore: isUuid,
  refuses: refusesUuid,
  bound: placeholder => `${placeholder}::uuid`,
  sorted: column => `${column}::text COLLATE "C"`,
  sortedBound: placeholder => `${placeholder}::text`
})
