/**
 * `@fastback/login`: logins by accounts of third parties.
 */
export { login, login as default } from './plugin.js'
export { boot } from './boot.js'
export { PassportConfigurator, type PassportConstructor } from './configurator.js'
export { loginsOf, Logins } from './logins.js'
export type { LoginOptions } from './settings.js'
export type { ProviderEntry } from './provider-entry.js'
export type { Profile } from './profile.js'
export type { FailureCode } from './errors.js'
export { LoginFailure } from './errors.js'
export * as errors from './errors.js'
