/**
 * `@fastback/auth`: users, access tokens, login, verification and password reset.
 */
export { auth, auth as default } from './plugin.js'
export type { AuthOptions } from './options.js'
export { Authentication } from './authentication.js'
export { attachMissing, installAuthModels, authModels } from './models/index.js'
export { mailConnector, type MailConnector } from './mail/mail-connector.js'
export { authService, type AuditEvent, type AuthService } from './service.js'
export {
  Credentials, withinChange, type CredentialsChanged, type CredentialsContext, type CredentialsListener,
  type CredentialsReason
} from './user/credentials-changed.js'
export { DelegatedToken, isDelegated, refuseDelegated } from './tokens/delegated.js'
export { isAsItWas } from './user/new-token.js'
export { isUserModel, userModels, type UserModel } from './user/user-model.js'
export { userModelsOf, type UserModels } from './user/user-models.js'
export { untypedTokens, type UntypedTokens } from './tokens/unnamed-tokens.js'
export { Attempts, type Attempt, type AttemptLimits, type Reservation } from './attempts/attempts.js'
export { accountId, accountName } from './attempts/account-keys.js'
export { MemoryCounter, type AttemptCounter, type Count, type Limit } from './attempts/counter.js'
export { attemptsOf } from './attempts/service.js'
export { PasswordHasher, type HasherOptions } from './passwords/hasher.js'
export { isSameText } from './same-text.js'
export { RecentCache, type RecentOptions } from './recent-cache.js'
export * as errors from './errors.js'
export { boot } from './boot.js'
