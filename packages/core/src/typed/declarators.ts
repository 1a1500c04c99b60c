/** What code declares on a model class, for typed code: hooks, validations, what is shared. */
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { HookName } from '../hooks.js'
import type { ModelClass } from '../interfaces/model-class.js'
import type { OperationOptions } from '../interfaces/operation-options.js'
import type { RemoteMethodOptions } from '../interfaces/shared-method.js'
import type { NestOptions } from '../interfaces/relation.js'
import type { ValidationConfig, CustomFail } from '../validations/config.js'
import type { AnyCall, CallOf, MethodName, MethodPattern } from './calls.js'
import type { CallOptions } from './call-options.js'
import type { Definition, IsClosed, IsUnknown, RelationName, RowType } from './definitions.js'
import type { Filter, Where } from './filter.js'
import type { RemoteCall } from './methods.js'
import type { Instance, Model } from './model.js'

type Next = (error?: unknown) => void

type Changeable<T> = { -readonly [K in keyof T]: T[K] }
/** A condition that observers may change. A model that is not closed takes any name. */
export type HookWhere<D extends Definition> =
  IsUnknown<D> extends true ? Record<string, unknown>
    : IsClosed<D> extends true ? Changeable<Where<D>> : Changeable<Where<D>> & Record<string, unknown>
/** The filter of a read, as observers of `access` get it, and may change it. */
export interface HookQuery<D extends Definition> extends Changeable<Omit<Filter<D>, 'where'>> {
  where?: HookWhere<D>
  [key: string]: unknown
}

/**
 * What an observer of an operation hook gets; which members are there depends on hook and operation (behaviour.md,
 * section 10).
 */
export interface TypedHookContext<D extends Definition> {
  readonly Model: Model<D> & ModelClass
  readonly hookState: Record<string, unknown>
  readonly options: CallOptions
  query?: HookQuery<D>
  where?: HookWhere<D>
  data?: { -readonly [K in keyof RowType<D>]?: RowType<D>[K] } & Record<string, unknown>
  instance?: Instance<D>
  currentInstance?: Instance<D>
  isNewInstance?: boolean
  info?: { count: number }
  [key: string]: unknown
}

/** What an observer of `access` gets: always with the filter, which may have no condition yet. */
export interface AccessHookContext<D extends Definition> extends TypedHookContext<D> {
  query: HookQuery<D>
}

/**
 * `ctx` of remote hooks.
 * @typeParam C what the method takes and gives
 * @typeParam I the instance of an instance method
 */
export interface RemoteHookContext<C extends RemoteCall = AnyCall, I = unknown> {
  /** Arguments by name; hooks may change them. */
  args: C['args']
  /** After the method: what it gave; hooks may change it. */
  result: C['result']
  /** In error hooks. */
  error: unknown
  readonly options: CallOptions
  readonly methodString: string
  readonly instance: I
  readonly request: FastifyRequest
  readonly reply: FastifyReply
  /** The same with Express' methods. */
  readonly req: unknown
  readonly res: unknown
  [key: string]: unknown
}

type HookedContext<D extends Definition, M extends string> =
  RemoteHookContext<CallOf<D, M>, M extends `prototype.${string}` ? Instance<D> : unknown>

type Name<D extends Definition> = keyof RowType<D> & string
type Validates<D extends Definition> = (...names: [Name<D>, ...Array<Name<D> | ValidationConfig>]) => void

export interface Declarators<D extends Definition> {
  observe(hook: 'access', observer: (context: AccessHookContext<D>, next?: Next) => unknown): void
  observe(hook: HookName, observer: (context: TypedHookContext<D>, next?: Next) => unknown): void

  validatesPresenceOf: Validates<D>
  validatesAbsenceOf: Validates<D>
  validatesLengthOf: Validates<D>
  validatesNumericalityOf: Validates<D>
  validatesInclusionOf: Validates<D>
  validatesExclusionOf: Validates<D>
  validatesFormatOf: Validates<D>
  validatesDateOf: Validates<D>
  validatesUniquenessOf: Validates<D>
  validate(
    name: string,
    validator: (this: Instance<D>, fail: CustomFail, options: OperationOptions) => unknown,
    config?: ValidationConfig
  ): void
  /** The validator calls `done`, or gives a promise. */
  validateAsync(
    name: string,
    validator: (this: Instance<D>, fail: CustomFail, done: () => void) => unknown,
    config?: ValidationConfig
  ): void

  remoteMethod(name: string, options?: RemoteMethodOptions): void
  disableRemoteMethodByName(name: MethodName<D>): void
  beforeRemote<const M extends MethodPattern<D>>(
    method: M,
    hook: (context: HookedContext<D, M>, unused: unknown, next: Next) => unknown
  ): void
  afterRemote<const M extends MethodPattern<D>>(
    method: M,
    hook: (context: HookedContext<D, M>, result: CallOf<D, M>['result'], next: Next) => unknown
  ): void
  afterRemoteError<const M extends MethodPattern<D>>(
    method: M,
    hook: (context: HookedContext<D, M>, next: Next) => unknown
  ): void
  nestRemoting(relation: RelationName<D>, options?: NestOptions): void
}
