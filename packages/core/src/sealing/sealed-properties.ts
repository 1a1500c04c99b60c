/** Properties that are encrypted at rest (`"sealed": true`), and the form in which a store knows their model. */
import type { CompiledProperty, StoredIndex, StoredModel } from '../definition/stored-model.js'
import type { PropertyDefinition } from '../definition/definition.js'
import type { PropertyType } from '../properties/types.js'
import { invalidType, type TypeLocation } from '../properties/type-location.js'

type Sealed = NonNullable<CompiledProperty['sealed']>

const jsonKinds: ReadonlySet<string> = new Set(['object', 'array', 'any', 'model'])

/** The column with the hash of a searchable property: 64 hexadecimal digits. */
export const hashNameOf = (property: string): string => `${property}_hash`

/**
 * What a definition says of sealing; undefined for a property that is not sealed.
 * @throws FBK_CORE_INVALID_DEFINITION for what cannot be sealed
 */
export function sealedOf (
  { sealed, id, index, unique, default: value }: PropertyDefinition, type: PropertyType, location: TypeLocation
): Sealed | undefined {
  if (sealed === undefined || sealed === null || sealed === false) return undefined
  const said = sealed as boolean | { readonly searchable?: unknown }
  const keys = typeof said === 'object' ? Object.keys(said) : []
  if (said !== true && (typeof said !== 'object' || Array.isArray(said) || keys.some(key => key !== 'searchable') ||
    !['boolean', 'undefined'].includes(typeof said.searchable))) {
    throw invalidType(location, 'has a "sealed" that is neither true nor { "searchable": true }')
  }
  const isText = type.kind === 'string' && type.calendar === undefined
  if (!isText && (!jsonKinds.has(type.kind) || type.file === true)) {
    throw invalidType(location, `is sealed and of the type "${type.kind}": texts and JSON (object, array, any) can be sealed`)
  }
  if (id !== undefined && id !== false && id !== 0) {
    throw invalidType(location, 'is sealed and the id, by which rows are found; seal another property')
  }
  const isSearchable = said !== true && said.searchable === true
  if (isSearchable && !isText) throw invalidType(location, 'is "searchable", and no text: only texts are found by a hash')
  if (!isSearchable && (unique === true || (index !== undefined && index !== false))) {
    throw invalidType(location, 'is sealed and has an index: write "sealed": { "searchable": true }, whose hash has it')
  }
  if (value !== undefined && value !== null) {
    throw invalidType(location, 'is sealed and has a default, which stands in the definition for everybody to read')
  }
  return isSearchable ? 'searchable' : 'opaque'
}

/** The definitions of the columns with hashes. They are the framework's own. */
export const hashDefinitions = (
  properties: readonly CompiledProperty[]
): ReadonlyArray<readonly [name: string, definition: PropertyDefinition]> => properties
  .filter(({ sealed }) => sealed === 'searchable')
  .map(({ name }) => [
    hashNameOf(name), { type: 'string', length: 64, index: true, mysql: { dataType: 'varchar(64)' } }
  ])

/** How a store keeps a sealed value: as a text of any length. What else its definition says of a column stays. */
// A text column of MySQL of no declared type holds 65,535 bytes, or fewer where LoopBack's rules say so.
function inStore (property: CompiledProperty): CompiledProperty {
  const { sealed, ...rest } = property
  if (sealed === undefined) return property
  const others = Object.fromEntries(Object.entries(property.definition).filter(([key]) => !unstored.has(key)))
  const columns = Object.fromEntries(Object.entries(others).filter(([, own]) => isColumn(own)).map(([connector, own]) =>
    [connector, { ...own as object, dataType: 'text', dataLength: undefined }]))
  const mysql = { ...columns.mysql, dataType: 'longtext' }
  return { ...rest, type: { kind: 'string' }, definition: { ...others, ...columns, mysql, type: 'string' } }
}

/** What is said of the values, and not of the text that they become. */
const unstored: ReadonlySet<string> = new Set([
  'type', 'sealed', 'length', 'maxLength', 'index', 'unique', 'dataType', 'dataLength', 'enum'
])

/** A connector's own settings of a column whose type is said: it would be too short, or none of texts. */
const isColumn = (own: unknown): boolean => own !== null && typeof own === 'object' && 'dataType' in own

/**
 * A model as its store knows it: sealed values are texts, and indexes of searchable ones are those of their hashes.
 * @param countsVersions false for writes that change no value, and so no version
 */
export function storedForm (model: StoredModel, countsVersions = true): StoredModel {
  const properties = model.properties.map(inStore)
  const { name, open, key, settings } = model
  const searchable = new Set(model.properties.filter(({ sealed }) => sealed === 'searchable').map(each => each.name))
  const hashed = (index: StoredIndex): StoredIndex => ({
    ...index,
    columns: index.columns.map(column => searchable.has(column.property)
      ? { ...column, property: hashNameOf(column.property) }
      : column)
  })
  return {
    name,
    properties,
    propertyByName: new Map(properties.map(property => [property.name, property])),
    id: model.id,
    key,
    ...(countsVersions && model.version !== undefined ? { version: model.version } : {}),
    open,
    indexes: withoutTwins(model.indexes.map(hashed)),
    textIndex: model.textIndex,
    settings,
    get references () { return model.references }
  } as StoredModel
}

/** The index of a hash comes once: that which is unique, where there is one. */
function withoutTwins (indexes: readonly StoredIndex[]): StoredIndex[] {
  const byColumns = new Map<string, StoredIndex>()
  for (const index of indexes) {
    const key = JSON.stringify([index.columns, index.exceptBlank === true])
    const known = byColumns.get(key)
    if (known === undefined || (index.unique && !known.unique)) byColumns.set(key, index)
  }
  return [...byColumns.values()]
}
