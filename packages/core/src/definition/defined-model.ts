/** `Model.definition` as code reads it. */
import type { ModelDefinition, PropertyDefinition } from './definition.js'

export interface IdEntry { readonly name: string; readonly id: number; readonly property: PropertyDefinition }

/** A definition with everything inherited, and what LoopBack's `ModelDefinition` says of it. */
export interface DefinedModel extends ModelDefinition {
  /** Properties by name; types are constructors. */
  readonly properties: Record<string, PropertyDefinition>
  /** The same, types as they were written. */
  readonly rawProperties: Record<string, unknown>
  /** @param again whether to look at the properties anew */
  build (again?: boolean): Record<string, PropertyDefinition>
  /** Adds or changes a property. */
  defineProperty (name: string, definition: unknown): void
  /** The properties of the id, in its order. */
  ids (): IdEntry[]
  idNames (): string[]
  idName (): string | undefined
  hasPK (): boolean
  /** Indexes by name: those of the settings, and one per property with `index`. */
  indexes (): Record<string, unknown>
  tableName (connector: string): string
  /** What the property says to one connector; null where that is nothing. */
  columnMetadata (connector: string, property?: string): unknown
  columnName (connector: string, property?: string): string | undefined
  columnNames (connector: string): string[]
  idColumnName (connector: string): string | undefined
  /** `{ name, properties, settings }`, types by their names. */
  toJSON (): { name: string, properties: Record<string, unknown>, settings: Record<string, unknown> }
}
