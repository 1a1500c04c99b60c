/** What rules decide. */
import type { Assurance } from '@fastback/auth/service'
import type { RoleRows } from '../roles/role-rows.js'
import type { Permission, Rule } from './rule.js'

export interface Decision {
  readonly permission: Permission
  /** Undefined: no rule fitted. */
  readonly rule: Rule | undefined
  /** The application's own `checkAccess` has decided. */
  readonly byCheck?: true
  /** The rule allows, but callers who logged in better than this one: what it asks for. */
  readonly stepUp?: Assurance
}

/** A rule that fits the caller, for the rows of the role. */
export interface FittingRule {
  /** Undefined: no rule is left, and the default permission allows. */
  readonly rule: Rule | undefined
  /** Undefined: for all. */
  readonly role: RoleRows | undefined
  /** Where it stands among the rules: those before it decide first. */
  readonly index: number
  readonly rank: number
}

export interface RowDecision extends Decision {
  /** Those that allow: of one rank, and of lower ones where those before are for the rows of a role only. */
  readonly giving: readonly FittingRule[]
  /** Those that deny rows, to what comes behind them. */
  readonly taking: readonly FittingRule[]
}
