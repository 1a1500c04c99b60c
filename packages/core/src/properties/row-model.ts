/** What is asked of a model, and made for it, where rows are converted, described and written. */
import type { TObject, TSchema } from '@sinclair/typebox'
import type { ModelDefinition, RelationDefinition, RelationType } from '../definition/definition.js'
import type { StoredModel } from '../definition/stored-model.js'
import type { FoundViolation } from '../violation.js'
import type { Row } from './types.js'

/**
 * A value that does not fit its property, found by `coerce`. Its path is that of error details (`.price`, `.dims.w`,
 * `.labels[1]`), its code a keyword of JSON Schema.
 */
export type CoercionViolation = FoundViolation

/** A relation, as far as the data of a row can lie under its name. */
export interface RowRelation {
  readonly type: RelationType
  /** The definition with every default filled in. */
  readonly definition: RelationDefinition
  /** The related model; undefined where the row names it. */
  target (): { readonly compiled: RowModel } | undefined
}

/** A model, as far as its rows are concerned. */
export interface RowModel extends StoredModel {
  readonly definition: ModelDefinition
  readonly hidden: ReadonlySet<string>
  readonly protectedNames: ReadonlySet<string>
  /** What happens to properties that are not declared: kept, refused with a 422, or left out. */
  readonly unknown: 'keep' | 'refuse' | 'drop'
  readonly relations: ReadonlyMap<string, RowRelation>
  readonly schemas: ModelSchemas

  /**
   * Turns the values of `data` into their property's type (LoopBack's rules: `"12"` → 12 for a number, `"true"` → true,
   * ISO text → Date). Returns a new row with known and (open models) unknown properties; hands every value that cannot
   * be converted to `onViolation`, and keeps it in the row as it is.
   * @param levels how deep the data may be nested (default: the model's `maxDepthOfData`, else 32)
   */
  coerce (
    data: Readonly<Record<string, unknown>>,
    onViolation: (violation: CoercionViolation) => void,
    levels?: number
  ): Row
  /**
   * Puts the bytes in the place of their Base64, in a row that came as JSON; undefined where no property has any.
   * Returns the same row where there is nothing to read.
   */
  readonly readBytes: (
    (row: Readonly<Row>, path: string, onViolation: (violation: CoercionViolation) => void) => Readonly<Row>
  ) | undefined
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
 * TypeBox schemas of a model (request-parsing.md, section 5). `$id`s are not set: anyone who publishes them chooses
 * names.
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
