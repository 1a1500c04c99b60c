/** `@fastback/loopback/oauth2`: stands for the package `loopback-component-oauth2`. */
import type { IncomingMessage } from 'node:http'
import { sidesOf } from '@fastback/boot/server'
import {
  errors, expressGuard, folderProviderAtOnce, oauth2Handlers,
  type AuthenticateOptions, type Middleware, type OAuth2Handlers, type Provider
} from '@fastback/oauth2'

type Handlers = OAuth2Handlers<IncomingMessage>

/** A request knows the application that has it in hand. */
interface OfApplication { readonly app?: { readonly oauth2?: Provider } }

/** Models may be given as their classes. */
function named (model: unknown): unknown {
  return typeof model === 'function' ? (model as unknown as { readonly modelName: string }).modelName : model
}

/**
 * Sets an authorization server and a resource server up. Endpoints, pages and tokens are those of `@fastback/oauth2`,
 * at the paths that the options name.
 *
 * ```js
 * const oauth2 = require('loopback-component-oauth2')
 * const handlers = oauth2.oAuth2Provider(app, { dataSource: app.dataSources.db, loginPage: '/login' })
 * app.use('/api/orders', handlers.authenticate({ scope: 'orders' }))
 * ```
 * @param app the application of a boot script
 * @param options those of `@fastback/oauth2`
 * @throws FBK_OAUTH2_INVALID_OPTIONS and others of that package
 */
export function oAuth2Provider (app: object, options: Readonly<Record<string, unknown>> = {}): Handlers {
  const models = Object.fromEntries(['userModel', 'applicationModel']
    .filter(name => options[name] !== undefined).map(name => [name, named(options[name])]))
  return oauth2Handlers(folderProviderAtOnce(app, { ...options, ...models }), sidesOf)
}

/**
 * Middleware that asks for a token, made before or after the provider is.
 *
 * ```js
 * app.middleware('auth', ['/api/orders'], oauth2.authenticate({ scope: 'orders' }))
 * ```
 * @param options `scope`, `scopes`, `allScopes`, `session`
 */
export function authenticate (options?: AuthenticateOptions): Middleware<IncomingMessage> {
  return expressGuard((req: IncomingMessage) => {
    const provider = (req as OfApplication).app?.oauth2
    if (provider === undefined) throw new errors.NoProviderError('authenticate()')
    return provider
  }, sidesOf, options)
}

export interface OAuth2Module {
  (app: object, options?: Readonly<Record<string, unknown>>): Handlers
  readonly oAuth2Provider: typeof oAuth2Provider
  readonly authenticate: typeof authenticate
}

/**
 * What `require('loopback-component-oauth2')` gets: the component's function, which has the other two.
 *
 * ```js
 * require('loopback-component-oauth2')(app, { dataSource: 'db' })
 * ```
 */
export const oauth2Module: OAuth2Module = Object.assign(
  (app: object, options?: Readonly<Record<string, unknown>>): Handlers => oAuth2Provider(app, options),
  { oAuth2Provider, authenticate }
)

export default oauth2Module
