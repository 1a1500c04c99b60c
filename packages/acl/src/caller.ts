/** Who asks. */
import type { UserModel, UserModels } from '@fastback/auth'
import { loginOfToken, meets, type Assurance } from '@fastback/auth/service'
import type { ModelInstance } from '@fastback/core'

export interface Principal {
  /** `USER`, the name of a user model, `APP`, `SCOPE`, `ROLE`. */
  readonly type: string
  readonly id: unknown
}

export class Caller {
  readonly userId: unknown
  /** `USER`, or with several user models (and where tokens show it) the name of the caller's. */
  readonly userType: string
  /** The model that `userId` is of; undefined: of none, so that it owns nothing. */
  readonly userModel: UserModel | undefined
  readonly appId: unknown
  readonly principals: readonly Principal[]
  #key: string | undefined

  /**
   * @param users those of the registry: they tell whose token it is
   * @param role for questions about a role itself (`Role.isInRole(name, { principalType: 'ROLE', … })`)
   */
  constructor (
    users: UserModels,
    readonly token: ModelInstance | null,
    { userId, userType, appId, role }: { userId?: unknown; userType?: unknown; appId?: unknown; role?: unknown } = {}
  ) {
    this.userId = present(userId ?? token?.userId)
    this.appId = present(appId ?? token?.appId)
    const principals: Principal[] = []
    if (this.userId === undefined) {
      this.userType = 'USER'
      this.userModel = undefined
    } else {
      const asked = typeof userType === 'string' || token === null
      this.userModel = asked ? users.named(userType) : users.ofToken(token)
      const types =
        this.userModel === undefined
          ? [asked ? String(userType ?? 'USER') : String(token.principalType ?? 'USER')]
          : users.principalTypes(this.userModel)
      this.userType = types[0] as string
      for (const type of types) principals.push({ type, id: this.userId })
    }
    if (this.appId !== undefined) principals.push({ type: 'APP', id: this.appId })
    const scopes: unknown = token?.scopes
    if (Array.isArray(scopes)) for (const scope of scopes as unknown[]) principals.push({ type: 'SCOPE', id: scope })
    if (role !== undefined) principals.push({ type: 'ROLE', id: role })
    this.principals = principals
  }

  /** Another one for everybody whom user and application tell apart. */
  get key (): string {
    return (this.#key ??= `${this.userModel?.modelName ?? ''} ${keyOf(this.userId)}${keyOf(this.appId)}`)
  }

  /** A token with neither user nor application is nobody's. */
  get isAuthenticated (): boolean {
    return this.userId !== undefined || this.appId !== undefined
  }

  /** Whether the login that the caller's token stands on is strong and young enough. Without a token there is none. */
  meets (asked: Assurance): boolean {
    return this.token !== null && meets(loginOfToken(this.token), asked)
  }

  /** Whether one of the caller's principals is this one. */
  is (type: string, id: string): boolean {
    for (const principal of this.principals) if (principal.type === type && String(principal.id) === id) return true
    return false
  }
}

/** Whether a token is somebody's: of a user or an application. */
export const isLoggedIn = (token: ModelInstance | null): boolean =>
  token !== null && (present(token.userId) !== undefined || present(token.appId) !== undefined)

/** No text within an id can be taken for what comes behind it. */
function keyOf (id: unknown): string {
  const text = String(id)
  return `${typeof id} ${text.length} ${text}`
}

const present = (value: unknown): unknown => (value === null ? undefined : value)
