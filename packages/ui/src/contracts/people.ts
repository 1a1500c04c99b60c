/** Whom whoever develops the application can log in as: `users.json`, `POST login-as`. */

export interface ListedUser {
  readonly model: string
  readonly id: string | number
  readonly username?: string
  readonly email?: string
  /** Static roles. */
  readonly roles: readonly string[]
}

/** `GET users.json?q&limit`: those whose name or address begins with `q`. */
export interface UserList {
  readonly users: readonly ListedUser[]
  /** Whether there are more. */
  readonly more: boolean
}

/** Body of `POST login-as`. */
export interface LoginAsRequest { readonly model: string, readonly id: string | number }

/** `POST login-as`: as a login gives it. */
export interface LoginAs {
  /** The access token. */
  readonly id: string
  /** Seconds. */
  readonly ttl: number
  readonly userId: string | number
  readonly model: string
}
