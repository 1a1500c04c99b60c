/**
 * `@fastback/oauth2`: an OAuth 2.0 authorization server and resource server.
 */
export { oauth2, oauth2 as default } from './plugin.js'
export type { OAuth2Options } from './options-schema.js'
export type { PageFunction } from './pages/settings.js'
export type { AuthenticateOptions } from './authenticate-options.js'
export type { CheckAccessToken, GenerateToken, GetTtl, TokenRequest } from './settings.js'
export type { FailureCount } from './failure-count.js'
export type { FailureStore } from './failure-store.js'
export type { TokenRecord } from './stores/tokens.js'
export type * from './models/types.js'
export { Provider } from './provider.js'
export { boot, oAuth2Provider } from './boot.js'
export { folderProviderAtOnce } from './folder-provider.js'
export { oauth2Handlers, expressGuard, type Middleware, type OAuth2Handlers, type Sides } from './express.js'
export * as errors from './errors.js'
