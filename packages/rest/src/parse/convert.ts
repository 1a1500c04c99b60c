/**
 * Values of parameters by type and place. A converter gets what was found (a text, or for the query and bodies any
 * value), never undefined, and gives the value, an `ArgumentViolation`, or `ArgumentViolations` of several parts. It is
 * chosen once per argument.
 */
import type { Validators, Violation } from '@fastback/core'
import { toGeoPoint } from '@fastback/core/connector'
import { GeoPoint } from '@fastback/core/remote'
import { parseJson } from './json.js'
import { argumentSchema, isScalar, type ArgumentType, type JsonSchema, type ValueSource } from './schema.js'
import { decodeTagged } from './tagged.js'
import { ArgumentViolation, pathValue, scalarViolations, textCoercers, typeViolation, violationOf, type ScalarType } from './text.js'

/** What is wrong with parts of a value. */
export class ArgumentViolations {
  constructor (readonly violations: readonly Violation[]) {}
}

export type Converter = (found: unknown) => unknown

export const objectViolation = typeViolation('object')
export const arrayViolation = typeViolation('array')

export interface ConverterOptions {
  /** Keywords of the argument (`jsonSchema`). */
  readonly keywords?: JsonSchema | undefined
  /** Characters at which one text of a query is split into items (`rest.arrayItemDelimiters`). */
  readonly delimiters?: readonly string[] | undefined
  /** Characters that an object may have as text. Default: no limit. */
  readonly objectText?: number
  /** Whether a list of objects does where one is wanted. */
  readonly allowArray?: boolean | undefined
  /** Whether tagged values within objects are decoded as well. */
  readonly decodesAll?: boolean | undefined
}

export function converter (
  type: ArgumentType,
  place: ValueSource,
  validators: Validators,
  options: ConverterOptions = {}
): Converter {
  if (type.kind === 'own') return found => found
  if (type.kind === 'geopoint') return geoPoint
  if (place === 'json') return jsonConverter(type, validators, options)
  if (place === 'form') return formConverter(type, validators, options)
  if (isScalar(type.kind)) return withKeywords(scalarText(type.kind), validators, options)
  switch (type.kind) {
    case 'array':
      return arrayConverter(type, validators, options)
    case 'object':
    case 'model':
      return objectConverter(type, validators, options)
    case 'buffer':
      return found => (typeof found === 'string' ? Buffer.from(found, 'base64') : scalarViolations.string)
    default:
      return withKeywords(
        place === 'path'
          ? found => pathValue(found as string)
          : found => (typeof found === 'string' ? looseValue(found) : found),
        validators,
        options
      )
  }
}

/** Several values, or values with keys, are no scalar. */
function scalarText (kind: ScalarType): Converter {
  const coerce = textCoercers[kind]
  const violation = typeViolation(kind === 'long' ? 'integer' : kind === 'date' || kind === 'date-time' ? 'string' : kind)
  return found => typeof found === 'string' ? coerce(found) : violation
}

function withKeywords (convert: Converter, validators: Validators, { keywords }: ConverterOptions): Converter {
  if (keywords === undefined) return convert
  const validate = validators.json(keywords)
  return found => {
    const value = convert(found)
    // Dates are checked as the texts that they were.
    if (value instanceof ArgumentViolation) return value
    return checked(value, value instanceof Date ? validate(found) : validate(value))
  }
}

export const checked = (value: unknown, violations: Violation[] | undefined): unknown =>
  violations === undefined ? value : new ArgumentViolations(violations)

/** `filter={…}` or `filter[where][a]=1`. The empty text is undefined, the text `null` is null. */
function objectConverter (
  type: ArgumentType,
  validators: Validators,
  { keywords, objectText: most = Infinity }: ConverterOptions
): Converter {
  const schema = type.kind === 'model' || keywords !== undefined ? argumentSchema(type, keywords) : undefined
  const json = schema === undefined ? undefined : validators.json(schema)
  const form = schema === undefined ? undefined : validators.form(schema)
  return found => {
    if (typeof found === 'string') {
      const value = objectOf(found, most)
      return json === undefined || value === undefined || value === null || value instanceof ArgumentViolation
        ? value
        : checked(value, json(value))
    }
    if (!isObject(found)) return objectViolation
    return form === undefined ? found : checked(found, form(found))
  }
}

function objectOf (text: string, most: number): unknown {
  if (text === '') return undefined
  if (text.length > most) return violationOf('maxLength', { limit: most })
  const value = jsonOrViolation(text, objectViolation)
  return value === null || isObject(value) || value instanceof ArgumentViolation ? value : objectViolation
}

/** Somebody meant JSON, and forgot quotes or a bracket. */
const notJson = ({ code, info, message }: ArgumentViolation): ArgumentViolation =>
  new ArgumentViolation(code, info, `${message}, and is no JSON: names and texts stand in double quotes`)

/** The value of a JSON text, or what is wrong with the text. */
export function jsonOrViolation (text: string, violation: ArgumentViolation): unknown {
  try {
    return parseJson(text)
  } catch {
    return /^\s*[{[]/.test(text) ? notJson(violation) : violation
  }
}

/** Repeated names, brackets, one text (an item of its own), or the JSON text of an array. */
function arrayConverter (
  type: ArgumentType,
  validators: Validators,
  { keywords, delimiters }: ConverterOptions
): Converter {
  const schema = argumentSchema(type, keywords)
  const json = validators.json(schema)
  const form = validators.form(schema)
  return found => {
    if (typeof found === 'string') {
      const list = listText(found)
      if (list !== undefined) return checked(list, json(list))
      const items = delimiters === undefined ? [found] : splitAt(found, delimiters)
      return checked(items, form(items))
    }
    const items = Array.isArray(found) ? found : [found]
    return checked(items, form(items))
  }
}

function listText (text: string): unknown[] | undefined {
  if (!text.startsWith('[') || !text.endsWith(']')) return undefined
  const value = jsonOrViolation(text, arrayViolation)
  return Array.isArray(value) ? value : undefined
}

export function splitAt (text: string, delimiters: readonly string[]): string[] {
  let items = [text]
  for (const delimiter of delimiters) items = items.flatMap(item => item.split(delimiter))
  return items
}

/** A value of a JSON body: never converted, but dates and buffers, which JSON does not have. */
function jsonConverter (
  type: ArgumentType, validators: Validators, { keywords, allowArray }: ConverterOptions
): Converter {
  const validate = validators.json(argumentSchema(jsonType(type), keywords, allowArray))
  return found => {
    const value = decodeTagged(found, type)
    if (value instanceof ArgumentViolation || value instanceof Date || Buffer.isBuffer(value)) return value
    const violations = validate(value)
    if (violations !== undefined) return new ArgumentViolations(violations)
    return type.kind === 'date' || type.kind === 'date-time' ? textCoercers[type.kind](value as string) : value
  }
}

/** Named arguments take full-dates and instants alike. */
const jsonType = (type: ArgumentType): ArgumentType =>
  type.kind === 'date' || type.kind === 'date-time' ? { kind: 'string' } : type

/** A field of a form that stands for a named argument: Ajv's conversion, then dates. */
function formConverter (type: ArgumentType, validators: Validators, { keywords }: ConverterOptions): Converter {
  if (type.kind === 'any') return looseAny
  const validate = validators.form({ type: 'object', properties: { value: argumentSchema(jsonType(type), keywords) } })
  return found => {
    const holder = { value: type.kind === 'array' && !Array.isArray(found) ? [found] : found }
    const violations = validate(holder)
    if (violations !== undefined) {
      return new ArgumentViolations(violations.map(violation => ({ ...violation, path: violation.path.slice('.value'.length) })))
    }
    return type.kind === 'date' || type.kind === 'date-time'
      ? textCoercers[type.kind](holder.value as string)
      : holder.value
  }
}

const looseAny: Converter = found => typeof found === 'string' ? looseValue(found) : found

/**
 * A text whose type is `any`: what LoopBack 3 makes of it. Numbers beyond the exact ones stay text, so do numbers that
 * are written otherwise (`007`).
 */
function looseValue (text: string): unknown {
  switch (text) {
    case '': case 'undefined': return undefined
    case 'null': return null
    case 'true': return true
    case 'false': return false
  }
  if ((text.startsWith('{') && text.endsWith('}')) || (text.startsWith('[') && text.endsWith(']'))) {
    const value = jsonOrViolation(text, objectViolation)
    return value instanceof ArgumentViolation ? text : value
  }
  return pathValue(text)
}

const pointViolation = new ArgumentViolation('format', Object.freeze({ format: 'geopoint' }), 'must be a point on the globe')

/** `lat,lng`, a list of both or an object, also as JSON: methods get a point with its functions. */
export function geoPoint (found: unknown): unknown {
  if (found === '') return undefined
  const point = toGeoPoint(found)
  return typeof point === 'object' ? new GeoPoint(point) : pointViolation
}

export const isObject = (value: unknown): value is Record<string, unknown> =>
  value !== null && typeof value === 'object' && !Array.isArray(value)
