/**
 * What is wrong with a value, in words: one sentence for each rule, whoever found that it is broken. It goes on after
 * the name of what is wrong ("`stars` must be a whole number"), except where it names a property of its own.
 */
import { nearestOutside } from '../nearest.js'

/** Values of a list that a sentence names; the whole list is in `info`. */
const mostValues = 20

const types: Readonly<Record<string, string>> = {
  string: 'a string',
  number: 'a number',
  integer: 'a whole number',
  boolean: 'true or false',
  object: 'an object',
  array: 'a list',
  null: 'null'
}

const formats: Readonly<Record<string, string>> = {
  date: 'a date, as in 2024-12-31',
  'date-time': 'a date and time, as in 2024-12-31T12:00:00Z',
  time: 'a time with its zone, as in 12:00:00Z',
  'time-local': 'a time of day, as in 12:00:00',
  email: 'an e-mail address',
  uuid: 'a UUID',
  uri: 'an absolute URI',
  hostname: 'a host name',
  ipv4: 'an IPv4 address',
  ipv6: 'an IPv6 address',
  int32: 'a whole number of 32 bits',
  int64: `a whole number from ${Number.MIN_SAFE_INTEGER} to ${Number.MAX_SAFE_INTEGER}`,
  byte: 'base64',
  decimal: 'a decimal number, as in 12.50'
}

export type Info = Readonly<Record<string, unknown>>

const bounds: Readonly<Record<string, string>> = {
  '>=': 'at least', '<=': 'at most', '>': 'more than', '<': 'less than'
}
const limit = ({ comparison, limit }: Info): string => `must be ${bounds[String(comparison)] ?? ''} ${String(limit)}`
const size = (bound: string, one: string, many = `${one}s`) => ({ limit }: Info): string =>
  `must have at ${bound} ${String(limit)} ${limit === 1 ? one : many}`

/** How many digits a decimal has. */
const ofDigits = ({ precision, scale }: Info): string =>
  `${precision === undefined ? '' : `, of ${String(precision)} digits at most`}` +
  `${scale === undefined ? '' : `, ${String(scale)} of them after the point`}`

const sentences: Readonly<Record<string, (info: Info) => string>> = {
  type: ({ type }) => `must be ${[type].flat().map(each => types[String(each)] ?? String(each)).join(' or ')}`,
  required: ({ missingProperty }) => `"${String(missingProperty)}" is required`,
  additionalProperties: ({ additionalProperty }) => unknownPropertySentence(String(additionalProperty), []),
  enum: ({ allowedValues }) => oneOf(allowedValues as unknown[]),
  const: ({ allowedValue }) => oneOf([allowedValue]),
  minLength: size('least', 'character'),
  maxLength: size('most', 'character'),
  minItems: size('least', 'item'),
  maxItems: size('most', 'item'),
  minProperties: size('least', 'property', 'properties'),
  maxProperties: size('most', 'property', 'properties'),
  minimum: limit,
  maximum: limit,
  exclusiveMinimum: limit,
  exclusiveMaximum: limit,
  multipleOf: ({ multipleOf }) => `must be a multiple of ${String(multipleOf)}`,
  pattern: ({ pattern }) => `must match the pattern ${String(pattern)}`,
  format: ({ format, ...digits }) => `must be ${formats[String(format)] ?? `in the format "${String(format)}"`}${ofDigits(digits)}`,
  uniqueItems: ({ i, j }) => `must not have an item twice (${[i, j].map(Number).sort((a, b) => a - b).join(' and ')})`,
  oneOf: ({ passingSchemas }) => passingSchemas === null
    ? 'must be in one of the forms that are allowed, and is in none'
    : 'must be in one of the forms that are allowed, and is in several',
  anyOf: () => 'must be in one of the forms that are allowed',
  not: () => 'must not be in a form that is not allowed'
}

/**
 * Names for which a near one is looked for in one tick: the first of a row are a misspelling, and thousands of them
 * would hold others up (security.md, S-163).
 */
const mostMeant = 50
/** A tick is of the process, whatever applications are in it. */
const tick = { meant: 0 }

function mayBeMeant (): boolean {
  if (tick.meant === 0) setTimeout(() => { tick.meant = 0 }, 0)
  return ++tick.meant <= mostMeant
}

/** The same with the name that is near: `known` are those that the object may have. */
export function unknownPropertySentence (name: string, known: Iterable<string>): string {
  const meant = mayBeMeant() ? nearestOutside(name, [...known]) : undefined
  return `"${name}" is not a known property${meant === undefined ? '' : `; "${meant}" is one`}`
}

const shown = (value: unknown): string => typeof value === 'string' && value !== '' ? value : JSON.stringify(value)

function oneOf (values: readonly unknown[]): string {
  if (values.length === 1) return `must be ${shown(values[0])}`
  const more = values.length > mostValues ? ', …' : ''
  return `must be one of ${values.slice(0, mostValues).map(shown).join(', ')}${more}`
}

/**
 * The sentence for a broken rule; undefined for a rule that is not known here.
 *
 * ```js
 * sentenceOf('enum', { allowedValues: ['open', 'done'] }) // 'must be one of open, done'
 * ```
 * @param code a keyword of JSON Schema
 * @param info its parameters, as `details` have them
 */
export function sentenceOf (code: string, info: Info): string | undefined {
  return Object.hasOwn(sentences, code) ? sentences[code]?.(info) : undefined
}
