/**
 * Rules about rows as values that a store can write into the database itself: policies, which bind everybody who works
 * there, and what the caller of a request is to them.
 */
import type { StoredModel } from '../definition/stored-model.js'
import type { MaybePromise } from '../maybe-promise.js'
import type { Condition, PropertyPath } from '../query/ast.js'
import type { PlannedChange } from './migration-plan.js'

/** On whose behalf a store works: the request of a caller (`StoreOptions.caller`). */
export interface StoreCaller {
  /** What policies read of the caller, by the names of settings: texts. Decided once for a request. */
  readonly settings: () => MaybePromise<CallerSettings>
  /** Whether the request only reads. */
  readonly reads: boolean
}

/** Settings of a session, by name. The same object as long as they are the same. */
export type CallerSettings = Readonly<Record<string, string>>

/** The names of the settings: what stands beside the application sets them as well. */
export const callerSettings = {
  /** Id of the user; empty: nobody's. */
  userId: 'fastback.user_id',
  /** Name of the user's model; `-`: a user of no model. Empty: the only one. */
  userModel: 'fastback.user_model',
  /** Id of the application that asks. */
  clientId: 'fastback.client_id',
  /** Names of roles: a list in JSON. */
  roles: 'fastback.roles',
  /** The properties of the user that rules name: an object in JSON. */
  user: 'fastback.user',
  /** Those of the token. */
  token: 'fastback.token',
  /** `on`: rows are looked for in order to change them. */
  writes: 'fastback.writes'
} as const

/** A value of the caller. */
export type CallerValue =
  | { readonly of: 'setting', readonly name: string }
  /** A member of the object that a setting holds. */
  | { readonly of: 'member', readonly name: string, readonly member: string }
  /** The names of all roles, those of everybody and of whoever is logged in as well. */
  | { readonly of: 'roles' }
  | { readonly of: 'now', readonly milliseconds: number }

/** What a row and the caller are tested by. Neither true nor false is nothing: each test is true or false. */
export type PolicyTest =
  | { readonly kind: 'and' | 'or', readonly tests: readonly PolicyTest[] }
  | { readonly kind: 'not', readonly test: PolicyTest }
  /** A condition of the row without links and values of the caller. */
  | { readonly kind: 'row', readonly condition: Condition }
  | {
    readonly kind: 'compare'
    readonly path: PropertyPath
    /** `in`: the value is a list, or one that stands for a list of one. */
    readonly op: 'eq' | 'neq' | 'gt' | 'gte' | 'lt' | 'lte' | 'in'
    readonly value: CallerValue
    /** What holds for a caller who has no such value. */
    readonly otherwise: boolean
  }
  /** Whether the caller has no such value. */
  | { readonly kind: 'missing', readonly value: CallerValue, readonly isList: boolean }
  | { readonly kind: 'setting', readonly name: string, readonly is: string }
  | { readonly kind: 'role', readonly name: string }
  /** Whether there is a row of `model` whose `to` equals the row's `from`, and that passes. */
  | { readonly kind: 'linked', readonly from: string, readonly model: StoredModel, readonly to: string, readonly test: PolicyTest }

/** What may be done to the rows of a model. */
export interface RowPolicy {
  readonly model: StoredModel
  readonly select: PolicyTest
  /** What new rows are. */
  readonly insert: PolicyTest
  readonly update: PolicyTest
  /** What rows are after a change. */
  readonly changed: PolicyTest
  readonly delete: PolicyTest
}

/** What cannot be said by policies: a model, and why, as a sentence. */
export interface UnsaidPolicy { readonly model: string, readonly why: string }

/** Policies of a store, beside what a plan changes. */
export interface PlannedPolicies {
  readonly changes: readonly PlannedChange[]
  /** Models that get no policies, although rules say something of their rows. */
  readonly unsaid: readonly UnsaidPolicy[]
}

/** What a store with policies does about them. */
export interface PolicySupport {
  /**
   * What makes the policies of these tables those that are given, and no others; nothing is changed.
   * @param models all whose rows the data source holds
   */
  plan (models: readonly StoredModel[], policies: readonly RowPolicy[]): Promise<PlannedPolicies>
  /** Makes the changes, all of them or none. */
  apply (models: readonly StoredModel[], changes: readonly PlannedChange[]): Promise<void>
}
