/**
 * Which roles a caller is in, with regard to one operation. What was found out is remembered: a request asks each thing
 * once.
 */
import { resultOf, hasSecondFactors, isOwn, type Assurance } from '@fastback/auth/service'
import type { MaybePromise, ModelClass, Row } from '@fastback/core'
import { chain, eachInSequence } from '@fastback/core/connector'
import type { Caller } from './caller.js'
import { isOwner, ownsRow } from './roles/owner.js'
import { ownRows } from './roles/own-rows.js'
import type { RoleRows } from './roles/role-rows.js'
import { resolve, resolverContext, type ContextParts, type ResolverContext } from './roles/resolver.js'
import type { Fits } from './rules/decide.js'
import type { Login } from './rules/compiled-plan.js'
import type { OwnCheck } from './rules/own-check.js'
import type { Rule } from './rules/rule.js'
import type { AclService } from './service.js'

export class Membership implements Fits {
  #owner: MaybePromise<boolean> | undefined
  /** Whether the caller is known, where the application says so. */
  #known: MaybePromise<boolean> | undefined
  #names: MaybePromise<ReadonlySet<string>> | undefined
  #context: ResolverContext | undefined
  #resolved: Map<string, MaybePromise<boolean | RoleRows>> | undefined
  #told: Map<string, MaybePromise<boolean>> | undefined

  /** Whether a role was given for some rows only, by the application. */
  hasRoleRows = false

  /**
   * @param rows for include: the rows whose relation is read, instead of one by id; the caller owns them when every one
   * is the caller's
   * @param ofMany whether it is about all rows of the model: whoever may be an owner is one of the own rows
   */
  constructor (
    readonly service: AclService,
    readonly caller: Caller,
    readonly parts: ContextParts,
    readonly rows?: readonly Row[],
    readonly ofMany = false
  ) {}

  get login (): Login | undefined {
    if (!this.service.judgesAlone) return undefined
    return this.caller.isAuthenticated ? 'authenticated' : 'anonymous'
  }

  fits (rule: Rule): MaybePromise<boolean | RoleRows> {
    return rule.principalType === 'ROLE'
      ? this.#belongsTo(rule.principalId)
      : this.caller.is(rule.principalType, rule.principalId)
  }

  passes (check: OwnCheck): MaybePromise<boolean> {
    const { modelId, remotingContext } = this.parts
    return check(this.caller.token, modelId, remotingContext)
  }

  readonly meets = (asked: Assurance): boolean => this.caller.meets(asked)

  /** By `Role.isInRole` where the application has its own (security.md, S-96). */
  isIn (role: string): MaybePromise<boolean> {
    return chain(this.#belongsTo(role), found => found === true)
  }

  #belongsTo (role: string): MaybePromise<boolean | RoleRows> {
    const { role: Role } = this.service
    return isOwn(Role?.isInRole) ? this.#asked(role, Role) : this.judges(role)
  }

  #asContext (): ResolverContext {
    return (this.#context ??= resolverContext(this.caller, this.parts))
  }

  /** What it says, once for each role. */
  #asked (role: string, Role: ModelClass | undefined): MaybePromise<boolean> {
    const known = this.#told?.get(role)
    if (known !== undefined) return known
    const answer = resultOf(Role?.isInRole, Role, role, this.#asContext()).then(Boolean)
    ;(this.#told ??= new Map()).set(role, answer)
    return answer
  }

  /** By what the framework knows: resolvers, rows, and who the caller is. */
  judges (role: string): MaybePromise<boolean | RoleRows> {
    const resolver = this.service.resolvers.get(role)
    if (resolver !== undefined) {
      const known = this.#resolved?.get(role)
      if (known !== undefined) return known
      const answer = chain(resolve(resolver, role, this.#asContext()), found => {
        if (typeof found === 'object') this.hasRoleRows = true
        return found
      })
      ;(this.#resolved ??= new Map()).set(role, answer)
      return answer
    }
    switch (role) {
      case '$everyone':
        return true
      case '$authenticated':
        return this.#isAuthenticated()
      case '$unauthenticated':
        return chain(this.#isAuthenticated(), is => !is)
      case '$owner':
        if (this.ofMany && !isOwn(this.service.role?.isOwner)) return this.#ownOfMany()
        return (this.#owner ??= this.#owns())
      case '$secondFactor':
        return this.#hasProven() ?? this.#isMapped(role)
      // Named in the order of precedence; nobody is in it unless a resolver says so.
      case '$related':
        return false
      default:
        return this.#isMapped(role)
    }
  }

  #isMapped (role: string): MaybePromise<boolean> {
    return chain((this.#names ??= this.service.roles.namesOf(this.caller)), names => names.has(role))
  }

  /** Whether the login of the caller's token had a second factor; undefined where users have none (OI-218). */
  #hasProven (): boolean | undefined {
    const { registry } = this.service.users
    if (!hasSecondFactors(registry)) return undefined
    const { amr } = (this.caller.token ?? {}) as { amr?: unknown }
    return Array.isArray(amr) && amr.includes('mfa')
  }

  /** By `Role.isAuthenticated` where the application has its own (S-96). */
  #isAuthenticated (): MaybePromise<boolean> {
    const { role: Role } = this.service
    if (!isOwn(Role?.isAuthenticated)) return this.caller.isAuthenticated
    return (this.#known ??= resultOf(Role?.isAuthenticated, Role, this.#asContext()).then(Boolean))
  }

  /** Nobody owns all rows: the caller is the owner of the own ones. */
  #ownOfMany (): boolean | RoleRows {
    const { Model } = this.parts
    const where = Model === undefined ? undefined : ownRows(Model, this.caller)
    return where === undefined ? false : { where }
  }

  #owns (): MaybePromise<boolean> {
    const { Model, modelId } = this.parts
    if (Model === undefined) return false
    const { role: Role } = this.service
    if (this.rows === undefined) {
      if (!isOwn(Role?.isOwner)) return isOwner(Model, modelId, this.caller)
      const { userId, userType } = this.caller
      return resultOf(Role?.isOwner, Role, Model, modelId, userId, userType, {}).then(Boolean)
    }
    if (this.caller.userId === undefined) return false
    let owns = true
    return chain(
      eachInSequence(this.rows, row =>
        owns
          ? chain(ownsRow(Model, row, this.caller), yes => {
            owns = yes
          })
          : undefined
      ),
      () => owns
    )
  }
}
