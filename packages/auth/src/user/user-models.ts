/**
 * Which user model is meant: by a token, by the type of a principal, by the key of a row (security.md, S-44, S-71). It
 * is decided here, and read everywhere; an id alone is nobody's where several models have users.
 */
import {
  isInstance,
  type ModelClass,
  type ModelInstance,
  type ModelRegistry,
  type RelationDefinition
} from '@fastback/core'
import { compiledOf, extendsModel, isPublic, knownUsersIn } from '@fastback/core/remote'
import { isUserModel, tokensOf, userModels, type UserModel } from './user-model.js'

/** What follows from the models as they are now. */
interface Known {
  readonly attached: readonly UserModel[]
  readonly inUse: readonly UserModel[]
  readonly only: UserModel | undefined
  readonly byName: ReadonlyMap<string, UserModel>
  /** Whose the tokens without a name are, by token model. */
  readonly unnamed: Map<ModelClass | undefined, UserModel | undefined>
  readonly types: Map<UserModel, readonly string[]>
}

/** The type that LoopBack gives users where there is one user model. */
const anyUser = 'USER'

const kUsers = Symbol('fastback.userModels')

/**
 * Those of a registry.
 *
 * ```js
 * userModelsOf(app.registry).named(accessToken.principalType)?.modelName // 'Customer'
 * ```
 */
export const userModelsOf = (registry: ModelRegistry): UserModels =>
  registry.slot(kUsers, () => new UserModels(registry))

/**
 * Which user model is meant, for one registry: made by `userModelsOf(registry)`.
 *
 * ```js
 * const users = userModelsOf(app.registry)
 * users.only?.modelName // undefined where there are several in use
 * ```
 */
export class UserModels {
  #known: Known | undefined
  #untyped: string | false | undefined
  readonly #routed = new Set<ModelClass>()
  /**
   * Token models that are given a hidden `principalType` because their relations name no user model
   * (`tokens/name-tokens.ts`).
   */
  readonly namedTokens = new Set<ModelClass>()
  /** Relations that were completed so that they compare model and id, with what was written. */
  readonly completed = new WeakMap<RelationDefinition, RelationDefinition>()

  constructor (readonly registry: ModelRegistry) {
    const forget = (): void => {
      this.#known = undefined
    }
    Object.assign(knownUsersIn(registry), {
      models: () => this.inUse.map(({ modelName }) => modelName),
      modelOf: (token: Readonly<ModelInstance>) => this.ofToken(token)?.modelName
    })
    registry.on('modelAttached', forget)
    registry.on('modelChanged', forget)
  }

  /** The option `untypedTokens`: the model that tokens without a name belong to; false: nobody. */
  set untyped (given: string | false | undefined) {
    this.#untyped = given
    this.#known = undefined
  }

  get untyped (): string | false | undefined {
    return this.#untyped
  }

  /** To be called for user models that have routes, whoever published them. */
  routed (Model: ModelClass): void {
    if (this.#routed.has(Model) || !isUserModel(Model)) return
    this.#routed.add(Model)
    this.#known = undefined
  }

  /** All user models that are attached to a data source. */
  get attached (): readonly UserModel[] {
    return this.#now().attached
  }

  /** Those of them that are published, or that are more than the base of another one. */
  get inUse (): readonly UserModel[] {
    return this.#now().inUse
  }

  /**
   * The one that is meant where nothing names it (`USER`, a property `userId`): the only one in use, or that of
   * `untypedTokens`.
   */
  get only (): UserModel | undefined {
    return this.#now().only
  }

  /** The user model that a principal's type names; `USER` and no type mean the only one. */
  named (type: unknown): UserModel | undefined {
    return type === undefined || type === null || type === '' || type === anyUser
      ? this.only
      : this.#now().byName.get(String(type))
  }

  /** The model whose user a token is of; undefined: it is nobody's. */
  ofToken (token: Readonly<ModelInstance>, TokenModel?: ModelClass): UserModel | undefined {
    const { principalType } = token
    const { attached, inUse, byName } = this.#now()
    if (typeof principalType === 'string' && principalType !== '' && principalType !== anyUser) {
      return byName.get(principalType)
    }
    return attached.length < 2 ? inUse[0] : this.ofUnnamed(TokenModel ?? modelOf(token))
  }

  /** The model that rows of a token model belong to when they name none: they were made before names were stored. */
  ofUnnamed (TokenModel: ModelClass | undefined): UserModel | undefined {
    const { unnamed } = this.#now()
    if (!unnamed.has(TokenModel)) unnamed.set(TokenModel, this.#unnamedOf(TokenModel))
    return unnamed.get(TokenModel)
  }

  #unnamedOf (TokenModel: ModelClass | undefined): UserModel | undefined {
    const { attached, inUse, only } = this.#now()
    if (attached.length < 2) return inUse[0]
    if (this.#untyped === false) return undefined
    const makers = TokenModel === undefined ? [] : this.makersOf(TokenModel)
    return makers.length === 1 ? makers[0] : only
  }

  /** The user models in use that have their tokens in this model. */
  makersOf (TokenModel: ModelClass): readonly UserModel[] {
    return this.inUse.filter(Model => tokensOf(Model)?.TokenModel === TokenModel)
  }

  /**
   * The model whose users a relation to `Model` is about: one that is only the base of the users' model stands for
   * that.
   */
  meantBy (Model: ModelClass): UserModel | undefined {
    const { inUse, only } = this.#now()
    if (inUse.includes(Model as UserModel)) return Model as UserModel
    const heirs = inUse.filter(each => extendsModel(each, Model))
    return heirs.length === 1 ? heirs[0] : heirs.find(each => each === only)
  }

  /**
   * The types of a user's principals, as role mappings and rules name them; the first is what code of the application
   * is told.
   */
  principalTypes (Model: UserModel): readonly string[] {
    const { types } = this.#now()
    const known = types.get(Model)
    if (known !== undefined) return known
    const found = this.#typesOf(Model)
    types.set(Model, found)
    return found
  }

  #typesOf (Model: UserModel): readonly string[] {
    const { inUse, only } = this.#now()
    if (Model !== only) return [Model.modelName]
    return inUse.length > 1 || this.namesItself(Model) ? [Model.modelName, anyUser] : [anyUser]
  }

  /** Whether the relation of a user model to its tokens was written so that it compares model and id. */
  namesItself (Model: UserModel): boolean {
    const relation = Model.definition.relations.accessTokens
    return Boolean(relation?.polymorphic) && !this.completed.has(relation as RelationDefinition)
  }

  #now (): Known {
    return (this.#known ??= this.#look())
  }

  #look (): Known {
    const attached = userModels(this.registry)
    const isBase = (Model: UserModel): boolean =>
      attached.some(other => other !== Model && extendsModel(other, Model))
    // Users may be kept elsewhere, with tokens that another server checks: then there is one kind of them.
    const elsewhere =
      attached.length > 0 || this.registry.findModel('User') === undefined
        ? []
        : [this.registry.getModelByType('User') as UserModel]
    const inUse = [
      ...attached.filter(Model => isPublic(Model) === true || this.#routed.has(Model) || !isBase(Model)),
      ...elsewhere
    ]
    const byName = new Map([...attached, ...elsewhere].map(Model => [Model.modelName, Model]))
    const named = typeof this.#untyped === 'string' ? byName.get(this.#untyped) : undefined
    return {
      attached,
      inUse,
      byName,
      only: named ?? (inUse.length === 1 ? inUse[0] : undefined),
      unnamed: new Map(),
      types: new Map()
    }
  }
}

const modelOf = (token: object): ModelClass | undefined =>
  isInstance(token) ? compiledOf(token as ModelInstance).Model : undefined
