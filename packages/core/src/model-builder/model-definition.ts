/** LoopBack's `ModelDefinition`: what a model consists of, and where that is in a store. */
import type { PropertyDefinition } from '../definition/definition.js'
import type { IdEntry } from '../definition/defined-model.js'
import { propertyDefinition } from '../definition/normalise.js'
import type { ClassSource } from '../interfaces/data-source.js'
import { constructorOf } from './property-types.js'

type Properties = Record<string, PropertyDefinition>
type Mapping = Readonly<Record<string, unknown>>

const mapping = (value: unknown): Mapping => (value !== null && typeof value === 'object' ? value as Mapping : {})
const isBlank = (name: string | undefined): name is undefined => name === undefined || name === ''

/**
 * Properties by name, their types as constructors.
 *
 * ```js
 * Note.definition.properties.title.type === String
 * Note.definition.idName() // 'id'
 * ```
 */
export class ModelDefinition {
  readonly rawProperties: Record<string, unknown>
  #built: Properties | undefined

  constructor (
    readonly modelBuilder: ClassSource,
    readonly name: string,
    properties: Readonly<Record<string, unknown>> = {},
    readonly settings: Record<string, unknown> = {}
  ) {
    this.rawProperties = { ...properties }
  }

  get properties (): Properties {
    return this.build()
  }

  /** @param again whether to look at `rawProperties` anew */
  build (again = false): Properties {
    if (again) this.#built = undefined
    return (this.#built ??= this.withConstructors(this.rawProperties))
  }

  /** The expanded definitions of properties, their types as constructors. */
  protected withConstructors (written: Readonly<Record<string, unknown>>): Properties {
    return Object.fromEntries(Object.entries(written).map(([name, value]) => {
      const definition = propertyDefinition(value)
      return [name, { ...definition, type: constructorOf(definition.type, this.modelBuilder) }]
    }))
  }

  /** Adds or changes a property. */
  defineProperty (name: string, definition: unknown): void {
    this.rawProperties[name] = definition
    this.build(true)
  }

  /** The properties of the id, in its order. */
  ids (): IdEntry[] {
    return Object.entries(this.properties)
      .filter(([, { id }]) => Boolean(id))
      .map(([name, property]) => ({ name, id: typeof property.id === 'number' ? property.id : 1, property }))
      .sort((a, b) => a.id - b.id)
  }

  idNames (): string[] {
    return this.ids().map(({ name }) => name)
  }

  /** The property called `id` where it is one, else the first. */
  idName (): string | undefined {
    const names = this.idNames()
    return names.includes('id') ? 'id' : names[0]
  }

  hasPK (): boolean {
    return this.ids().length > 0
  }

  /** Indexes by name: those of the settings, and one per property with `index`. */
  indexes (): Record<string, unknown> {
    const ofProperties = Object.entries(this.properties)
      .filter(([, { index }]) => Boolean(index))
      .map(([name, { index }]) => [`${name}_index`, index] as const)
    return { ...mapping(this.settings.indexes), ...Object.fromEntries(ofProperties) }
  }

  tableName (connector: string): string {
    const { table, tableName } = mapping(this.settings[connector])
    return String(table ?? tableName ?? this.name)
  }

  /** What the property says to one connector; null where that is nothing. */
  columnMetadata (connector: string, property?: string): unknown {
    return isBlank(property) ? property : this.properties[property]?.[connector] ?? null
  }

  columnName (connector: string, property?: string): string | undefined {
    if (isBlank(property)) return property
    const { column, columnName } = mapping(this.columnMetadata(connector, property))
    return String(column ?? columnName ?? property)
  }

  columnNames (connector: string): string[] {
    return Object.keys(this.properties).map(name => this.columnName(connector, name) as string)
  }

  idColumnName (connector: string): string | undefined {
    return this.columnName(connector, this.idName())
  }

  /** `{ name, properties, settings }`, types by their names. */
  toJSON (): { name: string, properties: Record<string, unknown>, settings: Record<string, unknown> } {
    const properties = Object.fromEntries(
      Object.entries(this.properties).map(([name, property]) => [name, named(property)])
    )
    return { name: this.name, properties, settings: this.settings }
  }
}

interface NamedClass { readonly name: string; readonly modelName?: string; readonly definition?: ModelDefinition }

/** A copy in which classes are their names, and anonymous ones their members. */
function named (value: unknown): unknown {
  if (typeof value === 'function') {
    const { name, modelName, definition } = value as unknown as NamedClass
    if (definition?.settings.anonymous === true) return definition.toJSON().properties
    return modelName ?? name
  }
  if (value === null || typeof value !== 'object' || value instanceof Date) return value
  if ('toJSON' in value && typeof value.toJSON === 'function') return value.toJSON() as unknown
  if (Array.isArray(value)) return value.map(named)
  return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, named(each)]))
}
