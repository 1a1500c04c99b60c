/** Strategies of passport as they are (LG-78): OAuth 1, and whatever else the application has installed. */
import type { Entry } from '../entry.js'
import { failureOf, InvalidProviderError, LoginFailure, PackageMissingError } from '../errors.js'
import type { Profile } from '../profile.js'
import type { Session } from '../session.js'
import type { Visit } from '../visit.js'
import type { Proven } from './kind.js'

/** What a strategy is told, and tells. */
interface Strategy {
  authenticate (req: object, options: object): unknown
  _oauth2?: unknown
  _oauth?: unknown
}
type StrategyClass = new (options: object, verify: (...args: unknown[]) => void) => Strategy

/** What became of a request: somebody came in, the browser goes elsewhere, or the strategy has nothing to say. */
export type Action =
  | { readonly kind: 'proven', readonly proven: Proven }
  | { readonly kind: 'redirect', readonly address: string, readonly status: number }
  | { readonly kind: 'pass' }

/** What a verification found, as the strategy hands it on. */
class Verified {
  constructor (readonly proven: Proven) {}
}

/** Where a strategy keeps what it must know at the callback. */
const sessionName = 'bridge'

export class BridgeKind {
  readonly #strategy: Strategy

  /** @throws FBK_LOGIN_INVALID_PROVIDER, FBK_LOGIN_PACKAGE_MISSING */
  constructor (readonly entry: Entry, loaded: unknown, origin: string | undefined, warn: (message: string) => void) {
    const { name, options } = entry
    const Strategy = strategyOf(loaded, options.strategy)
    if (Strategy === undefined) throw new InvalidProviderError(name, `"${String(options.module)}" exports no strategy.`)
    const callbackURL = origin === undefined ? entry.callbackURL : new URL(entry.callbackURL, origin).href
    const { clientSecret } = entry
    try {
      this.#strategy = new Strategy({
        ...options,
        callbackURL,
        ...(clientSecret === undefined ? {} : { clientSecret }),
        // Strategies of the passport-oauth2 family send none unless they are told to.
        ...(options.store === undefined ? { state: true } : {}),
        passReqToCallback: true
      }, verifierFor(entry))
    } catch (error) {
      throw new InvalidProviderError(name, `its strategy cannot be made: ${(error as Error).message}`)
    }
    if (this.#strategy._oauth2 === undefined && this.#strategy._oauth === undefined && entry.authMethod === 'get') {
      warn(`login: the strategy of "${name}" keeps no state that we know of; ask its makers how it tells answers apart`)
    }
  }

  static async load (entry: Entry, load: (name: string) => Promise<unknown> | undefined, origin: string | undefined,
    warn: (message: string) => void): Promise<BridgeKind> {
    const { module } = entry.options
    const loaded = typeof module === 'string' ? await load(module) : module
    if (loaded === undefined) throw new PackageMissingError(entry.name, String(module), String(module))
    return new BridgeKind(entry, loaded, origin, warn)
  }

  /** @throws LoginFailure */
  async run (visit: Visit, session: Session): Promise<Action> {
    const { req } = visit
    const isForeign = req.session !== undefined
    // Code of passport's age keeps things by writing into an object.
    const kept: Record<string, unknown> = isForeign ? {} : { ...session.get(sessionName) as object | undefined }
    if (!isForeign) req.session = kept
    try {
      if (req.body === undefined && visit.method === 'POST') req.body = await visit.form()
      req.query ??= Object.fromEntries(visit.query)
      const action = await this.#act(visit)
      if (!isForeign) await session.set(sessionName, Object.keys(kept).length === 0 ? undefined : kept)
      else if (action.kind === 'redirect') await session.set('loginBrowser', session.browser())
      return action
    } finally {
      if (!isForeign) delete req.session
    }
  }

  #act (visit: Visit): Promise<Action> {
    const { options } = this.entry
    const callbackURL = new URL(this.entry.callbackURL, visit.origin).href
    return new Promise((resolve, reject) => {
      const strategy = Object.create(this.#strategy) as Strategy & Record<string, unknown>
      strategy.success = (user: unknown) => {
        if (user instanceof Verified) resolve({ kind: 'proven', proven: user.proven })
        else resolve({ kind: 'proven', proven: { profile: user as Profile, credentials: {} } })
      }
      strategy.fail = () => {
        const refused = visit.query.get('error') === 'access_denied' || visit.query.has('denied')
        reject(new LoginFailure(refused ? 'ACCESS_DENIED' : 'LOGIN_FAILED', 'the strategy refused'))
      }
      strategy.redirect = (address: string, status = 302) => { resolve({ kind: 'redirect', address, status }) }
      strategy.pass = () => { resolve({ kind: 'pass' }) }
      strategy.error = (error: unknown) => { reject(failureOf(error)) }
      try {
        const running = strategy.authenticate(visit.req, {
          ...(options.scope === undefined ? {} : { scope: options.scope }),
          ...options.authOptions as object | undefined, callbackURL
        })
        Promise.resolve(running).catch(error => { reject(failureOf(error)) })
      } catch (error) {
        reject(failureOf(error))
      }
    })
  }
}

/** `require(module)[strategy]`, else its `Strategy`, else the module itself (LG-17). */
function strategyOf (loaded: unknown, name: unknown): StrategyClass | undefined {
  // A subclass has what its base exports as well.
  const own = (from: unknown, key: string): unknown =>
    from !== null && from !== undefined && Object.hasOwn(from, key) ? (from as Record<string, unknown>)[key] : undefined
  const named = typeof name === 'string' ? name : 'Strategy'
  const inner = own(loaded, 'default')
  return [own(loaded, named), own(inner, named), inner, loaded].find(each => typeof each === 'function') as
    StrategyClass | undefined
}

/**
 * What a strategy calls with whom it found. It counts parameters: OAuth has two texts before the profile, OpenID 2 one,
 * the others none.
 */
function verifierFor ({ authScheme }: Entry): (...args: unknown[]) => void {
  const scheme = authScheme.toLowerCase().replace(/[\s.]+/g, '')
  const done = (profile: unknown, credentials: object, callback: unknown): void => {
    ;(callback as (error: unknown, user: unknown) => void)(null,
      new Verified({ profile: profile as Profile, credentials: credentials as never }))
  }
  if (scheme === 'openid') {
    return (_req: unknown, identifier: unknown, profile: unknown, callback: unknown) => {
      done(profile, { identifier }, callback)
    }
  }
  if (scheme === 'saml' || scheme === 'ldap') {
    return (_req: unknown, profile: unknown, callback: unknown) => { done(profile, {}, callback) }
  }
  if (scheme.startsWith('oauth1') || scheme === 'oauth') {
    return (_req: unknown, token: unknown, tokenSecret: unknown, profile: unknown, callback: unknown) => {
      done(profile, { token, tokenSecret }, callback)
    }
  }
  return (_req: unknown, accessToken: unknown, refreshToken: unknown, profile: unknown, callback: unknown) => {
    done(profile, { accessToken, ...(refreshToken === undefined ? {} : { refreshToken }) }, callback)
  }
}
