/** What a model and its properties say in their object `mongodb`. */
import type { CompiledProperty, StoredModel } from '@fastback/core'
import { holdsDecimals } from '@fastback/core/connector'
import { NameError } from '../errors.js'
import type { MongodbSettings } from '../settings.js'
import { isFieldName, type EncodeRule, type ObjectIdRule } from './encode.js'

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  value !== null && typeof value === 'object' && !Array.isArray(value)

const ofMongodb = (written: Readonly<Record<string, unknown>>): Readonly<Record<string, unknown>> =>
  isRecord(written.mongodb) ? written.mongodb : {}

/**
 * `"mongodb": { "collection": "people" }`; without it the model's name.
 * @throws FBK_MONGODB_NAME
 */
export function collectionOf ({ name: model, settings }: StoredModel): string {
  const { collection = model } = ofMongodb(settings)
  const isName = typeof collection === 'string' && /^(?!system\.)[^$\0]{1,200}$/.test(collection)
  if (!isName) throw new NameError(model, '"collection" must be the name of a collection')
  return collection
}

/**
 * `"mongodb": { "fieldName": "full_name" }`, or `field`, `columnName`, `column`; without it the property's name.
 * @throws FBK_MONGODB_NAME
 */
export function fieldOf ({ name: model }: StoredModel, { name, definition }: CompiledProperty): string {
  const { fieldName, field, columnName, column } = ofMongodb(definition)
  const chosen = fieldName ?? field ?? columnName ?? column ?? name
  if (typeof chosen !== 'string' || !isFieldName(chosen) || chosen === '_id') {
    throw new NameError(model, `the property "${name}" cannot be stored in a field of the name ${JSON.stringify(chosen)}`)
  }
  return chosen
}

/** How the values of a property are stored. */
export function encodeRuleOf (model: StoredModel, property: CompiledProperty, settings: MongodbSettings): EncodeRule {
  const { dataType } = ofMongodb(property.definition)
  const type = typeof dataType === 'string' ? dataType.toLowerCase() : ''
  return {
    objectIds: type === '' ? objectIdRuleOf(model, property, settings) : type === 'objectid' ? 'always' : 'never',
    decimal: type === 'decimal128',
    keys: holdsDecimals(property.type),
    geoJson: property.type.kind === 'geopoint' && settings.enableGeoIndexing
  }
}

/**
 * As LoopBack's connector has it: a text that looks like an ObjectID is one, in every property of texts, unless
 * `strictObjectIDCoercion` leaves that to generated ids and to properties that say it. What a unique index compares
 * stays text: a name of 24 hexadecimal digits is a name as well.
 */
function objectIdRuleOf (model: StoredModel, property: CompiledProperty, settings: MongodbSettings): ObjectIdRule {
  const { kind, items } = property.type
  if (kind !== 'string' && items?.kind !== 'string') return 'never'
  if (property === model.id && property.generated) return 'always'
  const own = model.settings.strictObjectIDCoercion ?? ofMongodb(model.settings).strictObjectIDCoercion
  if (own ?? settings.strictObjectIDCoercion) return 'never'
  return property === model.id ? 'always' : isUnique(model, property) ? 'never' : 'text'
}

const isUnique = ({ indexes }: StoredModel, { name }: CompiledProperty): boolean =>
  indexes.some(({ unique, columns }) => unique && columns.some(({ property }) => property === name))
