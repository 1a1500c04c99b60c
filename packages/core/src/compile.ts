/** From a model's effective definition to its compiled form: everything that does not depend on a request is decided here. */
import type { CompiledModel, CompiledProperty, StoredIndex } from './compiled.js'
import type { Connector } from './connector.js'
import { InvalidDefinitionError, NotAttachedError } from './errors.js'
import type { ModelDefinition, PropertyDefinition } from './definition.js'
import type { ModelState } from './model/state.js'
import { compileProperty } from './properties/compile-property.js'
import { compileCoerce } from './properties/coerce.js'
import { compileDefaults } from './properties/defaults.js'
import { compileSchemas } from './properties/schema.js'
import { compileStringify, compileToPlain } from './properties/stringify.js'
import type { Selection } from './query/ast.js'
import type { Validation } from './validations/validation.js'
import { keywordValidations } from './validations/keywords.js'
import { requiredValidations } from './validations/required.js'

/** Compiles a model. Called by the registry on first use and again after changes. */
export function compileModel (state: ModelState): CompiledModel {
  const { definition, Model } = state
  const hidden = new Set(definition.hidden)
  const protectedNames = new Set(definition.protected)
  const properties = compileProperties(state, hidden, protectedNames)
  const propertyByName = new Map(properties.map(property => [property.name, property]))
  const ids = properties.filter(property => property.idPosition > 0).sort((a, b) => a.idPosition - b.idPosition)
  if (ids.length > 1) throw new InvalidDefinitionError(place(definition, 'properties'), 'compound ids are not supported; use one id property and a unique index over the others')
  const unknown = unknownPolicy(definition)
  const ofRelations = [...state.relations.values()].flatMap(relation => relation.validations())
  const ofProperties = [...requiredValidations(properties), ...keywordValidations(properties, Model.registry.validators)]
  const validations = [...ofProperties, ...state.chain().flatMap(each => each.validations).filter(({ only }) => only === undefined || only === Model), ...ofRelations]
  const layer = state.chain().findLast(each => each.storeLayer !== undefined)?.storeLayer
  let layered: Connector | undefined
  const names = properties.map(property => property.name)
  const visible = names.filter(name => !hidden.has(name))
  const base = {
    name: definition.name,
    Model,
    definition,
    properties,
    propertyByName,
    id: ids[0],
    open: unknown === 'keep',
    indexes: compileIndexes(definition, properties, validations),
    settings: definition.settings,
    hidden,
    protectedNames,
    unknown,
    relations: state.relations,
    hooks: state.hookTable(),
    validations,
    selectAll: select(names, unknown),
    selectVisible: select(visible, unknown),
    selectIncluded: select(visible.filter(name => !protectedNames.has(name)), unknown),
    get connector (): Connector {
      if (state.dataSource === undefined) throw new NotAttachedError(definition.name, 'an operation')
      return layer === undefined ? state.dataSource.connector : (layered ??= layer(state.dataSource.connector))
    }
  }
  const nested = (name: string): CompiledModel | undefined => Model.registry.findModel(name)?.compiled
  let schemas: CompiledModel['schemas'] | undefined
  const compiled: CompiledModel = Object.defineProperties(base, {
    // Schemas are made on first use: scripts without REST never need them, and they look at other models.
    schemas: { enumerable: true, get: () => (schemas ??= compileSchemas(compiled, nested)) }
  }) as unknown as CompiledModel
  return Object.assign(compiled, {
    coerce: compileCoerce(compiled, nested),
    applyDefaults: compileDefaults(properties),
    stringify: compileStringify(compiled, nested),
    toPlain: compileToPlain(compiled, nested)
  })
}

function compileProperties (state: ModelState, hidden: ReadonlySet<string>, protectedNames: ReadonlySet<string>): CompiledProperty[] {
  const { definition } = state
  return Object.entries(definition.properties).map(([name, property]) => {
    const written = withStoreIdType(property, state)
    const flags = { hidden: hidden.has(name), protected: protectedNames.has(name) }
    return compileProperty(name, { ...written, ...flags }, { model: definition.name, property: name, ...(definition.source === undefined ? {} : { source: definition.source }) })
  })
}

/** A generated id has the type that the store gives out, unless the definition insists (`useDefaultIdType: false`). */
export function withStoreIdType (property: PropertyDefinition, state: ModelState): PropertyDefinition {
  if (property.generated !== true || property.id === undefined || property.id === false || property.useDefaultIdType === false) return property
  if (property.defaultFn !== undefined) return property
  const type = state.dataSource?.connector.generatedIdType
  return type === undefined ? property : { ...property, type }
}

/** What happens to properties that are not declared (behaviour.md, section 9: `strict`). Connected models without the setting are open. */
function unknownPolicy (definition: ModelDefinition): CompiledModel['unknown'] {
  switch (definition.settings.strict) {
    case undefined: case null: case false: return 'keep'
    case 'filter': return 'drop'
    case true: case 'throw': case 'validate': return 'refuse'
    default: throw new InvalidDefinitionError(place(definition, 'strict'), 'must be true, false, "filter", "throw" or "validate"')
  }
}

const select = (names: readonly string[], unknown: CompiledModel['unknown']): Selection => ({ names, extra: unknown === 'keep' ? 'all' : 'none' })

const place = (definition: ModelDefinition, key: string): string => `${definition.source === undefined ? '' : `${definition.source}: `}model "${definition.name}", ${key}`

/** Indexes from three places: `indexes` of the model, `index`/`unique` of properties, and uniqueness validations (security.md, S-42). */
function compileIndexes (definition: ModelDefinition, properties: readonly CompiledProperty[], validations: readonly Validation[]): StoredIndex[] {
  const indexes = new Map<string, StoredIndex>()
  const add = (index: StoredIndex): void => {
    const key = index.columns.map(column => column.property).join(',')
    const earlier = indexes.get(key)
    if (earlier === undefined || (index.unique && !earlier.unique)) indexes.set(key, index)
  }
  for (const property of properties) {
    const { index, unique } = property.definition
    if (property.idPosition > 0 || (index !== true && unique !== true && !isRecord(index))) continue
    add({ name: `${definition.name}_${property.name}`, columns: [{ property: property.name, descending: false }], unique: unique === true || (isRecord(index) && index.unique === true) })
  }
  for (const [name, written] of Object.entries(definition.settings.indexes ?? {})) add(writtenIndex(definition, name, written))
  for (const { unique } of validations) {
    if (unique === undefined || unique.ignoreCase) continue
    add({ name: `${definition.name}_${unique.properties.join('_')}_unique`, columns: unique.properties.map(property => ({ property, descending: false })), unique: true })
  }
  return [...indexes.values()].filter(index => index.columns.every(column => properties.some(property => property.name === column.property)))
}

const isRecord = (value: unknown): value is Record<string, unknown> => value !== null && typeof value === 'object' && !Array.isArray(value)

/** `indexes` comes as `{ keys: { a: 1 }, options: { unique } }`, as `{ columns: 'a,b', kind: 'unique' }` or as `{ a: 1, b: -1 }`. */
function writtenIndex (definition: ModelDefinition, name: string, written: unknown): StoredIndex {
  if (!isRecord(written)) throw new InvalidDefinitionError(place(definition, `indexes.${name}`), 'must be an object')
  const options = isRecord(written.options) ? written.options : {}
  const unique = options.unique === true || written.unique === true || String(written.kind).toLowerCase() === 'unique'
  const columns = typeof written.columns === 'string'
    ? written.columns.split(',').map(column => ({ property: column.trim(), descending: false }))
    : Object.entries(isRecord(written.keys) ? written.keys : written)
      .filter(([, direction]) => typeof direction === 'number' || typeof direction === 'string')
      .map(([property, direction]) => ({ property, descending: Number(direction) === -1 }))
  return { name, columns, unique }
}
