/**
 * `@fastback/auth/service`: what access control, the OAuth provider and others who know who asks work with: user models
 * and their tokens, attempts that are counted, the event that credentials have changed.
 */
export {
  challengeOf, levelOf, levels, loginOfToken, meets, strictest, type Assurance, type Level, type Login
} from '../assurance/assurance.js'
export { Authentication } from '../authentication.js'
export { authService } from '../service.js'
export { markPrivate } from '../mark-private.js'
export { Credentials, withinChange } from '../user/credentials-changed.js'
export { DelegatedToken, isDelegated, refuseDelegated } from '../tokens/delegated.js'
export { isAsItWas, newToken } from '../user/new-token.js'
export { tokenTtl } from '../user/ttl.js'
export { normalEmail } from '../user/credentials.js'
export { userModels } from '../user/user-model.js'
export { userModelsOf } from '../user/user-models.js'
export { storedId } from '../tokens/token-text.js'
export { untypedTokens } from '../tokens/unnamed-tokens.js'
export { Attempts } from '../attempts/attempts.js'
export { accountId, accountName } from '../attempts/account-keys.js'
export { keepBounded, MemoryCounter } from '../attempts/counter.js'
export { attemptsOf } from '../attempts/service.js'
export { resultOf, builtin, isOwn } from '../builtin.js'
export { isPasswordOf } from '../passwords/has-password.js'
export { PasswordHasher } from '../passwords/hasher.js'
export { ejsTemplate } from '../mail/template.js'
export { isSameText } from '../same-text.js'
export { measureCache, RecentCache } from '../recent-cache.js'
export { hashOf, Html, html, page, styleHash } from '../pages/html.js'
