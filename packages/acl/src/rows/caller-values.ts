/** What the variables of rules are for one caller. */
import { authService, RecentCache, userModelsOf } from '@fastback/auth/service'
import type { UserModel } from '@fastback/auth'
import type { MaybePromise, ModelRegistry, Row } from '@fastback/core'
import { chain, isPromise } from '@fastback/core/connector'
import { findRowById, forgetOnChange } from '@fastback/core/remote'
import type { Caller } from '../caller.js'
import type { RoleStore } from '../roles/role-store.js'
import type { ValueOf } from './variables.js'

const noNames: ReadonlySet<string> = new Set<string>([])

/** What was read of a caller: the same objects as long as nothing has changed. */
export interface CallerFacts {
  readonly user: Readonly<Row> | undefined
  readonly roles: ReadonlySet<string>
}

/** What rules ask about their callers. */
export interface Needs {
  /** Properties of the user other than the id. */
  readonly user: boolean
  readonly roles: boolean
}

const noFacts: CallerFacts = { user: undefined, roles: noNames }

const gone: Readonly<Row> = Object.freeze({})

/** Rows of users, read once and let go when a user changes. */
export class UserRows {
  readonly #rows: RecentCache<Readonly<Row>>
  readonly #watched = new WeakSet<UserModel>()
  #listens = false

  /** @param ttl milliseconds that a change by another process may go unseen */
  constructor (readonly registry: ModelRegistry, ttl: number) {
    this.#rows = new RecentCache({ size: 10_000, ttl })
  }

  /** The caller's row; undefined where there is none. */
  of ({ userModel, userId }: Caller): MaybePromise<Readonly<Row> | undefined> {
    if (userModel === undefined || userId === undefined || userModel.dataSource === null) return undefined
    this.#watch(userModel)
    const read = (): MaybePromise<Readonly<Row>> =>
      chain(findRowById(userModel.compiled, userId, undefined, { notify: false }), row => row ?? gone)
    const found = this.#rows.getOr(`${userModel.modelName}:${String(userId)}`, read)
    return chain(found, row => row === gone ? undefined : row)
  }

  /** From the first row on that is kept. */
  #watch (userModel: UserModel): void {
    const forget = (): void => { this.#rows.clear() }
    if (!this.#listens) {
      this.#listens = true
      authService(this.registry).credentials.listen(forget, { elsewhere: true })
    }
    for (const Model of [userModel, ...userModelsOf(this.registry).attached]) {
      if (this.#watched.has(Model)) continue
      this.#watched.add(Model)
      forgetOnChange(Model, ['after save', 'after delete'], forget)
    }
  }
}

/** Reads what rules need. */
export function factsOf (
  needs: Needs, caller: Caller, users: UserRows, roles: RoleStore
): MaybePromise<CallerFacts> {
  if (!needs.user && !needs.roles) return noFacts
  const user = needs.user ? users.of(caller) : undefined
  const names = needs.roles ? roles.namesOf(caller) : noNames
  return isPromise(user) || isPromise(names)
    ? Promise.all([user, names]).then(([user, roles]) => ({ user, roles }))
    : { user, roles: names }
}

/** The values, with one instant for all of a request. */
export function valuesOf (caller: Caller, { user, roles }: CallerFacts, now: number): ValueOf {
  return variable => {
    switch (variable.of) {
      case 'user':
        return variable.property === 'id' && caller.userModel !== undefined ? caller.userId : own(user, variable.property)
      case 'token': return own(caller.token, variable.property)
      case 'client': return caller.appId
      case 'roles':
        return ['$everyone', caller.isAuthenticated ? '$authenticated' : '$unauthenticated', ...roles]
      case 'now': return new Date(now + variable.milliseconds)
    }
  }
}

/** Properties of instances may be getters of the class; nothing of `Object` is a value. */
const own = (holder: object | null | undefined, name: string): unknown =>
  holder === null || holder === undefined || name in Object.prototype
    ? undefined
    : (holder as Record<string, unknown>)[name]
