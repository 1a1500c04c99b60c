/** What the rules of one operation come to, before there is a caller. */
import type { Assurance } from '@fastback/auth/service'
import type { RowDecision } from './decision.js'
import type { OwnCheck } from './own-check.js'
import type { Permission, Rule } from './rule.js'

/** What everybody is known by. */
export type Login = 'anonymous' | 'authenticated'

export interface Plan {
  /** The heaviest first, up to the first that fits everybody. */
  readonly rules: readonly Rule[]
  /** Roles of rows that allow: what `options.authorizedRoles` is made of. */
  readonly roles: readonly string[]
  /** What holds when no rule fits. */
  readonly otherwise: Permission
  /** Known at start-up: the decision is the same for every caller. */
  readonly always: Permission | undefined
  /** Known at start-up: the decision hangs on nothing but whether the caller is logged in. */
  readonly byLogin?: Readonly<Record<Login, RowDecision>> | undefined
  /** Whether any of the rules says which rows or properties it is about. */
  readonly narrows?: boolean
  /** Decisions that were made by it, each the same object whenever it is made: what they come to is kept with them. */
  readonly decisions?: Map<string, RowDecision>
  /** The same with the rules that are only tried; undefined where there are none. */
  readonly tried?: Plan
  /** The application's own `Model.checkAccess`: it decides, and there are no rules beside it. */
  readonly check?: OwnCheck
  /** How the callers of the method must have logged in, whatever rule lets them in. */
  readonly assurance?: Assurance | undefined
}
