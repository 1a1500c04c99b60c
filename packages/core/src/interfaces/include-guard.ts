import type { MaybePromise } from '../maybe-promise.js'
import type { Row } from '../properties/types.js'
import type { ModelClass } from './model-class.js'
import type { Relation } from './relation.js'

/** Says what a caller may see through include. Part of the options of an operation; set by `@fastback/acl`. */
export interface IncludeGuard {
  /** Whether it has anything to say about a relation; without that the related rows need not be looked at. */
  concerns (relation: Relation): boolean
  /**
   * Asked before a relation is included, at every level: throws when the caller may not read it that way. `rows` have
   * the relation.
   */
  check (relation: Relation, rows: readonly Row[]): MaybePromise<void>
  /**
   * Asked before related rows are asked about in a condition: throws unless the caller may read all of them, whichever
   * row leads to them. What only some may read nobody may find out by conditions.
   */
  checkCondition (relation: Relation): MaybePromise<void>
  /** Which of the related rows may be shown; undefined: all of them. */
  filter (relation: Relation): ((related: Row, target: ModelClass) => MaybePromise<boolean>) | undefined
  /** That of the same caller as rules, roles and memberships are by now. Without it this one holds on. */
  anew?: () => IncludeGuard
  /** The same for the list of a relation's own route. */
  lists? (relation: Relation): ReturnType<IncludeGuard['filter']>
}

/**
 * Says what a caller may do to single rows, for methods that go over many of them at once. Part of the options of an
 * operation; set by `@fastback/acl` for shared methods with the option `judgesRows`.
 */
export interface RowGuard {
  /**
   * Whether the rules of a model would let the caller call this method for the row. Of a row that is gone (`isGone`)
   * related rows are not looked for: it is one that the conditions of the caller's rules were tested with.
   */
  allows (
    Model: ModelClass, method: string, accessType: 'READ' | 'WRITE', row: Readonly<Row>,
    how?: { readonly isGone?: boolean }
  ): MaybePromise<boolean>
  /** Whether they let the caller call it for every row, whatever the row says. */
  allowsAll (Model: ModelClass, method: string, accessType: 'READ' | 'WRITE'): MaybePromise<boolean>
  /** Whether they would let the caller call this method of the model at all, if only for rows of their own. */
  opens (Model: ModelClass, method: string, accessType: 'READ' | 'WRITE'): MaybePromise<boolean>
  /**
   * Whether the caller's token opens the route of this method: what its scopes do not open, no other way to the model
   * does.
   */
  reaches?: (Model: ModelClass, method: string) => MaybePromise<boolean>
  /** Which rules decide for the caller about reading rows: another text where those are others than before. */
  sight?: (Model: ModelClass) => MaybePromise<string>
}

/**
 * Rights of a caller that are no methods, and have names as methods do: rules of a model name them as `property`. Part
 * of the options of an operation; set by `@fastback/acl`.
 */
export interface MethodRights {
  /** Whether a rule names the right and allows it to the caller; without one it is denied. */
  allows (Model: ModelClass, right: string): MaybePromise<boolean>
}
