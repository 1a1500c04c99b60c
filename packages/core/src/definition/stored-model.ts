/** A model as its store knows it. */
import type { ModelDefinition, PropertyDefinition } from './definition.js'
import type { PropertyType } from '../properties/types.js'

/** One declared property, everything that depends only on the definition already decided. */
export interface CompiledProperty {
  readonly name: string
  readonly type: PropertyType
  /** Position within the id (1 for the usual single id), or 0 for a property that is no part of it. */
  readonly idPosition: number
  /** Whether the store gives the value out (only ids). */
  readonly generated: boolean
  readonly required: boolean
  readonly hidden: boolean
  readonly protected: boolean
  /** Whether the framework keeps it for itself (`addInternalProperty`): it is stored, and read by who asks for it. */
  readonly internal: boolean
  /**
   * Whether values are encrypted at rest: `searchable` ones are found by a keyed hash. What the store knows of such a
   * property is a text.
   */
  readonly sealed?: 'opaque' | 'searchable'
  /** Makes the default value; undefined when there is none. Called once per row. */
  readonly makeDefault: (() => unknown) | undefined
  /**
   * The definition as written, with every shorthand expanded: `length`, `index`, per-connector objects, `jsonSchema` …
   */
  readonly definition: PropertyDefinition
}

/** An index of a model: from `indexes`, from `index`/`unique` of a property, or from a uniqueness validation. */
export interface StoredIndex {
  readonly name: string
  readonly columns: ReadonlyArray<{ readonly property: string, readonly descending: boolean }>
  readonly unique: boolean
  /**
   * A unique index that does not compare rows whose first property is empty text (nor, as all of them, those with a
   * null).
   */
  readonly exceptBlank?: boolean
  /** A unique index that compares only rows without a value of this property, which is none of its own. */
  readonly live?: string
}

/** The index by which the words of texts are found (`$search`). */
export interface StoredTextIndex {
  readonly name: string
  /** Names of properties that hold texts, in the order of the definition. */
  readonly properties: readonly string[]
  /** `simple`: words as they are written. Others: an engine that knows the language takes forms of a word for one. */
  readonly language: string
}

/** A property that holds the key of a row of another model. */
export interface StoredReference {
  readonly property: string
  readonly target: StoredModel
  /** What the key is compared with. */
  readonly targetProperty: string
  readonly onDelete: 'restrict' | 'cascade' | 'setNull' | undefined
  readonly onUpdate: 'restrict' | 'cascade' | 'setNull' | undefined
  /** Whether the store should keep a constraint: both models are in it, and the data source or the relation says so. */
  readonly isConstraint: boolean
}

/**
 * What a connector knows of a model. The object is the same until the model changes; connectors may key a WeakMap by
 * it.
 */
export interface StoredModel {
  readonly name: string
  readonly properties: readonly CompiledProperty[]
  readonly propertyByName: ReadonlyMap<string, CompiledProperty>
  /**
   * The id property; undefined for models without an id and for those with several id properties: no row of theirs is
   * told by one value.
   */
  readonly id: CompiledProperty | undefined
  /**
   * The properties that tell rows apart, in their order: the id, or the parts of a compound one; empty for models
   * without. No two rows have the same values in all of them.
   */
  readonly key: readonly CompiledProperty[]
  /**
   * The property that counts the writes of a row, from 1; a row without a value counts as 0. Each statement that writes
   * a row adds 1 by itself, whatever it is given for the property. Default: none.
   */
  readonly version?: CompiledProperty | undefined
  /**
   * The property that says when a row was put away (setting `softDelete`). Default: none. The core narrows what it asks
   * of rows by it; a store need only leave such rows out of unique indexes that say so (`StoredIndex.live`).
   */
  readonly softDelete?: CompiledProperty | undefined
  /** Whether properties that are not declared are stored (setting `strict: false`, the default). */
  readonly open: boolean
  readonly indexes: readonly StoredIndex[]
  /** Default: none, and no `$search`. */
  readonly textIndex?: StoredTextIndex | undefined
  /** Keys that lead to other models. Default: none. Asked for once all models are there. */
  readonly references?: readonly StoredReference[]
  /** Settings as written; connectors read their own object (`sql: { table }`, `mysql: { table }` …). */
  readonly settings: ModelDefinition['settings']
}
