/** Who asks. */
import type { ModelInstance } from '@fastback/core'

export interface Principal {
  /** `USER`, the name of a user model, `APP`, `SCOPE`, `ROLE`. */
  readonly type: string
  readonly id: unknown
}

export class Caller {
  readonly userId: unknown
  /** `USER`, or the name of the user model that the token names. */
  readonly userType: string
  readonly appId: unknown
  readonly principals: readonly Principal[]

  /** @param role for questions about a role itself (`Role.isInRole(name, { principalType: 'ROLE', … })`) */
  constructor (readonly token: ModelInstance | null, { userId, userType, appId, role }: { userId?: unknown, userType?: unknown, appId?: unknown, role?: unknown } = {}) {
    this.userId = present(userId ?? token?.userId)
    this.userType = typeof (userType ?? token?.principalType) === 'string' ? (userType ?? token?.principalType) as string : 'USER'
    this.appId = present(appId ?? token?.appId)
    this.principals = [
      ...(this.userId === undefined ? [] : [{ type: this.userType, id: this.userId }]),
      ...(this.appId === undefined ? [] : [{ type: 'APP', id: this.appId }]),
      ...(Array.isArray(token?.scopes) ? token.scopes.map((scope: unknown) => ({ type: 'SCOPE', id: scope })) : []),
      ...(role === undefined ? [] : [{ type: 'ROLE', id: role }])
    ]
  }

  /** A token with neither user nor application is nobody's. */
  get isAuthenticated (): boolean {
    return this.userId !== undefined || this.appId !== undefined
  }

  /** Whether one of the caller's principals is this one. */
  is (type: string, id: string): boolean {
    for (const principal of this.principals) if (principal.type === type && String(principal.id) === id) return true
    return false
  }
}

const present = (value: unknown): unknown => value === null ? undefined : value
