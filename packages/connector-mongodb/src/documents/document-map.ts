/** How the rows of a model are stored: its collection, and the field of each property. */
import type { CompiledProperty, Id, PropertyType, Row, Selection, StoredModel } from '@fastback/core'
import type { Document, Driver, Stored, StoredId } from '../driver.js'
import { NameError, refusedName } from '../errors.js'
import type { MongodbSettings } from '../settings.js'
import { decodeValue } from './decode.js'
import { encodeValue, isFieldName, type EncodeRule } from './encode.js'
import { collectionOf, encodeRuleOf, fieldOf } from './model-settings.js'

/** A property and its field. */
export interface Field {
  /** Name in documents. */
  readonly name: string
  readonly property: CompiledProperty
  readonly rule: EncodeRule
}

const anyType: PropertyType = { kind: 'any' }
const freeRule: EncodeRule = { objectIds: 'never', decimal: false, keys: false, geoJson: false }

export class DocumentMap {
  readonly collection: string
  readonly fields: readonly Field[]
  /** The field `_id`, where a property of the model is the id. */
  readonly id: Field | undefined
  /** Counts the writes of a document; undefined for models whose rows are not counted. */
  readonly version: Field | undefined
  readonly #byProperty = new Map<string, Field>()
  readonly #byName = new Map<string, Field>()

  /** @throws FBK_MONGODB_NAME */
  constructor (readonly model: StoredModel, readonly driver: Driver, readonly settings: MongodbSettings) {
    this.collection = collectionOf(model)
    this.fields = model.properties.map(property => ({
      name: property === model.id ? '_id' : fieldOf(model, property),
      property,
      rule: encodeRuleOf(model, property, settings)
    }))
    for (const field of this.fields) {
      const other = this.#byName.get(field.name)
      if (other !== undefined) {
        throw new NameError(model.name, `the properties "${other.property.name}" and "${field.property.name}" would share one field`)
      }
      this.#byName.set(field.name, field)
      this.#byProperty.set(field.property.name, field)
    }
    this.id = model.id === undefined ? undefined : this.#byProperty.get(model.id.name)
    this.version = model.version && this.#byProperty.get(model.version.name)
  }

  /** Undefined for properties that the definition does not have: their fields have their names. */
  field (property: string): Field | undefined {
    return this.#byProperty.get(property)
  }

  /** The property in a field. */
  propertyOf (name: string): string {
    return this.#byName.get(name)?.property.name ?? name
  }

  encode (property: string, value: unknown): unknown {
    return encodeValue(this.driver, value, this.field(property)?.rule ?? freeRule, this.model.name, property)
  }

  encodeId (id: Id): StoredId {
    return this.encode(this.model.id?.name ?? '_id', id) as StoredId
  }

  /**
   * The name of the field of a property of a row.
   * @throws RequestError 400 for a name that would not be one field of its own
   */
  fieldName (property: string): string {
    const field = this.#byProperty.get(property)
    if (field !== undefined) return field.name
    if (property === '_id' || !isFieldName(property) || this.#byName.has(property)) throw refusedName(property)
    return property
  }

  /** A document with the values of a row, without those that are undefined. */
  toDocument (row: Readonly<Row>): Document {
    const document: Document = {}
    for (const key of Object.keys(row)) {
      if (row[key] === undefined || key === '__proto__') continue
      document[this.fieldName(key)] = this.encode(key, row[key])
    }
    return document
  }

  /** The properties of a selection that a document has. */
  toRow (document: Readonly<Stored>, { names, extra }: Selection): Row {
    const row: Row = {}
    for (const name of names) {
      const field = this.#byProperty.get(name)
      const value = field === undefined ? undefined : document[field.name]
      if (value !== undefined) row[name] = decodeValue(value, (field as Field).property.type)
    }
    if (extra === 'none') return row
    for (const name of extra === 'all' ? Object.keys(document) : extra) {
      if (!this.isUndeclared(name) || !Object.hasOwn(document, name)) continue
      row[name] = decodeValue(document[name], anyType)
    }
    return row
  }

  /**
   * Whether a field holds a property that the definition does not have. The field of a declared property is none, by
   * whatever name: it may be hidden (S-170).
   */
  isUndeclared (name: string): boolean {
    return name !== '_id' && name !== '__proto__' && !this.#byName.has(name) && !this.#byProperty.has(name)
  }

  /** The whole row of a document. */
  wholeRow (document: Readonly<Stored>): Row {
    return this.toRow(document, { names: this.model.properties.map(({ name }) => name), extra: 'all' })
  }

  /**
   * What the database is asked to send for a selection and further properties; undefined for everything. `_id` comes
   * with everything.
   */
  projection ({ names, extra }: Selection, also: readonly string[]): Record<string, 0 | 1> | undefined {
    const wanted = new Set([...names, ...also])
    if (extra === 'all') {
      const left = this.fields.filter(({ name, property }) => name !== '_id' && !wanted.has(property.name))
      return left.length === 0 ? undefined : Object.fromEntries(left.map(({ name }) => [name, 0]))
    }
    const fields: Record<string, 0 | 1> = { _id: 1 }
    for (const name of [...wanted, ...(extra === 'none' ? [] : extra)]) {
      const field = this.#byProperty.get(name)?.name ?? name
      if (isFieldName(field)) fields[field] = 1
    }
    return fields
  }
}
