/** Stored models made by hand: the connector needs no registry. */
import type {
  CompiledProperty,
  PropertyDefinition,
  PropertyKind,
  PropertyType,
  Query,
  Selection,
  StoredIndex,
  StoredModel
} from '@fastback/core'

export interface ModelOptions {
  /** Name of the id property, `id` by default; null for a model without one. */
  readonly id?: string | null
  readonly idKind?: PropertyKind
  readonly open?: boolean
  readonly indexes?: readonly StoredIndex[]
  readonly settings?: Record<string, unknown>
  readonly definitions?: Readonly<Record<string, PropertyDefinition>>
}

export function makeModel (
  name: string,
  properties: Readonly<Record<string, PropertyKind | PropertyType>>,
  options: ModelOptions = {}
): StoredModel {
  const { id = 'id', idKind = 'number', open = false, indexes = [], settings = {}, definitions = {} } = options
  const types: Record<string, PropertyKind | PropertyType> = id === null ? properties : { [id]: idKind, ...properties }
  const compiled = Object.entries(types).map(([property, type]): CompiledProperty => ({
    name: property,
    type: typeof type === 'string' ? { kind: type } : type,
    idPosition: property === id ? 1 : 0,
    generated: property === id && idKind === 'number',
    required: false,
    hidden: false,
    protected: false,
    internal: false,
    makeDefault: undefined,
    definition: definitions[property] ?? {}
  }))
  const propertyByName = new Map(compiled.map(property => [property.name, property]))
  return {
    name,
    properties: compiled,
    propertyByName,
    id: id === null ? undefined : propertyByName.get(id),
    key: compiled.filter(({ idPosition }) => idPosition > 0),
    open,
    indexes,
    settings
  }
}

/** The model with a second property in its id: as a store gets it, it has a key and no id. */
export function withSecondId (model: StoredModel, name: string): StoredModel {
  const properties = model.properties.map(property =>
    property.name === name ? { ...property, idPosition: 2 } : property)
  const key = properties.filter(({ idPosition }) => idPosition > 0)
  const propertyByName = new Map(properties.map(each => [each.name, each]))
  return { ...model, properties, propertyByName, id: undefined, key }
}

export const selectAll = (model: StoredModel): Selection => ({
  names: model.properties.map(({ name }) => name),
  extra: model.open ? 'all' : 'none'
})

export const query = (model: StoredModel, parts: Partial<Query> = {}): Query =>
  ({ where: undefined, order: [], limit: undefined, skip: 0, select: selectAll(model), include: [], ...parts })

/** The path of a property, dotted or not. */
export function path (
  model: StoredModel,
  name: string
): { property: string; path: string[]; type: PropertyType; declared: boolean } {
  const [property, ...rest] = name.split('.') as [string, ...string[]]
  const declared = model.propertyByName.get(property)
  return {
    property,
    path: rest,
    type: rest.reduce<PropertyType | undefined>((type, part) => type?.members?.[part], declared?.type) ?? { kind: 'any' },
    declared: declared !== undefined
  }
}
