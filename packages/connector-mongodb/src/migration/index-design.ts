/** The indexes that a model asks for, as MongoDB has them. */
import type { StoredIndex } from '@fastback/core'
import type { CreateIndexesOptions } from 'mongodb'
import type { DocumentMap, Field } from '../documents/document-map.js'
import type { Document } from '../driver.js'

export interface IndexDesign {
  readonly name: string
  readonly key: Readonly<Record<string, number | string>>
  readonly options: CreateIndexesOptions
}

/** What `indexes` of a model may say beside what every store knows. */
const furtherOptions = ['sparse', 'expireAfterSeconds', 'partialFilterExpression', 'collation', 'weights', 'default_language', 'hidden']

export function designIndexes (map: DocumentMap): IndexDesign[] {
  const designs = map.model.indexes.map(index => designIndex(map, index))
  return map.settings.enableGeoIndexing ? [...designs, ...geoIndexes(map, designs)] : designs
}

function designIndex (map: DocumentMap, index: StoredIndex): IndexDesign {
  const written = writtenIndex(map, index)
  const kinds = (written.keys ?? {}) as Readonly<Record<string, unknown>>
  const given = (written.options ?? {}) as Readonly<Record<string, unknown>>
  const options = Object.fromEntries(
    furtherOptions.filter(key => given[key] !== undefined).map(key => [key, given[key]])
  )
  const compared = index.unique && options.sparse === undefined && options.partialFilterExpression === undefined
  return {
    name: index.name,
    key: Object.fromEntries(index.columns.map(({ property, descending }) => [
      map.field(property)?.name ?? property,
      typeof kinds[property] === 'string' && Number.isNaN(Number(kinds[property])) ? kinds[property] : descending ? -1 : 1
    ])),
    options: {
      ...options,
      ...(index.unique ? { unique: true } : {}),
      ...(compared ? { partialFilterExpression: comparedRows(map, index) } : {})
    }
  }
}

/** The index as the definition has it, where it is one of `indexes`. */
function writtenIndex ({ model }: DocumentMap, { name }: StoredIndex): Readonly<Record<string, unknown>> {
  const all = model.settings.indexes as Readonly<Record<string, unknown>> | undefined
  const written = all?.[name]
  return written !== null && typeof written === 'object' ? (written as Readonly<Record<string, unknown>>) : {}
}

/**
 * A unique index compares rows in which all its properties have a value (and the first one more than blank text). Said
 * as ranges, so that the database knows that the index serves questions for single values.
 */
function comparedRows (map: DocumentMap, { columns, exceptBlank, live }: StoredIndex): Document {
  const fields = columns.map(({ property }) => map.field(property)).filter(field => field !== undefined)
  const compared = Object.fromEntries(fields.map((field, i) => [
    field.name,
    exceptBlank === true && i === 0 ? { $gt: '' } : valuesOf(map, field)
  ]))
  return live === undefined ? compared : { ...compared, [map.field(live)?.name ?? live]: null }
}

const anyTypes = ['string', 'objectId', 'number', 'bool', 'date', 'object', 'array', 'binData']
const earliest = -8_640_000_000_000_000

/** All values that a property can have, but null. */
function valuesOf ({ driver }: DocumentMap, { property: { type }, rule }: Field): Document {
  switch (type.kind) {
    case 'string':
      if (rule.objectIds === 'never' && !rule.decimal) return { $gte: '' }
      return rule.decimal ? { $type: ['number', 'string'] } : { $gte: new driver.ObjectId('0'.repeat(24)) }
    case 'decimal': return rule.decimal ? { $type: ['number', 'string'] } : { $gte: '' }
    case 'number': case 'integer': case 'long': case 'bigint': return { $gte: -Infinity }
    case 'boolean': return { $gte: false }
    case 'date': return { $gte: new Date(earliest) }
    default: return { $type: anyTypes }
  }
}

function geoIndexes (map: DocumentMap, designs: readonly IndexDesign[]): IndexDesign[] {
  return map.fields
    .filter(({ name, rule }) => rule.geoJson && !designs.some(({ key }) => Object.hasOwn(key, name)))
    .map(({ name }) => ({ name: `${name}_2dsphere`, key: { [name]: '2dsphere' }, options: {} }))
}
