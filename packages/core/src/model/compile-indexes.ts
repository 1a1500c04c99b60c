/** Which indexes a model asks of its store. */
import type { CompiledProperty, StoredIndex } from '../definition/stored-model.js'
import type { ModelDefinition } from '../definition/definition.js'
import { InvalidDefinitionError } from '../errors.js'
import { isTextIndex } from './compile-text-index.js'
import { locationOf } from '../definition/location.js'
import { uniqueWithin } from '../definition/unique-within.js'
import { isIndexable } from '../validations/loose-uniqueness.js'
import type { Validation } from '../interfaces/validation.js'

/**
 * Indexes from four places: a compound id, `indexes` of the model, `index`/`unique` of properties, and uniqueness
 * validations (security.md, S-42).
 */
export function compileIndexes (
  definition: ModelDefinition,
  properties: readonly CompiledProperty[],
  key: readonly CompiledProperty[],
  validations: readonly Validation[],
  softDelete?: CompiledProperty
): StoredIndex[] {
  const indexes = new Map<string, StoredIndex>()
  const tenant = uniqueWithin(definition.settings)
  const add = (asked: StoredIndex): void => {
    const index = ofRowsThere(withTenant(asked, tenant), softDelete)
    const key = `${index.columns.map(column => column.property).join(',')}${index.exceptBlank === true ? ' except blank' : ''}`
    const earlier = indexes.get(key)
    if (earlier === undefined || (index.unique && !earlier.unique)) indexes.set(key, index)
  }
  if (key.length > 1) {
    // An id is one whosever row it is.
    indexes.set(key.map(({ name }) => name).join(','), {
      name: `${definition.name}_id`,
      columns: key.map(({ name }) => ({ property: name, descending: false })),
      unique: true
    })
  }
  for (const property of properties) {
    const { index, unique } = property.definition
    const isId = property.idPosition > 0 && key.length === 1
    if (isId || (index !== true && unique !== true && !isRecord(index))) continue
    add({
      name: `${definition.name}_${property.name}`,
      columns: [{ property: property.name, descending: false }],
      unique: unique === true || (isRecord(index) && index.unique === true)
    })
  }
  for (const [name, written] of Object.entries(definition.settings.indexes ?? {})) {
    // What a model wants of its base no longer.
    if (written !== null && !isTextIndex(written)) add(writtenIndex(definition, name, written))
  }
  for (const { unique } of validations) {
    if (unique !== undefined) for (const index of indexesBehind(definition, properties, unique)) add(index)
  }
  return [...indexes.values()].filter(index =>
    index.columns.every(column => properties.some(property => property.name === column.property))
  )
}

/** The values of rows that are put away are free again. */
function ofRowsThere (index: StoredIndex, softDelete: CompiledProperty | undefined): StoredIndex {
  const isOwn = index.columns.some(({ property }) => property === softDelete?.name)
  return !index.unique || softDelete === undefined || isOwn ? index : { ...index, live: softDelete.name }
}

/** The tenant comes last: which rows an index leaves out is said of its first column. */
function withTenant (index: StoredIndex, tenant: string | undefined): StoredIndex {
  const { unique, columns } = index
  if (!unique || tenant === undefined || columns.some(({ property }) => property === tenant)) return index
  return { ...index, columns: [...columns, { property: tenant, descending: false }] }
}

/**
 * A unique index must not refuse what its validation lets through: blank values, and rows that its conditions leave
 * out. The validation looks for other rows with the same value, which an index makes quick in every case.
 */
function indexesBehind (
  definition: ModelDefinition,
  properties: readonly CompiledProperty[],
  unique: NonNullable<Validation['unique']>
): StoredIndex[] {
  const [first] = unique.properties
  const property = properties.find(({ name }) => name === first)
  if (property === undefined || unique.ignoreCase) return []
  const columns = unique.properties.map(name => ({ property: name, descending: false }))
  const name = `${definition.name}_${unique.properties.join('_')}`
  const lookUp: StoredIndex = { name, columns, unique: false }
  if (!isIndexable(unique, properties)) return [lookUp]
  const backing: StoredIndex = { name: `${name}_unique`, columns, unique: true }
  const { type: { kind, calendar }, required } = property
  const mayBeBlank = kind === 'string' && calendar === undefined && !required
  return mayBeBlank ? [lookUp, { ...backing, exceptBlank: true }] : [backing]
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  value !== null && typeof value === 'object' && !Array.isArray(value)

/**
 * `indexes` comes as `{ keys: { a: 1 }, options: { unique } }`, as `{ columns: 'a,b', kind: 'unique' }` or as `{ a: 1,
 * b: -1 }`.
 */
export function writtenIndex (definition: ModelDefinition, name: string, written: unknown): StoredIndex {
  if (!isRecord(written)) throw new InvalidDefinitionError(locationOf(definition, `indexes.${name}`), 'must be an object')
  const options = isRecord(written.options) ? written.options : {}
  const unique = options.unique === true || written.unique === true || String(written.kind).toLowerCase() === 'unique'
  const columns = typeof written.columns === 'string'
    ? written.columns.split(',').map(column => ({ property: column.trim(), descending: false }))
    : Object.entries(isRecord(written.keys) ? written.keys : written)
      .filter(([, direction]) => typeof direction === 'number' || typeof direction === 'string')
      .map(([property, direction]) => ({ property, descending: Number(direction) === -1 }))
  return { name, columns, unique }
}
