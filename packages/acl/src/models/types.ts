/** The built-in models of this package as types: what models that extend them, and `app.models`, have. */
import type { TOptional, TUnsafe } from '@sinclair/typebox'
import type { Definition, Instance, ModelFacts, ModelInstance, OperationCallback } from '@fastback/core'
import type { AccessRequest } from '../access/access-request.js'
import type { Resolver } from '../roles/resolver.js'
import type { aclDefinition, roleDefinition, roleMappingDefinition, scopeDefinition } from './definitions.js'

/** What of a definition its types are made of. */
type Shape<D extends Definition> = Pick<D, keyof D & ('name' | 'base' | 'properties' | 'relations')>

/** Both forms of a function: a promise, or a trailing callback. */
interface Both<Args extends unknown[], T> {
  (...args: Args): Promise<T>
  (...args: [...Args, OperationCallback<T>]): void
}

/** Who is asked about: principals, one principal, or the bearer of a token; and for `$owner` which row. */
export interface PrincipalQuery {
  principals?: ReadonlyArray<{ type: string, id: unknown }>
  principalType?: string
  principalId?: unknown
  accessToken?: unknown
  model?: ModelFacts | string
  modelId?: unknown
}

type Words<Names extends string> = { readonly [N in Names]: string }

export interface RoleTypes extends Shape<typeof roleDefinition> {
  readonly statics: Words<'OWNER' | 'RELATED' | 'AUTHENTICATED' | 'UNAUTHENTICATED' | 'EVERYONE'> & {
    isInRole: Both<[role: string, asked: PrincipalQuery], boolean>
    /** Names of dynamic roles, and ids of the static ones; with `returnOnlyRoleNames` names alone. */
    getRoles: Both<[asked: PrincipalQuery], unknown[]> &
      Both<[asked: PrincipalQuery, options: { returnOnlyRoleNames?: boolean }], unknown[]>
    isOwner: Both<[model: ModelFacts | string, modelId: unknown, userId: unknown], boolean> &
      Both<[model: ModelFacts | string, modelId: unknown, userId: unknown, principalType: string], boolean>
    isAuthenticated: Both<[asked: PrincipalQuery], boolean>
    /** A role that the application works out; it stands before a static one of the same name. */
    registerResolver<Id = string | number>(name: string, resolver: Resolver<Id>): void
    /** Resolvers by role, those of `$owner` and its like among them: members that are set or deleted hold at once. */
    readonly resolvers: Record<string, Resolver>
  }
  readonly instanceMethods: {
    users: Both<[], ModelInstance[]> & Both<[query: { where?: { principalType?: string } }], ModelInstance[]>
    applications: Both<[], ModelInstance[]>
    roles: Both<[], ModelInstance[]>
  }
  readonly [setting: string]: unknown
}

/** Ids of users are texts in these rows, and numbers are taken: they become texts. */
type AnyPrincipal<Shaped extends { readonly properties: object }> = Omit<Shaped, 'properties'> & {
  readonly properties: Omit<Shaped['properties'], 'principalId'> & {
    readonly principalId: TOptional<TUnsafe<string | number | null>>
  }
}

type Principals = Words<'USER' | 'APP' | 'APPLICATION' | 'ROLE' | 'SCOPE'>

export interface RoleMappingTypes extends AnyPrincipal<Shape<typeof roleMappingDefinition>> {
  readonly statics: Principals
  /** The principal, where it is of this kind; else null. */
  readonly instanceMethods: {
    user: Both<[], ModelInstance | null>
    application: Both<[], ModelInstance | null>
    childRole: Both<[], Instance<RoleTypes> | null>
  }
  readonly [setting: string]: unknown
}

export interface AclTypes extends AnyPrincipal<Shape<typeof aclDefinition>> {
  readonly statics: Principals & {
    checkPermission: Both<
      [principalType: string, principalId: unknown, model: string, property: string, accessType: string], AccessRequest
    >
    checkAccessForToken: Both<[token: unknown, model: ModelFacts | string, modelId: unknown, method: string], boolean>
    resolvePrincipal: Both<[type: string, id: unknown], ModelInstance | null>
    isMappedToRole: Both<[principalType: string, principalId: unknown, role: unknown], boolean>
  }
  readonly [setting: string]: unknown
}

export interface ScopeTypes extends Shape<typeof scopeDefinition> {
  readonly [setting: string]: unknown
}

declare module '@fastback/core' {
  interface BuiltinModelTypes {
    ACL: AclTypes
    Role: RoleTypes
    RoleMapping: RoleMappingTypes
    Scope: ScopeTypes
  }
}
