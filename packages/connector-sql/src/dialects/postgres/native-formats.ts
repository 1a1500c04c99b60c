/** Columns of types that only PostgreSQL has, for properties that are kept as JSON elsewhere. Databases that were made
 * before have them (discovery.md, section 5). */
import type { PropertyType } from '@fastback/core'
import { parseExactly } from '../../tables/exact-json.js'
import { encodeJson } from '../../tables/json-text.js'
import { decimalFormat } from '../decimals.js'
import { encodeDate } from './dates.js'
import { isExact } from './decimals.js'
import { bytes, integer, json, numeric, type PostgresFormat } from './formats.js'
import { encodeText } from './texts.js'
import { arrayText } from './quote.js'
import { parseJson } from './text-code.js'

/** How the items of a list are read and written. */
interface ItemForm {
  /** The list to make JSON of. Default: the column. */
  readonly listed?: (column: string) => string
  /** An item of that JSON; null stays. Default: as it is. */
  readonly decode?: (item: unknown) => unknown
  /** What PostgreSQL reads for an item. */
  readonly encode: (item: unknown) => unknown
  /** Whether the JSON of the column is that of the list. */
  readonly isJson: boolean
}

const inTexts = (column: string): string => `${column}::text[]`
const plainItem: ItemForm = { encode: encodeText, isJson: true }

/** Texts where JSON, or JavaScript's reading of it, would lose some of an item. */
function itemForm ({ kind, limits = {} }: Partial<PropertyType>, declaredType: string): ItemForm {
  switch (kind) {
    case 'number': case 'integer': case 'long': case 'bigint':
      if (!/^(?:bigint|int8|numeric|decimal)\b/i.test(declaredType)) return plainItem
      return {
        ...plainItem,
        listed: inTexts,
        decode: (/^(?:bigint|int8)\b/i.test(declaredType) ? integer : numeric).decode
      }
    case 'string':
      return isExact(declaredType) ? { listed: inTexts, encode: encodeText, isJson: false } : plainItem
    case 'decimal': return { listed: inTexts, decode: decimalFormat(limits).decode, encode: String, isJson: false }
    case 'date': {
      // What has no zone is UTC's.
      const zone = /^timestamp(?!tz)(?!.*with time zone)/i.test(declaredType) ? 'Z' : ''
      return { decode: item => asDate(`${String(item)}${zone}`) ?? item, encode: encodeDate, isJson: false }
    }
    case 'buffer': return { listed: inTexts, decode: bytes.decode, encode: item => item, isJson: false }
    case 'geopoint': return { listed: inTexts, decode: readPoint, encode: pointText, isJson: false }
    default: return plainItem
  }
}

function asDate (text: string): Date | undefined {
  const date = new Date(text)
  return Number.isNaN(date.getTime()) ? undefined : date
}

/** `text[]`, `integer[]` …: lists, also of lists, read as JSON. */
export function arrayOf (type: PropertyType, declaredType: string): PostgresFormat {
  const form = itemForm(type.items ?? {}, declaredType)
  const { decode } = form
  const read = (raw: unknown): unknown => {
    const list = parseJson(raw as string)
    return decode === undefined ? list : eachItem(list, decode)
  }
  return {
    ...json(type, 'jsonb'),
    declaredType,
    sqlType: declaredType,
    read: column => `to_json(${form.listed?.(column) ?? column})::text`,
    jsonText: form.isJson && decode === undefined ? column => `to_json(${column})::text` : undefined,
    jsonb: form.isJson ? column => `to_jsonb(${column})` : undefined,
    encode: value => Array.isArray(value) ? arrayText(eachItem(value, form.encode) as unknown[]) : encodeText(value),
    decode: read,
    plain: raw => form.isJson ? read(raw) : parseExactly(encodeJson(read(raw))),
    bound: placeholder => `${placeholder}::text::${declaredType}`
  }
}

/** A list with each item that is there changed, within lists as well. */
function eachItem (value: unknown, change: (item: unknown) => unknown): unknown {
  if (Array.isArray(value)) return value.map(item => eachItem(item, change))
  return value === null || value === undefined ? null : change(value)
}

/** `point`: x is the longitude, y the latitude. */
export function point (type: PropertyType): PostgresFormat {
  const base = json(type, 'jsonb')
  const parts = (column: string): string => `'lat', (${column})[1], 'lng', (${column})[0]`
  const object = (make: string) => (column: string): string =>
    `CASE WHEN ${column} IS NOT NULL THEN ${make}(${parts(column)}) END`
  return {
    ...base,
    declaredType: 'point',
    sqlType: 'point',
    read: column => `${object('json_build_object')(column)}::text`,
    jsonText: column => `${object('json_build_object')(column)}::text`,
    jsonb: object('jsonb_build_object'),
    encode: value => pointText(value),
    bound: placeholder => `${placeholder}::text::point`
  }
}

function pointText (value: unknown): string {
  const { lat, lng } = value as { readonly lat: number, readonly lng: number }
  return `(${Number(lng)},${Number(lat)})`
}

/** `(10.5,59)`. */
function readPoint (text: unknown): unknown {
  const [lng, lat] = String(text).slice(1, -1).split(',').map(Number)
  return { lat, lng }
}
