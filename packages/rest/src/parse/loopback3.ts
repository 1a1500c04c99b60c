/**
 * Values of arguments as LoopBack 3 takes them (`coercion: "loopback3"`): texts are read generously, values of JSON by
 * their own types, and an empty text is as if absent. A converter is chosen once per argument, as in `convert.ts`.
 * What no type can hold is refused here as well: objects as texts, days that are not there (security.md, S-32).
 */
import type { Validators } from '@fastback/core'
import { toDate } from '@fastback/core/remote'
import {
  arrayViolation, checked, geoPoint, isObject, jsonOrViolation, objectViolation, splitAt,
  type Converter, type ConverterOptions
} from './convert.js'
import type { ArgumentType, ValueSource } from './schema.js'
import { decodeAll, decodeTagged } from './tagged.js'
import { ArgumentViolation, pathValue, scalarViolations, violationOf, type ScalarType } from './text.js'

/**
 * How values of arguments and rows are taken: as request-parsing.md says, or `loopback3`: as LoopBack 3 takes them.
 */
export type Coercion = 'strict' | 'loopback3'

/** How one type is read where values have types (JSON), and where all is text. */
interface Reading {
  readonly typed: Converter
  readonly loose: Converter
}

/**
 * What reads an argument of this type; it gets what was found, also null, and never undefined.
 *
 * ```js
 * loopback3Converter({ kind: 'date' }, 'query', validators)('0')   // 1970-01-01T00:00:00.000Z
 * loopback3Converter({ kind: 'number' }, 'query', validators)('')  // undefined
 * ```
 */
export function loopback3Converter (
  type: ArgumentType, place: ValueSource, validators: Validators, options: ConverterOptions = {}
): Converter {
  // An id in a path is never JSON (security.md, S-01).
  if (place === 'path' && type.kind === 'any') return found => pathValue(found as string)
  const { typed, loose } = reading(type, options)
  const convert = place === 'json' ? typed : loose
  if (options.keywords === undefined) return convert
  const validate = validators.json(options.keywords)
  return found => {
    const value = convert(found)
    if (value === undefined || value === null || value instanceof ArgumentViolation) return value
    return checked(value, validate(value instanceof Date ? value.toISOString() : value))
  }
}

function reading (type: ArgumentType, options: ConverterOptions): Reading {
  switch (type.kind) {
    case 'array': return listReading(reading(type.items, options), options)
    case 'object': case 'model': return objectReading(options)
    case 'any': return { typed: options.decodesAll === true ? decodeAll : found => found, loose: looseAny }
    case 'geopoint': return { typed: typedPoint, loose: textOr(geoPoint) }
    case 'own': case 'file': return { typed: found => found, loose: found => found }
    case 'buffer': return { typed: found => decodeTagged(found, type), loose: found => decodeTagged(found, type) }
    default: return scalarReading(type.kind)
  }
}

/** In JSON degrees are numbers. */
const typedPoint: Converter = found =>
  isText(found) || Object.values(found ?? {}).every(each => typeof each === 'number') ? geoPoint(found) : geoPoint(null)

/** The empty text is undefined; all else goes on. */
const textOr = (convert: Converter): Converter => found => found === '' ? undefined : convert(found)

/** As well; `null` is null. */
const textOrNull = (convert: Converter): Converter =>
  textOr(found => found === null || found === 'null' ? null : convert(found))

const digits = /^-?\d+$/

const typedScalars: Readonly<Record<ScalarType, Converter>> = {
  string: found => typeof found === 'string' ? found : scalarViolations.string,
  number: found => typeof found === 'number' && !Number.isNaN(found) ? found : scalarViolations.number,
  integer: found => Number.isSafeInteger(found) ? found : scalarViolations.integer,
  long: found => Number.isSafeInteger(found) ? found : scalarViolations.long,
  boolean: found => typeof found === 'boolean' ? found : scalarViolations.boolean,
  date: instant,
  'date-time': instant
}

/** Milliseconds, and whatever text `Date` understands. */
function instant (found: unknown): unknown {
  const tagged = decodeTagged(found, { kind: 'date' })
  if (tagged instanceof Date || tagged instanceof ArgumentViolation) return tagged
  const date = toDate(found)
  return date instanceof Date ? date : scalarViolations['date-time']
}

function scalarReading (kind: ScalarType): Reading {
  const typed = typedScalars[kind]
  return { typed, loose: found => found === '' ? undefined : typed(looseScalar(kind, found)) }
}

/** What a text stands for, before its type is asked. */
function looseScalar (kind: ScalarType, found: unknown): unknown {
  // Of a name that is given more than once LoopBack makes one text.
  if (kind === 'string') return Array.isArray(found) && found.every(isText) ? found.join(',') : found
  if (typeof found !== 'string') return found
  switch (kind) {
    case 'boolean': return booleans.get(found.toLowerCase())
    case 'date': case 'date-time': return digits.test(found) ? Number(found) : found
    default: return Number(found)
  }
}

const isText = (value: unknown): boolean => typeof value === 'string'

const booleans: ReadonlyMap<string, boolean> = new Map([['true', true], ['1', true], ['false', false], ['0', false]])

function objectReading ({ allowArray = false, objectText = Infinity, decodesAll = false }: ConverterOptions): Reading {
  const typed: Converter = found => {
    if (found !== null && !isObject(found) && !(allowArray && Array.isArray(found) && found.every(isObject))) {
      return objectViolation
    }
    return decodesAll ? decodeAll(found) : found
  }
  return {
    typed,
    loose: textOrNull(found => {
      if (typeof found !== 'string' || !isWithin(found, '{', '}')) return typed(found)
      if (found.length > objectText) return violationOf('maxLength', { limit: objectText })
      const value = jsonOrViolation(found, objectViolation)
      return value instanceof ArgumentViolation ? value : typed(value)
    })
  }
}

function listReading ({ typed, loose }: Reading, { delimiters }: ConverterOptions): Reading {
  const typedList: Converter = found =>
    found === null ? null : Array.isArray(found) ? each(found, typed) : arrayViolation
  return {
    typed: typedList,
    loose: textOrNull(found => {
      if (typeof found !== 'string') return each(Array.isArray(found) ? found : [found], loose)
      if (isWithin(found, '[', ']')) {
        const value = jsonOrViolation(found, arrayViolation)
        return value instanceof ArgumentViolation ? value : typedList(value)
      }
      return each(delimiters === undefined ? [found] : splitAt(found, delimiters), loose)
    })
  }
}

function each (items: readonly unknown[], convert: Converter): unknown {
  const values: unknown[] = []
  for (const item of items) {
    const value = convert(item)
    if (value instanceof ArgumentViolation) return value
    values.push(value)
  }
  return values
}

const isWithin = (text: string, first: string, last: string): boolean => text.startsWith(first) && text.endsWith(last)

const integerText = /^-?(?:\d|[1-9]\d*)$/
const fraction = /^-?\d*\.\d+$/

/** Numbers that are exact, booleans in any case, null, JSON; every other text is a text. */
function looseAny (found: unknown): unknown {
  if (typeof found !== 'string') return found
  switch (found.toLowerCase()) {
    case '': return undefined
    case 'true': return true
    case 'false': return false
  }
  if (found === 'null') return null
  if (integerText.test(found) || fraction.test(found)) {
    const number = Number(found)
    return Math.abs(number) <= Number.MAX_SAFE_INTEGER ? number : found
  }
  if (!isWithin(found, '{', '}') && !isWithin(found, '[', ']')) return found
  const value = jsonOrViolation(found, objectViolation)
  return value instanceof ArgumentViolation ? found : value
}
