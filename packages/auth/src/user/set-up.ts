import type { ModelClass } from '@fastback/core'
import { passwordTooLong } from '../errors.js'
import { bcryptLength, checkPassword } from '../passwords/check-password.js'
import { hashAtOnce } from '../passwords/hasher.js'
import { builtin } from '../builtin.js'
import { defineEmail } from '../models/email.js'
import { normalCredentials } from './credentials.js'
import type { UserModel } from './user-model.js'
import { offerSecondFactors } from '../factors/install.js'
import { limitMethods } from '../attempts/limit-methods.js'
import { authService } from '../service.js'
import { endTokens } from './end-tokens.js'
import { observeUsers } from './hooks.js'
import { createAccessToken, hasPassword, login, logout } from './login.js'
import { changeOwnPassword, changePassword, resetPassword, setOwnPassword, setPassword } from './passwords.js'
import { declareUserMethods, restrictReset } from './remote-methods.js'
import { noteClients } from './reset-caller.js'
import { validateEmail, validateUniqueness } from './validations.js'
import { confirm, generateVerificationToken, getVerifyOptions, verify } from './verify.js'

const statics = {
  /** Throws what a password that cannot be is refused with. */
  validatePassword (this: ModelClass, plain: unknown): true {
    checkPassword(this, plain)
    return true
  },
  /** `User.hashPassword(plain)`: at once, as LoopBack does; operations hash off the event loop. */
  hashPassword (this: ModelClass, plain: string): string {
    checkPassword(this, plain)
    const length = Buffer.byteLength(plain)
    if (length > bcryptLength) throw passwordTooLong(bcryptLength, length)
    return hashAtOnce(plain)
  },
  /**
   * What a login looks for, not checked yet; the settings of the model say whether there are realms, unless the caller
   * does.
   */
  normalizeCredentials (
    this: UserModel, given: Readonly<Record<string, unknown>>,
    realmRequired = this.settings.realmRequired, realmDelimiter = this.settings.realmDelimiter
  ) {
    return normalCredentials({ settings: { ...this.settings, realmRequired, realmDelimiter } }, given)
  },
  login,
  logout,
  confirm,
  resetPassword,
  changePassword,
  setPassword,
  generateVerificationToken,
  getVerifyOptions
}
const methods = {
  verify,
  createAccessToken,
  hasPassword,
  changePassword: changeOwnPassword,
  setPassword: setOwnPassword
}

/**
 * Functions, endpoints, hooks and validations of the built-in user model; models that extend it inherit all of them.
 */
export function setUpUser (User: ModelClass): void {
  define(User, statics)
  define(User.prototype, methods)
  nameModel(User, 'accessToken', () => User.registry.findModel('AccessToken'))
  // A folder that does not name Email has it when its code asks for it.
  nameModel(User, 'email', () => User.registry.findModel('Email') ?? defineEmail(User.registry))
  declareUserMethods(User)
  restrictReset(User.registry)
  limitMethods(User)
  noteClients(User)
  offerSecondFactors(User.registry)
  observeUsers(User)
  authService(User.registry).credentials.listen(endTokens(User.registry))
  validateEmail(User)
  validateUniqueness(User.registry)
}

/** LoopBack's name for a model beside the users', until the application puts another there. */
function nameModel (User: ModelClass, name: string, find: () => ModelClass | undefined): void {
  Object.defineProperty(User, name, {
    get: find,
    set (this: ModelClass, value: unknown) {
      Object.defineProperty(this, name, { value, configurable: true, writable: true })
    },
    configurable: true
  })
}

/** Replaceable, as applications override methods by assignment. */
function define (target: object, members: Readonly<Record<string, (...args: never[]) => unknown>>): void {
  for (const [name, value] of Object.entries(members)) {
    Object.defineProperty(target, name, {
      value: builtin(value), enumerable: false, configurable: true, writable: true
    })
  }
}
