/** What values of a property are, for the eye and for the hand. */
import type { ApiDescription } from '../../api/description.js'
import type { Schema } from '../../../contracts/openapi.js'
import type { DataModel } from './models.js'
import type { Property } from './properties.js'

export type Kind =
  'yes-no' | 'number' | 'moment' | 'date' | 'time' | 'choice' | 'key' | 'keys' | 'file' | 'point' | 'list' | 'json' | 'text'

/** A point on the earth, as rows have it. */
export interface Point { readonly lat: number, readonly lng: number }

export const isPoint = (value: unknown): value is Point =>
  value !== null && typeof value === 'object' && 'lat' in value && 'lng' in value &&
  typeof value.lat === 'number' && typeof value.lng === 'number'

/**
 * What values of a property are.
 *
 * ```js
 * kindOf(model, { name: 'done', schema: { type: 'boolean' }, … }, description) // 'yes-no'
 * ```
 */
export function kindOf (model: DataModel, { name, schema, written }: Property, description: ApiDescription): Kind {
  const { type, format } = schema
  const keys = model.keyIn(name)
  if (model.facts.files.includes(name)) return 'file'
  if (keys !== undefined) return keys.many ? 'keys' : 'key'
  if (Array.isArray(schema.enum)) return 'choice'
  if (type === 'boolean') return 'yes-no'
  if (type === 'number' || type === 'integer' || format === 'int64') return 'number'
  if (format === 'date-time') return 'moment'
  if (type === 'string') return format === 'date' ? 'date' : format === 'time-local' ? 'time' : 'text'
  if (isPointSchema(written, description)) return 'point'
  if (type === 'array') return isPlain(description.schema(schema.items as Schema | undefined)) ? 'list' : 'json'
  return 'json'
}

/** Whether a schema is of points, or of the ways that these may be written. */
function isPointSchema (written: Schema, description: ApiDescription): boolean {
  const found = description.schema(written)
  const { properties = {} } = found as { readonly properties?: object }
  if (Object.hasOwn(properties, 'lat') && Object.hasOwn(properties, 'lng')) return Object.keys(properties).length === 2
  return ((found.anyOf ?? []) as Schema[]).some(branch => isPointSchema(branch, description))
}

const isPlain = ({ type, format, enum: choices }: Schema): boolean =>
  (type === 'string' && format !== 'date-time') || type === 'number' || type === 'integer' || Array.isArray(choices)

/** Whether a list can be sorted by the property. */
export const isSortable = ({ schema: { type } }: Property): boolean =>
  type !== 'object' && type !== 'array' && type !== undefined

/** Kinds that a cell of a list can be edited in. */
export const inlineKinds: ReadonlySet<Kind> = new Set(['yes-no', 'number', 'moment', 'date', 'time', 'choice', 'key', 'text'])
