/** From what somebody types to the definition of a property (generators.md, GE-P1, GE-P2, GE-P4). */
import { readCalendar } from '@fastback/core/connector'
import { UsageError } from '../errors.js'

/** A property as it is asked for. */
export interface PropertyOptions {
  readonly name: string
  /** A type, `array`, or the name of a model. Default: `string`. */
  readonly type?: string | undefined
  /** Of an array. Default: any. */
  readonly itemType?: string | undefined
  /** Default: false. */
  readonly required?: boolean | undefined
  /** As a text, read by the type: `5`, `true`, `now`, `1,2`. */
  readonly default?: string | undefined
  readonly description?: string | undefined
  /** Never in a response. Default: false. */
  readonly hidden?: boolean | undefined
  /** Default: false. */
  readonly index?: boolean | undefined
  /** The only values that are taken, each as a text. */
  readonly enum?: readonly string[] | undefined
}

export const propertyTypes = [
  'string', 'number', 'boolean', 'object', 'array', 'date', 'dateOnly', 'time', 'buffer', 'geopoint', 'any'
] as const

/** Types that have no default. */
export const withoutDefault = (type: string): boolean =>
  type === 'buffer' || type === 'any' || !propertyTypes.some(each => each === type)

const functions = ['guid', 'uuid', 'uuidv4', 'nanoid', 'shortid']

/**
 * `{ "type": "number", "required": true, "default": 5 }`, with its keys in LoopBack's order.
 * @throws FBK_CLI_USAGE where the default is none of the type
 */
export function propertyDefinition ({
  type = 'string', itemType, required, default: usual, description, hidden, index, enum: values
}: Omit<PropertyOptions, 'name'>): Record<string, unknown> {
  return {
    type: type === 'array' && itemType !== undefined ? [itemType] : type,
    ...(required === true ? { required } : {}),
    ...(usual === undefined || usual === '' ? {} : defaultOf(type, itemType, usual)),
    ...(description === undefined ? {} : { description }),
    ...(hidden === true ? { hidden } : {}),
    ...(index === true ? { index } : {}),
    ...(values === undefined || values.length === 0 ? {} : { enum: values.map(each => valueOf(type, each)) })
  }
}

function defaultOf (type: string, itemType: string | undefined, text: string): Record<string, unknown> {
  if (type === 'string' && functions.includes(text)) return { defaultFn: text }
  if (type === 'date' && text === 'now') return { defaultFn: 'now' }
  if (withoutDefault(type)) throw new UsageError(`A property of type "${type}" has no default that can be written here.`)
  if (type !== 'array') return { default: valueOf(type, text) }
  return { default: text.split(',').map(each => valueOf(itemType ?? 'any', each.trim())) }
}

/** @throws FBK_CLI_USAGE */
function valueOf (type: string, text: string): unknown {
  switch (type) {
    case 'number': return fitting(Number(text), text.trim() !== '' && Number.isFinite(Number(text)), text, 'a number')
    case 'boolean': return fitting(/^(true|1|t)$/i.test(text), /^(true|1|t|false|0|f)$/i.test(text), text, 'true or false')
    case 'date': {
      const date = new Date(/^\d+$/.test(text) ? Number(text) : text)
      const isDate = !Number.isNaN(date.getTime())
      return fitting(isDate ? date.toISOString() : '', isDate, text, 'a date, or "now"')
    }
    case 'dateOnly': return calendarOf('date', text, 'a day, as in 2026-01-31')
    case 'time': return calendarOf('time', text, 'a time of day, as in 08:30:00')
    case 'geopoint': return pointOf(text)
    case 'object': {
      const value = jsonOf(text)
      return fitting(value, typeof value === 'object' && value !== null && !Array.isArray(value), text, 'an object of JSON')
    }
    default: return text
  }
}

function fitting<T> (value: T, fits: boolean, text: string, what: string): T {
  if (!fits) throw new UsageError(`"${text}" is not ${what}.`)
  return value
}

function calendarOf (calendar: 'date' | 'time', text: string, what: string): string {
  const read = readCalendar(calendar, text)
  return fitting(String(read), typeof read === 'string', text, what)
}

function pointOf (text: string): unknown {
  const given = jsonOf(text) as { lat?: unknown, lng?: unknown } | undefined
  const [lat, lng] = typeof given === 'object' && given !== null
    ? [Number(given.lat ?? NaN), Number(given.lng ?? NaN)]
    : text.split(',').map(each => each.trim() === '' ? NaN : Number(each))
  const isPoint = lat !== undefined && lng !== undefined && Math.abs(lat) <= 90 && Math.abs(lng) <= 180
  return fitting({ lat, lng }, isPoint, text, 'a point, as in "51.5,-0.1" (latitude, longitude)')
}

function jsonOf (text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

const form = /^([^:!=]+)(?::([A-Za-z]\w*)(\[\])?)?(!)?(?:=(.*))?$/s

/**
 * The short form of a property: `title:string!` (required), `n:number=5`, `tags:string[]`.
 *
 * @throws FBK_CLI_USAGE
 */
export function readProperty (text: string): Omit<PropertyOptions, 'enum' | 'description' | 'hidden' | 'index'> {
  const found = form.exec(text)
  if (found === null) throw new UsageError(`"${text}" is no property. Write it as "title:string!", "n:number=5" or "tags:string[]".`)
  const [, name = '', type = 'string', list, required, usual] = found
  return {
    name,
    type: list === undefined ? type : 'array',
    ...(list === undefined ? {} : { itemType: type }),
    ...(required === undefined ? {} : { required: true }),
    ...(usual === undefined ? {} : { default: usual })
  }
}
