/** `@fastback/loopback/passport`: stands for the package `loopback-component-passport`. */
import type { ModelClass } from '@fastback/core'
import { PassportConfigurator, type PassportConstructor } from '@fastback/login'
import { applications } from './applications.js'

const model = (name: string): ModelClass => applications.shared.lookup.find(name) as ModelClass

export interface PassportModule {
  readonly PassportConfigurator: PassportConstructor
  readonly UserIdentity: ModelClass
  readonly UserCredential: ModelClass
  readonly ApplicationCredential: ModelClass
}

/**
 * What `require('loopback-component-passport')` gets: the configurator, and the models that folders extend.
 *
 * ```js
 * const { PassportConfigurator } = require('loopback-component-passport')
 * const configurator = new PassportConfigurator(app)
 * ```
 */
export const passportModule: PassportModule = {
  PassportConfigurator,
  get UserIdentity () { return model('UserIdentity') },
  get UserCredential () { return model('UserCredential') },
  get ApplicationCredential () { return model('ApplicationCredential') }
}

export default passportModule
export { PassportConfigurator }

/**
 * Who a user is at a provider; the model that folders extend.
 *
 * ```js
 * import { UserIdentity } from 'loopback-component-passport'
 * ```
 */
export const UserIdentity: ModelClass = passportModule.UserIdentity

/**
 * What a user has linked at a provider; the model that folders extend.
 *
 * ```js
 * import { UserCredential } from 'loopback-component-passport'
 * ```
 */
export const UserCredential: ModelClass = passportModule.UserCredential

/**
 * Credentials of an application at a provider; the model that folders extend.
 *
 * ```js
 * import { ApplicationCredential } from 'loopback-component-passport'
 * ```
 */
export const ApplicationCredential: ModelClass = passportModule.ApplicationCredential
