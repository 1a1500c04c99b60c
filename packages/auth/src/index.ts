/**
 * `@fastback/auth`: users, access tokens, login, verification and password reset.
 */
export { auth, auth as default } from './plugin.js'
export type { AuthOptions } from './options.js'
export { Authentication } from './authentication.js'
export { attachMissing, installAuthModels, authModels, type BuiltinModel } from './models/index.js'
export { mailConnector, type MailConnector } from './mail/mail-connector.js'
export { authService, type AuditEvent, type AuthService } from './service.js'
export { isExternal } from './user/external.js'
export { isUserModel, userModels, type UserModel } from './user/user-model.js'
export { userModelsOf, type UserModels } from './user/user-models.js'
export { untypedTokens, type UntypedTokens } from './tokens/unnamed-tokens.js'
export { PasswordHasher, type HasherOptions } from './passwords/hasher.js'
export { RecentCache, type RecentOptions } from './recent-cache.js'
export * as errors from './errors.js'
export { boot } from './boot.js'
