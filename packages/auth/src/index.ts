/**
 * `@fastback/auth`: users, access tokens, login, verification and password reset.
 */
export { auth, auth as default } from './plugin.js'
export type { AuthOptions } from './options.js'
export { attachMissing, installAuthModels, authModels } from './models/index.js'
export { mailConnector, type MailConnector } from './mail/mail-connector.js'
export { type AuditEvent, type AuthService } from './service.js'
export {
  type CredentialsChanged,
  type CredentialsContext,
  type CredentialsListener,
  type CredentialsReason
} from './user/credentials-changed.js'
export { isUserModel, type UserModel } from './user/user-model.js'
export { type UserModels } from './user/user-models.js'
export { type UntypedTokens } from './tokens/unnamed-tokens.js'
export { type Attempt, type AttemptLimits, type Reservation } from './attempts/attempts.js'
export { type AttemptCounter, type Count, type Limit } from './attempts/counter.js'
export type { PasswordPolicy } from './passwords/password-policy.js'
export { type HasherOptions } from './passwords/hasher.js'
export { type RecentOptions } from './recent-cache.js'
export * as errors from './errors.js'
export type {
  AccessTokenTypes, ApplicationTypes, Credentials, EmailTypes, SecondFactorList, SecondFactorProof, UserTypes
} from './models/types.js'
export { boot } from './boot.js'
