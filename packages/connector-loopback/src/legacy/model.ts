/** A model as juggler's connectors know it: `definition`, and the class that it belongs to. */
import type { CompiledModel, StoredModel } from '@fastback/core'
import { copyValue } from '../copy.js'
import type { LegacyDataSource } from './data-source.js'
import { legacyProperty, type LegacyProperty } from './types.js'

type Mapping = Readonly<Record<string, unknown>>

const mapping = (value: unknown): Mapping => (typeof value === 'object' && value !== null ? value as Mapping : {})

/** Juggler's `ModelDefinition`: where properties and tables are in the store. */
export class LegacyModelDefinition {
  readonly name: string
  readonly properties: Record<string, LegacyProperty>
  readonly rawProperties: Record<string, LegacyProperty>
  readonly settings: Record<string, unknown>

  constructor (model: StoredModel) {
    this.name = model.name
    this.properties = Object.fromEntries(model.properties.map(property => [property.name, legacyProperty(property)]))
    this.rawProperties = this.properties
    // Connectors write into what they get.
    this.settings = copyValue(model.settings) as Record<string, unknown>
  }

  ids (): Array<{ name: string, id: number, property: LegacyProperty }> {
    return Object.entries(this.properties)
      .filter(([, { id }]) => id !== undefined && id !== false)
      .map(([name, property]) => ({ name, id: Number(property.id), property }))
      .sort((a, b) => a.id - b.id)
  }

  idNames (): string[] { return this.ids().map(({ name }) => name) }
  idName (): string | undefined { return this.idNames()[0] }
  hasPK (): boolean { return this.ids().length > 0 }

  tableName (connector: string): unknown {
    const { table, tableName } = mapping(this.settings[connector])
    return table ?? tableName ?? this.name
  }

  columnMetadata (connector: string, property: string): unknown {
    return this.properties[property]?.[connector] ?? null
  }

  columnName (connector: string, property: string): unknown {
    const { column, columnName } = mapping(this.columnMetadata(connector, property))
    return column ?? columnName ?? property
  }

  columnNames (connector: string): unknown[] {
    return Object.keys(this.properties).map(property => this.columnName(connector, property))
  }

  idColumnName (connector: string): unknown {
    const id = this.idName()
    return id === undefined ? undefined : this.columnName(connector, id)
  }
}

/** The class of a model, as far as connectors look at it. */
export class LegacyModel {
  readonly modelName: string
  readonly pluralModelName: string
  readonly settings: Record<string, unknown>

  constructor (
    model: StoredModel,
    readonly definition: LegacyModelDefinition,
    readonly dataSource: LegacyDataSource
  ) {
    this.modelName = model.name
    this.pluralModelName = (model as CompiledModel).Model?.pluralModelName ?? model.name
    this.settings = definition.settings
  }

  get base (): undefined { return undefined }
  getDataSource (): LegacyDataSource { return this.dataSource }
  getIdName (): string | undefined { return this.definition.idName() }
}
