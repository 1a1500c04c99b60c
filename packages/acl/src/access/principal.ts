/** `loopback.Principal`: who asks, as code of LoopBack applications names it. */
import { principalTypes } from '../models/constants.js'

/**
 * A user, an application, a role or a scope.
 *
 * ```js
 * const { Principal } = app.loopback
 * new Principal(Principal.USER, 7).equals(new Principal('USER', '7')) // true
 * ```
 */
export class Principal {
  static readonly USER = principalTypes.USER
  static readonly APP = principalTypes.APP
  static readonly APPLICATION = principalTypes.APPLICATION
  static readonly ROLE = principalTypes.ROLE
  static readonly SCOPE = principalTypes.SCOPE

  constructor (readonly type: string, readonly id: unknown, readonly name?: string) {}

  /** Whether type and id are the same; ids are compared as text. */
  equals (other: unknown): boolean {
    return other instanceof Principal && other.type === this.type && String(other.id) === String(this.id)
  }
}
