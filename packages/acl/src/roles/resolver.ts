/** Roles that the application works out: `Role.registerResolver(name, (role, context, callback) => …)`. */
import type { MaybePromise, ModelClass, ModelInstance, SharedMethod } from '@fastback/core'
import { chain } from '@fastback/core/connector'
import { callWithNext, mayCallBack } from '@fastback/core/remote'
import type { Caller } from '../caller.js'
import { readRole, type RoleRows } from './role-rows.js'

/**
 * With three parameters it calls back, with fewer it returns the answer or a promise of it. `{ where: { … } }` in place
 * of true: the caller is in the role for these rows only.
 * @typeParam Id type of the ids of the model that the role is for
 */
export type Resolver<Id = string | number> = (
  role: string,
  context: ResolverContext<Id>,
  callback: (error?: unknown, isInRole?: unknown) => void
) => unknown

/**
 * What a resolver gets to know (behaviour.md, section 5).
 * @typeParam Id type of the ids of the model that the role is for: `context: ResolverContext<number>`
 */
export interface ResolverContext<Id = string | number> {
  readonly principals: ReadonlyArray<{ readonly type: string, readonly id: unknown }>
  readonly model: ModelClass | undefined
  readonly modelName: string | undefined
  /** Of the instance at hand, as in the address. */
  readonly modelId: Id | undefined
  readonly property: string | undefined
  readonly method: string | undefined
  readonly sharedMethod: SharedMethod | undefined
  readonly accessType: string
  /** For anonymous callers one without a user. */
  readonly accessToken: ModelInstance
  readonly remotingContext: unknown
  getUserId (): unknown
  getUser (): { id: unknown, principalType: string } | undefined
  getAppId (): unknown
  isAuthenticated (): boolean
}

export interface ContextParts {
  readonly Model?: ModelClass | undefined
  readonly modelId?: unknown
  readonly method?: SharedMethod | undefined
  readonly methodName?: string | undefined
  readonly accessType?: string | undefined
  readonly remotingContext?: unknown
}

const anonymous: ModelInstance = Object.freeze({ id: '$anonymous' })

export function resolverContext (
  caller: Caller,
  { Model, modelId, method, methodName, accessType, remotingContext }: ContextParts
): ResolverContext {
  return {
    principals: caller.principals,
    model: Model,
    modelName: Model?.modelName,
    // Of the type that the address has been read as: the id's.
    modelId: modelId as string | number | undefined,
    property: methodName ?? method?.name,
    method: methodName ?? method?.name,
    sharedMethod: method,
    accessType: accessType ?? '*',
    accessToken:
      caller.token ??
      (caller.userId === undefined
        ? anonymous
        : {
            id: '$none',
            userId: caller.userId,
            ...(caller.userType === 'USER' ? {} : { principalType: caller.userType })
          }),
    remotingContext,
    getUserId: () => caller.userId,
    getUser: () => (caller.userId === undefined ? undefined : { id: caller.userId, principalType: caller.userType }),
    getAppId: () => caller.appId,
    isAuthenticated: () => caller.isAuthenticated
  }
}

export function resolve (
  resolver: Resolver, role: string, context: ResolverContext
): MaybePromise<boolean | RoleRows> {
  return chain(
    callWithNext(next => resolver(role, context, next), mayCallBack(resolver, 2)) as MaybePromise<unknown>,
    readRole
  )
}
