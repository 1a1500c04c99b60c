/** `loopback.AccessContext`: who asks for what, as role resolvers and `ACL.checkAccessForContext` have it. */
import { defaultScopes } from '@fastback/auth/service'
import type { ModelClass, ModelInstance, ModelRegistry, SharedMethod } from '@fastback/core'
import { isUserModel } from '@fastback/auth'
import { namesOf } from '@fastback/core/remote'
import { aclNames } from '../models/constants.js'
import { accessTypeOf } from '../rules/rule.js'
import { Principal } from './principal.js'

/** What a context is made of; code of applications gives as much as it knows. */
export interface AccessContextParts {
  readonly registry: ModelRegistry
  readonly principals?: ReadonlyArray<{ readonly type: string, readonly id: unknown, readonly name?: string }>
  readonly principalType?: string
  readonly principalId?: unknown
  readonly principalName?: string
  readonly accessToken?: ModelInstance | null
  readonly model?: ModelClass | string
  readonly modelName?: string
  readonly modelId?: unknown
  /** The same as `modelId`, by its other name. */
  readonly id?: unknown
  readonly property?: string
  readonly method?: string
  readonly sharedMethod?: SharedMethod
  readonly accessType?: string
  readonly remotingContext?: unknown
}

/**
 * A request for access, and its caller.
 *
 * ```js
 * const context = new AccessContext({ registry: app.registry.core, accessToken, model: 'Note', property: 'find' })
 * context.getUserId() // 7
 * ```
 */
export class AccessContext {
  static readonly permissionOrder: Readonly<Record<string, number>> = {
    DEFAULT: 0, ALLOW: 1, ALARM: 2, AUDIT: 3, DENY: 4
  }

  static readonly ALL = aclNames.ALL
  static readonly READ = aclNames.READ
  static readonly REPLICATE = aclNames.REPLICATE
  static readonly WRITE = aclNames.WRITE
  static readonly EXECUTE = aclNames.EXECUTE
  static readonly DEFAULT = aclNames.DEFAULT
  static readonly ALLOW = aclNames.ALLOW
  static readonly ALARM = aclNames.ALARM
  static readonly AUDIT = aclNames.AUDIT
  static readonly DENY = aclNames.DENY

  readonly registry: ModelRegistry
  readonly principals: Principal[] = []
  readonly model: ModelClass | undefined
  readonly modelName: string | undefined
  readonly modelId: unknown
  readonly property: string
  readonly method: string | undefined
  readonly sharedMethod: SharedMethod | undefined
  /** The method's name and its aliases. */
  readonly methodNames: readonly string[]
  readonly accessType: string
  readonly accessToken: ModelInstance
  readonly remotingContext: unknown

  constructor (parts: AccessContextParts) {
    const { registry, model, sharedMethod } = parts
    this.registry = registry
    this.model = typeof model === 'string' ? registry.getModel(model) : model
    this.modelName = parts.modelName ?? this.model?.modelName
    this.modelId = parts.id ?? parts.modelId
    this.property = parts.property ?? aclNames.ALL
    this.method = parts.method
    this.sharedMethod = sharedMethod
    this.methodNames =
      sharedMethod === undefined ? [] : [...new Set([...namesOf(sharedMethod), sharedMethod.name])]
    this.accessType = parts.accessType ?? (sharedMethod === undefined ? aclNames.ALL : accessTypeOf(sharedMethod))
    this.accessToken = parts.accessToken ?? { id: '$anonymous' } as unknown as ModelInstance
    this.remotingContext = parts.remotingContext
    for (const { type, id, name } of parts.principals ?? []) this.addPrincipal(type, id, name)
    this.#add(parts.principalType ?? Principal.USER, parts.principalId, parts.principalName)
    this.#add(String(this.accessToken.principalType ?? Principal.USER), this.accessToken.userId)
    this.#add(Principal.APP, this.accessToken.appId)
  }

  #add (type: string, id: unknown, name?: string): void {
    if (id !== undefined && id !== null) this.addPrincipal(type, id, name)
  }

  /** @returns false for one that is there already */
  addPrincipal (type: string, id: unknown, name?: string): boolean {
    const principal = new Principal(type, id, name)
    if (this.principals.some(each => each.equals(principal))) return false
    this.principals.push(principal)
    return true
  }

  getUserId (): unknown {
    return this.getUser()?.id
  }

  /** The first principal that is a user, whatever the user model. */
  getUser (): { id: unknown, principalType: string } | undefined {
    const user = this.principals.find(({ type }) => this.#isUserType(type))
    return user === undefined ? undefined : { id: user.id, principalType: user.type }
  }

  #isUserType (type: string): boolean {
    if (type === Principal.USER) return true
    const Model = this.registry.findModel(type)
    return Model !== undefined && isUserModel(Model)
  }

  getAppId (): unknown {
    return this.principals.find(({ type }) => type === Principal.APP)?.id ?? null
  }

  isAuthenticated (): boolean {
    return (this.getUserId() ?? this.getAppId() ?? null) !== null
  }

  /** The scopes that the method asks for. */
  getScopes (): readonly string[] {
    return (this.sharedMethod as { accessScopes?: readonly string[] } | undefined)?.accessScopes ?? defaultScopes
  }

  /** Whether the token has one of them; one without scopes is for all that asks for none. */
  isScopeAllowed (): boolean {
    const scopes: unknown = this.accessToken.scopes ?? defaultScopes
    return Array.isArray(scopes) && this.getScopes().some(scope => scopes.includes(scope))
  }
}
