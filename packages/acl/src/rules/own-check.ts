/**
 * `Model.checkAccess`: the function that decides about calls of a model's methods. An application may put its own in
 * its place, which then decides instead of the rules.
 */
import type { MaybePromise, ModelClass, ModelInstance, SharedClass, SharedMethod } from '@fastback/core'
import { chain } from '@fastback/core/connector'
import { callWithNext } from '@fastback/core/remote'
import type { Operation } from './rule.js'

/** Says whether a caller may, of one method. */
export type OwnCheck = (token: ModelInstance | null, modelId: unknown, context: unknown) => MaybePromise<boolean>

/** What such a function is told of the method. */
export interface CheckedMethod extends Partial<Omit<SharedMethod, 'name' | 'aliases' | 'accessType' | 'http'>> {
  readonly name: string
  readonly aliases: readonly string[]
  readonly accessType: string
  readonly ctor: ModelClass
}

/** The function, as LoopBack calls it. */
export type CheckAccess = (
  this: ModelClass,
  token: ModelInstance | null,
  modelId: unknown,
  method: CheckedMethod,
  context: unknown,
  callback: (error?: unknown, allowed?: unknown) => void
) => unknown

const BY_RULES = Symbol('fastback.byRules')

/** Marks the function that all models have: it is not the application's. */
export const byRules = <F extends (...args: never[]) => unknown>(check: F): F =>
  Object.assign(check, { [BY_RULES]: true })

/**
 * The function that the application gave the model, or one that it extends; undefined where rules decide.
 *
 * ```js
 * Note.checkAccess = (token, id, method, ctx, callback) => callback(null, token !== null)
 * replacedCheckOf(Note) // that function
 * ```
 */
export function replacedCheckOf (Model: ModelClass): CheckAccess | undefined {
  const check: unknown = Model.checkAccess
  return typeof check === 'function' && !(BY_RULES in check) ? check as CheckAccess : undefined
}

/**
 * That function for one method. It calls back, or returns the answer or a promise of it; what is not truthy refuses.
 */
export function compileOwnCheck (
  check: CheckAccess,
  Model: ModelClass,
  { names: [name = ''], accessType }: Operation,
  method: SharedMethod | undefined
): OwnCheck {
  const shared = (Model.sharedClass as SharedClass).findMethodByName(method?.fullName ?? name)
  const asked: CheckedMethod = { name, aliases: [], ...shared, ctor: Model, accessType }
  return (token, modelId, context) => chain(
    callWithNext(next => {
      const answer = check.call(Model, token, modelId, asked, context ?? {}, next)
      if (typeof answer === 'boolean') next(null, answer)
      return answer
    }, true) as MaybePromise<unknown>,
    Boolean
  )
}
