/** What the functions of user models know of the class they are called on. */
import type { MaybePromise, ModelClass, ModelInstance, ModelRegistry, OperationOptions, Relation } from '@fastback/core'
import type { SecondFactorOptions } from '../factors/settings.js'
import { promiseOrCallback, splitCallback } from '@fastback/core/connector'
import { compiledOf, extendsModel, relationsOf } from '@fastback/core/remote'

export interface UserSettings {
  ttl?: number
  maxTTL?: number
  resetPasswordTokenTTL?: number
  /**
   * Milliseconds after which a reset, a verification, or a failed login of a model with a `hasPassword` of its own is
   * answered. Default: 100.
   */
  accountAnswerTime?: number
  verificationTokenTTL?: number
  caseSensitiveEmail?: boolean
  emailVerificationRequired?: boolean
  realmRequired?: boolean
  realmDelimiter?: string | boolean
  allowEternalTokens?: boolean
  restrictResetPasswordTokenScope?: boolean
  /** Whether the login of the API and tokens take no user whose `status` closes the account. Default: false. */
  statusLocks?: boolean
  rejectPasswordChangesViaPatchOrReplace?: boolean
  allowUserEnumeration?: boolean
  redirectWhitelist?: string[]
  verifyOptions?: Record<string, unknown>
  secondFactor?: boolean | SecondFactorOptions
}

export interface UserModel extends ModelClass {
  readonly settings: UserSettings & Record<string, unknown>
  findOne (filter: object, options?: OperationOptions): Promise<User | null>
  findById (id: unknown, filter?: object, options?: OperationOptions): Promise<User | null>
  getVerifyOptions (): Record<string, unknown>
  generateVerificationToken: (...args: unknown[]) => unknown
  emit (event: string, ...args: unknown[]): boolean
}

export interface User extends ModelInstance {
  email?: string
  password?: string
  emailVerified?: boolean
  verificationToken?: string | null
  patchAttributes (data: object, options?: OperationOptions): Promise<User>
  createAccessToken (ttl: unknown, options?: OperationOptions): Promise<ModelInstance>
  hasPassword (plain: unknown): Promise<boolean>
  isNewRecord (): boolean
  save (options?: OperationOptions): Promise<User>
}

/** A static function with its two faces: a promise, or a trailing callback. */
export function statically (work: (Model: UserModel, values: readonly any[]) => MaybePromise<unknown>) {
  return function (this: UserModel, ...args: unknown[]): unknown {
    const { values, callback } = splitCallback(args)
    return promiseOrCallback(() => work(this, values), callback, false, this.registry)
  }
}

/** The same for a function of instances. */
export function onInstance (work: (user: User, Model: UserModel, values: readonly any[]) => MaybePromise<unknown>) {
  return function (this: User, ...args: unknown[]): unknown {
    const { values, callback } = splitCallback(args)
    const { Model } = compiledOf(this)
    return promiseOrCallback(() => work(this, Model as UserModel, values), callback, false, Model.registry)
  }
}

/**
 * Whether a model is User or extends it.
 *
 * ```js
 * isUserModel(registry.getModel('User')) // true
 * ```
 */
export const isUserModel = (Model: ModelClass): boolean => extendsModel(Model, 'User')

/**
 * All user models that are attached.
 *
 * ```js
 * userModels(app.registry).map(({ modelName }) => modelName) // ['Customer', 'Merchant']
 * ```
 */
export const userModels = (registry: ModelRegistry): UserModel[] =>
  Object.values(registry.models).filter(Model => Model.dataSource !== null && isUserModel(Model)) as UserModel[]

export interface TokenRelation extends Relation {
  readonly polymorphic?: { readonly discriminator: string } | undefined
  readonly foreignKey: string
}

export interface TokensOf {
  readonly TokenModel: ModelClass
  readonly foreignKey: string
  /** The property that names the user model; undefined where there is only one. */
  readonly discriminator: string | undefined
}

/** How a user model finds its tokens; undefined when it has none, or they are not stored. */
export function tokensOf (Model: ModelClass): TokensOf | undefined {
  const relation = relationsOf(Model).get('accessTokens') as TokenRelation | undefined
  const TokenModel = relation?.target()
  if (relation === undefined || TokenModel === undefined || TokenModel.dataSource === null) return undefined
  return { TokenModel, foreignKey: relation.foreignKey, discriminator: relation.polymorphic?.discriminator }
}
