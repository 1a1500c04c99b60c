import type { ModelClass } from '@fastback/core'
import { limitMethods } from '../attempts/limit-methods.js'
import { authService } from '../service.js'
import { endTokens } from './end-tokens.js'
import { observeUsers } from './hooks.js'
import { createAccessToken, hasPassword, login, logout } from './login.js'
import { changeOwnPassword, changePassword, resetPassword, setOwnPassword, setPassword } from './passwords.js'
import { declareUserMethods, restrictReset } from './remote-methods.js'
import { validateEmail, validateUniqueness } from './validations.js'
import { confirm, generateVerificationToken, getVerifyOptions, verify } from './verify.js'

const statics = {
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
  declareUserMethods(User)
  restrictReset(User.registry)
  limitMethods(User)
  observeUsers(User)
  authService(User.registry).credentials.listen(endTokens(User.registry))
  validateEmail(User)
  validateUniqueness(User.registry)
}

/** Replaceable, as applications override methods by assignment. */
function define (target: object, members: object): void {
  for (const [name, value] of Object.entries(members)) {
    Object.defineProperty(target, name, { value, enumerable: false, configurable: true, writable: true })
  }
}
