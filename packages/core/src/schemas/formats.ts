/**
 * Formats of JSON Schema (request-parsing.md, section 8): those of `ajv-formats` in full mode, and where that differs,
 * our own.
 */
import { Ajv, type Format } from 'ajv'
import addFormatsModule from 'ajv-formats'
import { calendarFormats, readCalendar } from '../properties/calendar.js'
import { invalid } from '../properties/convert.js'
import { decimalText } from '../properties/decimal.js'
import { isIsoInstant } from '../properties/instants.js'

const addFormats = addFormatsModule as unknown as typeof addFormatsModule.default

/** Name of the format of a model's dates: an instant or a day. In `details` it goes by the name `date-time`. */
export const modelDateFormat = 'model-date'

const int32 = 2 ** 31
const float = 2 ** 128

/** The largest 64-bit integer, as a double has it. */
export const longLimit = 2 ** 63

interface TextFormat { validate (text: string): boolean }

const numberFormat = (validate: (value: number) => boolean): Format => ({ type: 'number', validate })

const ownFormats: Record<string, Format> = {
  int32: numberFormat(value => Number.isInteger(value) && value >= -int32 && value < int32),
  int64: numberFormat(Number.isSafeInteger),
  float: numberFormat(value => Math.abs(value) <= float),
  double: numberFormat(Number.isFinite)
}

export function installFormats (ajv: Ajv): void {
  addFormats(ajv, { mode: 'full' })
  for (const [name, format] of Object.entries(ownFormats)) ajv.addFormat(name, format)
  const [date, dateTime] = [ajv.formats.date, ajv.formats['date-time']] as [TextFormat, TextFormat]
  ajv.addFormat('decimal', (text: string) => decimalText(text) !== invalid)
  ajv.addFormat(calendarFormats.time, (text: string) => readCalendar('time', text) !== invalid)
  ajv.addFormat(modelDateFormat, (text: string) =>
    isIsoInstant(text) || dateTime.validate(text) || date.validate(text))
}

/** Formats by name, as one Ajv has them: names that are asked for are few, and come when definitions are read. */
const namesOf = (() => {
  let names: ReadonlySet<string> | undefined
  return (): ReadonlySet<string> => {
    if (names !== undefined) return names
    const ajv = new Ajv({ logger: false })
    installFormats(ajv)
    return (names = new Set(Object.keys(ajv.formats).filter(name => name !== modelDateFormat)))
  }
})()

/**
 * Whether values are checked for a format.
 *
 * ```js
 * isKnownFormat('email') // true
 * isKnownFormat('e-mail') // false
 * ```
 */
export const isKnownFormat = (name: string): boolean => namesOf().has(name)

/** Whether a format is one of numbers. */
export const isNumberFormat = (name: string): boolean => Object.hasOwn(ownFormats, name)

/** Keywords that OpenAPI's formats imply: a value outside gives an entry for them, too. */
export function impliedKeywords (format: unknown): Record<string, unknown> | undefined {
  switch (format) {
    case 'int32': return { minimum: -int32, maximum: int32 - 1 }
    case 'int64': return { minimum: -longLimit, maximum: longLimit }
    case 'float': return { minimum: -float, maximum: float }
    case 'byte': return { pattern: '^[\\w\\d+\\/=]*$' }
    default: return undefined
  }
}
