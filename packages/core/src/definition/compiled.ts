/** The compiled forms of a model: what connectors see (`StoredModel`) and what operations use (`CompiledModel`). */
import type { TObject, TSchema } from '@sinclair/typebox'
import type { ModelDefinition, PropertyDefinition } from './definition.js'
import type { HookTable } from '../hooks.js'
import type { Selection } from '../query/ast.js'
import type { ParseModes } from '../query/parse-context.js'
import type { PropertyType, Row } from '../properties/types.js'
import type { Relation } from '../relations/relation.js'
import type { LooseUniqueness } from '../validations/loose-uniqueness.js'
import type { Validation } from '../validations/validation.js'
import type { ModelClass } from '../model/model-class.js'
import type { Connector, TextSupport } from '../data-source/connector.js'

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
}

/**
 * What a connector knows of a model. The object is the same until the model changes; connectors may key a WeakMap by
 * it.
 */
export interface StoredModel {
  readonly name: string
  readonly properties: readonly CompiledProperty[]
  readonly propertyByName: ReadonlyMap<string, CompiledProperty>
  /** The id property; undefined for models without an id. */
  readonly id: CompiledProperty | undefined
  /** Whether properties that are not declared are stored (setting `strict: false`, the default). */
  readonly open: boolean
  readonly indexes: readonly StoredIndex[]
  /** Settings as written; connectors read their own object (`sql: { table }`, `mysql: { table }` …). */
  readonly settings: ModelDefinition['settings']
}

/** A value that does not fit its property, found by `coerce`. */
export interface CoercionFault {
  /** As in error details: `.price`, `.dims.w`, `.labels[1]`. */
  readonly path: string
  /** JSON Schema keyword: `type`, `format`. */
  readonly code: string
  readonly message: string
  readonly info: Record<string, unknown>
}

/** A model, compiled. Made again when the model is changed after that (a hook, a property, a relation added late). */
export interface CompiledModel extends StoredModel {
  readonly Model: ModelClass
  readonly definition: ModelDefinition
  readonly hidden: ReadonlySet<string>
  readonly protectedNames: ReadonlySet<string>
  /** What happens to properties that are not declared: kept, refused with a 422, or left out. */
  readonly unknown: 'keep' | 'refuse' | 'drop'
  readonly relations: ReadonlyMap<string, Relation>
  readonly hooks: HookTable
  readonly validations: readonly Validation[]
  /** Uniqueness that no unique index backs, or not for every row. Most models have none. */
  readonly looseUniqueness: readonly LooseUniqueness[]
  readonly schemas: ModelSchemas
  /** How filters are read. */
  readonly parsing: ParseModes

  /** Everything, as in-process code reads it. */
  readonly selectAll: Selection
  /** Everything but hidden properties: what goes over the wire. */
  readonly selectVisible: Selection
  /** Everything but hidden and protected properties: what include shows. */
  readonly selectIncluded: Selection

  /** The connector of the data source that the model is attached to. Throws `FBK_CORE_NOT_ATTACHED`. */
  readonly connector: Connector
  /**
   * The store as a writer of JSON, where what it writes is what clients may see; undefined where rows of other models
   * with secrets of their own are nested.
   */
  readonly storeText: TextSupport | undefined

  /**
   * Turns the values of `data` into their property's type (LoopBack's rules: `"12"` → 12 for a number, `"true"` → true,
   * ISO text → Date). Returns a new row with known and (open models) unknown properties; hands every value that cannot
   * be converted to `fault`, and keeps it in the row as it is. `levels`: how deep the data may be nested (default: the
   * model's `maxDepthOfData`, else 32).
   */
  coerce (data: Readonly<Record<string, unknown>>, fault: (fault: CoercionFault) => void, levels?: number): Row
  /**
   * Fills in defaults for properties that are undefined in `row` (not for null, unless `applyDefaultOnWrites`-like
   * settings say so). Changes `row`.
   */
  applyDefaults (row: Row): void
  /**
   * JSON text of a row or instance, without hidden (and, when `included`, protected) properties; included relations are
   * written too.
   */
  stringify (row: Row, included: boolean): string
  /**
   * The same as a plain object. `hidden`: whether hidden properties are kept; `included`: whether protected ones are
   * left out.
   */
  toPlain (row: Row, options: { hidden: boolean, included: boolean }): Row
}

/**
 * TypeBox schemas of a model (request-parsing.md, section 5). `$id`s are not set: whoever publishes them chooses names.
 */
export interface ModelSchemas {
  /** Rows as they are read: hidden properties left out. */
  readonly response: TObject
  /** Body of create: every property but a generated id, `required` as defined. */
  readonly create: TObject
  /** Body of replace: every property, `required` as defined. */
  readonly replace: TObject
  /** Body of a partial update: every property, nothing required at the top. */
  readonly patch: TObject
  /** Schema of one property. */
  property (name: string): TSchema
}
