/**
 * What a validation is once it is configured: `Model.validatesLengthOf('name', { min: 2 })`, or `required` of a
 * property.
 */
import type { FoundViolation } from '../violation.js'
import type { MaybePromise } from '../maybe-promise.js'
import type { ModelClass } from './model-class.js'
import type { ModelInstance } from '../instances/model-instance.js'
import type { OperationOptions } from './operation-options.js'

export interface Validation {
  /** The property it speaks of. */
  readonly property: string
  /**
   * `presence`, `absence`, `length`, `numericality`, `inclusion`, `exclusion`, `format`, `uniqueness`, `date`,
   * `unknown-property`, `custom`.
   */
  readonly kind: string
  /** What it was configured with, for `Model.validations`. */
  readonly options?: object | undefined
  /**
   * Whether the outcome depends on this property's value alone and is known at once. A partial update of a model whose
   * validations are all local needs no look at the rest of the row.
   */
  readonly local: boolean
  /**
   * Properties that make up a uniqueness check (the property and its scope), for the unique index behind it; undefined
   * for other kinds.
   */
  readonly unique?:
    | {
      readonly properties: readonly string[]
      readonly ignoreCase: boolean
      readonly conditional?: boolean
      readonly message?: string | undefined
    }
    | undefined
  /** The validation holds for rows of this very model; undefined: for those of models that extend it, too. */
  readonly only?: ModelClass | undefined
  /** Reports what is wrong with `instance`, if anything. */
  check(
    instance: ModelInstance, report: (violation: FoundViolation) => void, options: OperationOptions
  ): MaybePromise<void>
}

/** Properties whose values no two rows may share. */
export type Uniqueness = NonNullable<Validation['unique']>

/** Uniqueness that no unique index stands behind. */
export interface LooseUniqueness extends Uniqueness {
  /** Whether an index does the work for rows that have all properties of the scope. */
  readonly indexed: boolean
}
