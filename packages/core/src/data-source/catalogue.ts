/** What a data source says of its models: definitions, ids, tables and columns, in LoopBack's words. */
import type { OperationOwner } from '../callbacks.js'
import { EventEmitter } from 'node:events'
import type { PropertyDefinition } from '../definition/definition.js'
import type { ModelClass } from '../interfaces/model-class.js'
import type { ModelRegistry } from '../interfaces/model-registry.js'
import type { ModelBuilder } from '../interfaces/data-source.js'
import { modelBuilderOf } from '../model-builder/model-builder.js'
import type { Connector } from './connector.js'

type Definition = ModelClass['definition']
type Properties = Readonly<Record<string, unknown>>

export abstract class Catalogue extends EventEmitter {
  abstract readonly registry: ModelRegistry
  abstract readonly connector: Connector
  abstract attach (Model: ModelClass): void

  /** Operations of data sources are not counted: their stores may be away. */
  protected get caller (): OperationOwner {
    return { promises: this.registry.promises }
  }

  /** Defines models of this registry. */
  get modelBuilder (): ModelBuilder {
    return modelBuilderOf(this.registry)
  }

  /** All models of the registry by name, as LoopBack has it. */
  get models (): Record<string, ModelClass> {
    return this.registry.models
  }

  /** Their definitions by name. */
  get definitions (): Record<string, Definition> {
    return this.modelBuilder.definitions
  }

  /** The model of this name, or undefined. */
  getModel (name: string): ModelClass | undefined {
    return this.registry.findModel(name)
  }

  getModelDefinition (name: string): Definition | undefined {
    return this.registry.findModel(name)?.definition
  }

  /** Adds or changes a property of a model. @throws FBK_CORE_UNKNOWN_MODEL */
  defineProperty (model: string, property: string, definition: unknown): void {
    this.registry.getModel(model).defineProperty(property, definition)
  }

  /**
   * Gives a model the key of a relation, with the type of the other model's id, unless it has it.
   * @throws FBK_CORE_UNKNOWN_MODEL
   */
  defineForeignKey (model: string, key: string, foreignModel: string, primaryKey?: string): void {
    const { definition } = this.registry.getModel(model)
    if (definition.properties[key] !== undefined) return
    const foreign = this.registry.getModel(foreignModel).definition
    const { type = Number } = foreign.properties[primaryKey ?? foreign.idName() ?? 'id'] ?? {}
    this.defineProperty(model, key, { type })
  }

  /** Forgets a model; who holds its class keeps it. */
  deleteModelByName (name: string): void {
    this.registry.removeModel(name)
  }

  /** Forgets all models of the registry. */
  deleteAllModels (): void {
    for (const name of Object.keys(this.models)) this.deleteModelByName(name)
  }

  /** A class with the properties of a model, whose rows are here. */
  copyModel (Master: ModelClass): ModelClass {
    const Copy = this.modelBuilder.copyModel(Master)
    this.attach(Copy)
    return Copy
  }

  /** Defines a model with the properties that an example has. */
  buildModelFromInstance (name: string, example: object, settings?: Properties): ModelClass {
    const Model = this.modelBuilder.buildModelFromInstance(name, example, settings)
    this.attach(Model)
    return Model
  }

  idName (model: string): string | undefined {
    return this.getModelDefinition(model)?.idName()
  }

  idNames (model: string): string[] {
    return this.getModelDefinition(model)?.idNames() ?? []
  }

  idProperty (model: string): PropertyDefinition | undefined {
    return this.getModelDefinition(model)?.ids()[0]?.property
  }

  tableName (model: string): string | undefined {
    return this.getModelDefinition(model)?.tableName(this.connector.name)
  }

  columnName (model: string, property?: string): string | undefined {
    return this.getModelDefinition(model)?.columnName(this.connector.name, property)
  }

  columnMetadata (model: string, property?: string): unknown {
    return this.getModelDefinition(model)?.columnMetadata(this.connector.name, property)
  }

  columnNames (model: string): string[] | undefined {
    return this.getModelDefinition(model)?.columnNames(this.connector.name)
  }

  idColumnName (model: string): string | undefined {
    return this.getModelDefinition(model)?.idColumnName(this.connector.name)
  }
}
