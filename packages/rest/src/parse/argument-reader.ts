/** What reads an argument. */
import type { SharedMethod, Validators } from '@fastback/core'
import type { RequestInput } from './input.js'
import type { Coercion } from './loopback3.js'
import type { FieldsParser } from './query.js'
import type { TypeNames } from './schema.js'

/** What readers are made with. */
export interface ReaderContext {
  readonly registry: TypeNames
  readonly validators: Validators
  readonly arrayItemDelimiters?: readonly string[] | undefined
  /** How queries are read. */
  readonly parseFields: FieldsParser
  /** Characters of one object that a query has as JSON. */
  readonly objectText: number
  /** Media types that are JSON, and whether forms are read; for the message of a 415. */
  readonly mediaTypes: readonly string[]
  /** How values of arguments are taken; a model's own setting wins. Default: as request-parsing.md says. */
  readonly coercion?: Coercion | undefined
  /**
   * Whether the methods belong to no model, and have `strong-remoting`'s ways: arguments without a place are looked for
   * in headers as well, tagged values (`$type`) are decoded wherever they stand, an empty response names its type.
   */
  readonly standsAlone?: boolean | undefined
  /** Whether a row may lack required properties in the body, because hooks fill them in before the model is asked. */
  readonly requiredByModel?: ((method: SharedMethod) => boolean) | undefined
}

/** Reads one argument; what is wrong is reported to `input`. */
export type ArgumentReader = (input: RequestInput) => unknown
