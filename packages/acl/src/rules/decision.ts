/** What rules decide. */
import type { Permission, Rule } from './rule.js'

export interface Decision {
  readonly permission: Permission
  /** Undefined: no rule fitted. */
  readonly rule: Rule | undefined
  /** The application's own `checkAccess` has decided. */
  readonly byCheck?: true
}
