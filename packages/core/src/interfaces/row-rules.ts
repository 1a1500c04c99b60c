import type { CallerSettings } from '../data-source/row-policies.js'
import type { StoredModel } from '../definition/stored-model.js'
import type { MaybePromise } from '../maybe-promise.js'
import type { Row } from '../properties/types.js'
import type { Condition } from '../query/ast.js'

/** What is done to rows. An upsert creates or updates. */
export type RowAction = 'read' | 'create' | 'update' | 'delete'

/**
 * Which rows and which properties the rules leave to a caller. Part of the options of an operation
 * (`options.rowRules`), set by `@fastback/acl`; every operation that is given it narrows what it reads and writes, in
 * the query itself. Options without it are not narrowed.
 */
export interface RowRules {
  /** Whether rules of the model may narrow anything: known at the start. Without that nothing else is asked. */
  concerns (model: StoredModel): boolean
  /** What holds for the caller; undefined: everything. Decided once for a request, a model and an action. */
  of (model: StoredModel, action: RowAction): MaybePromise<RowRule | undefined>
  /**
   * Those of the same caller as rules, roles and memberships are by now: for what goes on after the request. Without it
   * these hold on.
   */
  anew?: () => MaybePromise<RowRules>
  /** What policies of a database read of the caller. Without it the database is not told of one. */
  callerSettings?: () => MaybePromise<CallerSettings>
}

/** Which properties of rows rules leave to a caller. */
export interface PropertyTest {
  (property: string): boolean
  /**
   * The same for rows of another model that stand within these (embedded rows, `{ type: 'Address' }`), by its name;
   * undefined: all of them. Without it rules say nothing of such rows.
   */
  readonly within?: ((modelName: string) => PropertyTest | undefined) | undefined
}

/** What rules say of rows of one model, with the caller's values in them. */
export interface RowRule {
  /** The rows that it is allowed for; undefined: all. Relations in it are not narrowed by the caller's own rights. */
  readonly rows: Condition | undefined
  /** What a row must be once it is written; undefined: anything. */
  readonly check: Condition | undefined
  /** Values that a new row gets, whatever the caller says. */
  readonly preset: Readonly<Row> | undefined
  /** Whether the caller may read a property; undefined: all. What may not be read is as if it were hidden. */
  readonly reads: PropertyTest | undefined
  /** Whether the caller may set a property; undefined: all. */
  readonly writes: PropertyTest | undefined
  /** Tells rules and values apart: a cursor holds for those that it was made with. */
  readonly key: string
}
