/** Columns of types that only PostgreSQL has, for properties that are kept as JSON elsewhere. Databases that were made
 * before have them (discovery.md, section 5). */
import type { PropertyType } from '@fastback/core'
import { json, type PostgresFormat } from './formats.js'

/** `text[]`, `integer[]` …: lists of scalars, written and read as JSON. */
export function arrayOf (type: PropertyType, declaredType: string): PostgresFormat {
  const items = (list: string): string => `ARRAY(SELECT jsonb_array_elements_text(${list}::text::jsonb))::${declaredType}`
  return {
    ...json(type, 'jsonb'),
    declaredType,
    sqlType: declaredType,
    read: column => `to_json(${column})::text`,
    jsonText: column => `to_json(${column})::text`,
    jsonb: column => `to_jsonb(${column})`,
    bound: placeholder => `CASE WHEN ${placeholder}::text IS NOT NULL THEN ${items(placeholder)} END`
  }
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
