/** Which models logins work with, and where those are kept that the application attaches nowhere (LG-05, LG-125). */
import type { ModelClass } from '@fastback/core'
import { relationsOf, rulesToExtend } from '@fastback/core/remote'
import { InvalidOptionsError, UnknownModelError } from './errors.js'
import type { LoginHost } from './login-host.js'
import type { LoginSettings } from './settings.js'

export interface LoginModels {
  readonly User: ModelClass
  readonly Identity: ModelClass
  readonly Credential: ModelClass
}

/** Models by name or as classes, where something is said. */
export interface ModelChoice {
  readonly userModel?: unknown
  readonly userIdentityModel?: unknown
  readonly userCredentialModel?: unknown
  readonly applicationCredentialModel?: unknown
}

type Relate = (target: ModelClass, options: { as: string, foreignKey: string }) => void

export class ModelSetUp {
  constructor (readonly host: LoginHost, readonly settings: LoginSettings) {}

  /**
   * Which models count; the nearest of their types where nothing is said (LG-05).
   * @throws FBK_LOGIN_UNKNOWN_MODEL
   */
  choose (given: ModelChoice): LoginModels {
    const { settings } = this
    const User = this.#model(given.userModel ?? settings.userModel, 'User')
    const Identity = this.#model(given.userIdentityModel ?? settings.userIdentityModel, 'UserIdentity')
    const Credential = this.#model(given.userCredentialModel ?? settings.userCredentialModel, 'UserCredential')
    for (const [Model, as] of [[Identity, 'identities'], [Credential, 'credentials']] as const) {
      if (!relationsOf(User).has(as)) (User.hasMany as Relate).call(User, Model, { as, foreignKey: 'userId' })
      const back = relationsOf(Model).get('user')
      if (back?.target() !== User && !isOwn(Model, 'user')) {
        (Model.belongsTo as Relate).call(Model, User, { as: 'user', foreignKey: 'userId' })
      }
      const rows = rulesToExtend(User, 'login')
      for (const name of ['get', 'findById', 'destroyById'].map(each => `__${each}__${as}`)) {
        if (rows.some(({ property }) => property === name)) continue
        rows.push({ principalType: 'ROLE', principalId: '$owner', permission: 'ALLOW', property: name })
      }
    }
    return { User, Identity, Credential }
  }

  #model (given: unknown, type: string): ModelClass {
    const base = this.host.model(type)
    const found = typeof given === 'function'
      ? given as unknown as ModelClass
      : typeof given === 'string'
        ? this.host.model(given)
        : base === undefined ? undefined : this.host.registry.getModelByType(type)
    if (found === undefined) throw new UnknownModelError(typeof given === 'string' ? given : type)
    return this.#attached(found)
  }

  /** A model of this package. @throws FBK_LOGIN_UNKNOWN_MODEL */
  own (name: string): ModelClass {
    const found = this.host.model(name)
    if (found === undefined) throw new UnknownModelError(name)
    return this.#attached(found)
  }

  /** What the folder attaches nowhere is kept in `db` (LG-125). */
  #attached (Model: ModelClass): ModelClass {
    if (Model.dataSource !== null) return Model
    const names = this.host.dataSources()
    const name = this.settings.dataSource ?? (names.includes('db') ? 'db' : names[0])
    if (name === undefined) throw new InvalidOptionsError(`the model "${Model.modelName}" is attached to no data source.`)
    this.host.attach(Model, name)
    return Model
  }
}

const isOwn = (Model: ModelClass, relation: string): boolean =>
  Object.hasOwn(Model.definition.relations, relation) && Model.modelName !== 'UserIdentity' && Model.modelName !== 'UserCredential'
