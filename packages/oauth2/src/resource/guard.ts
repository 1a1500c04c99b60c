/** Lets only requests with a good token reach the paths that are named. */
import { isDelegated, loginOfToken, meets, strictest, type Assurance } from '@fastback/auth/service'
import type { MaybePromise, ModelInstance } from '@fastback/core'
import { chain, eachInSequence, isPromise } from '@fastback/core/connector'
import { outerRequest, type DemandedPath } from '@fastback/core/remote'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { InsufficientAuthentication, InsufficientScope, InvalidOptionsError, InvalidToken, type OAuthError } from '../errors.js'
import { failureOf } from '../http/forms.js'
import type { AuthenticateOptions } from '../authenticate-options.js'
import type { Provider } from '../provider.js'
import { AccessCheck, type Access } from './access.js'
import { forRules } from './audience.js'
import { bearerToken, isDpop } from './bearer.js'
import { challenge } from './challenge.js'
import { isResourceMetadata, resourceMetadataUrl } from './metadata.js'
import { formsOf, type PathRules } from './paths.js'
import { storedScopes } from './route-scopes.js'
import { compileRule, type Rule } from './rules.js'

type Done = (error?: Error) => void

export class ResourceGuard {
  readonly #rules: Rule[] = []
  readonly #access: AccessCheck
  readonly #own: Set<string>
  /** What requests were given here, for those that are made on their behalf. */
  readonly #given = new WeakMap<FastifyRequest, Access>()
  /** The same by the tokens that requests were given. */
  readonly #byToken = new WeakMap<object, Access>()

  constructor (
    readonly provider: Provider,
    readonly paths: PathRules
  ) {
    this.#access = new AccessCheck(provider)
    this.#own = new Set(Object.values(provider.settings.paths).filter(path => path !== undefined))
  }

  /** Whether a token would pass at a path: for who leads to the rows that are there by another one. */
  readonly opens = ({ verb, path, token }: DemandedPath): MaybePromise<boolean> => {
    const forms = formsOf(path, this.paths)
    const rules = this.#rules.filter(rule => rule.covers(forms))
    if (rules.length === 0) return true
    const asked = assuranceOf(rules)
    const { issuer = '', checkAccessToken } = this.provider.settings
    const known = token !== null && typeof token === 'object' ? token as ModelInstance : undefined
    const access = known && this.#byToken.get(known)
    if (access === undefined) {
      // A check of the application's own may take the tokens of its logins there, which have no scopes.
      return checkAccessToken !== undefined && known !== undefined && !isDelegated(known) &&
        rules.every(({ resource }) => resource === undefined) &&
        (asked === undefined || meets(loginOfToken(known), asked))
    }
    const { audience } = access
    const own = rules.every(({ resource = issuer }) =>
      audience.includes(resource) || (resource === issuer && audience.length === 0))
    if (!own || (asked !== undefined && !isMet(access, asked))) return false
    const refused = (error: unknown): false => {
      if (error instanceof InsufficientScope) return false
      throw error
    }
    try {
      const checked = eachInSequence(rules, rule => rule.check(access.accessToken.scopes, verb, forms))
      return isPromise(checked) ? checked.then(() => true, refused) : true
    } catch (error) {
      return refused(error)
    }
  }

  /** Paths that have a protection of their own. */
  leave (...paths: readonly string[]): void {
    for (const path of paths) this.#own.add(path)
  }

  add (paths: string | readonly string[] | undefined, options: AuthenticateOptions): void {
    this.#rules.push(this.#compile(paths, options))
  }

  #compile (paths: string | readonly string[] | undefined, options: AuthenticateOptions): Rule {
    const { settings, models, registry } = this.provider
    if (options.session === true && settings.checkAccessToken !== undefined) {
      registry.log.warn(
        {},
        'OAuth: "session" of authenticate has no effect with checkAccessToken: nobody here hears when such a token ends'
      )
    }
    const { resource } = options
    if (resource !== undefined && settings.indicators?.has(resource) !== true) {
      throw new InvalidOptionsError(`authenticate() was given the resource "${resource}", which the option "resourceIndicators" does not name.`)
    }
    const mapping = settings.useScopeMapping ? storedScopes(models.ScopeMapping) : undefined
    return compileRule(paths, options, this.paths, mapping, settings.openId?.acrValues)
  }

  /**
   * Asks for a token where code says so, in place of paths: middleware of Express in its order. Gives whether the
   * request may go on; else it is answered.
   */
  check (options: AuthenticateOptions): (request: FastifyRequest, reply: FastifyReply) => MaybePromise<boolean> {
    const rule = this.#compile(undefined, options)
    return (request, reply) => {
      const refuse = (error: unknown): false => {
        this.#refuse(request, reply, error)
        return false
      }
      try {
        const forms = formsOf(request.raw.url as string, this.paths)
        const passed = this.#pass(request, reply, [rule], forms)
        return isPromise(passed) ? passed.then(() => true, refuse) : true
      } catch (error) {
        return refuse(error)
      }
    }
  }

  /** The scopes that a path, or without one any path, asks for; undefined: no token is needed there. */
  scopesOf (forms: readonly string[] | undefined): string[] | undefined {
    const rules = forms === undefined ? this.#rules : this.#rules.filter(rule => rule.covers(forms))
    return rules.length === 0 ? undefined : [...new Set(rules.flatMap(({ scopes }) => scopes))]
  }

  #isOwn (path: string): boolean {
    return this.#own.has(path) || (this.provider.settings.resourceMetadata !== undefined && isResourceMetadata(path))
  }

  /** Hook `onRequest`: synchronous where the store is. */
  readonly onRequest = (request: FastifyRequest, reply: FastifyReply, done: Done): void => {
    const { headerPrefix } = this.provider.settings
    if (headerPrefix !== undefined) removeHeaders(request, headerPrefix)
    // The endpoints have a protection of their own.
    if (this.#rules.length === 0 || this.#own.has(pathnameOf(request.raw.url as string))) {
      done()
      return
    }
    const forms = formsOf(request.raw.url as string, this.paths)
    const rules = this.#rules.filter(rule => rule.covers(forms))
    if (rules.length === 0 || (forms.length === 1 && this.#isOwn(forms[0] as string))) {
      done()
      return
    }
    let passed
    try {
      passed = this.#pass(request, reply, rules, forms)
    } catch (error) {
      this.#refuse(request, reply, error)
      return
    }
    if (isPromise(passed)) {
      passed.then(
        () => {
          done()
        },
        error => {
          this.#refuse(request, reply, error)
        }
      )
    } else done()
  }

  #pass (
    request: FastifyRequest,
    reply: FastifyReply,
    rules: readonly Rule[],
    forms: readonly string[]
  ): MaybePromise<void> {
    const outer = this.#outerAccess(request, rules)
    return chain(outer ?? this.#ownAccess(request, reply, rules), access => {
      const scopes = eachInSequence(rules, rule => rule.check(access.accessToken.scopes, request.method, forms))
      return chain(scopes, () => {
        mustMeet(rules, access, this.provider.settings.openId?.acrValues)
        this.#establish(request, access)
        if (access.user !== undefined && rules.some(({ session }) => session)) {
          return this.#makeSession(request, reply, access)
        }
      })
    })
  }

  /**
   * A request that this server makes by itself, on behalf of one that came in with a token for the address that it came
   * to: whom the token is for was checked there, and that its key was proved. All else is checked here again.
   */
  #outerAccess (request: FastifyRequest, rules: readonly Rule[]): Access | undefined {
    const outer = outerRequest(this.provider.registry, request)
    if (outer === undefined || rules.some(({ resource }) => resource !== undefined)) return undefined
    return this.#given.get(outer)
  }

  #ownAccess (request: FastifyRequest, reply: FastifyReply, rules: readonly Rule[]): MaybePromise<Access> {
    const { settings: { bearerMethods, dpop: withDpop, indicators }, issuerOf } = this.provider
    this.provider.dpop?.giveNonce(reply)
    const token = bearerToken(request, reply, bearerMethods, withDpop !== undefined)
    return chain(chain(token, found => this.#accessBy(request, reply, found)), given =>
      forRules(given, rules, indicators, issuerOf(request)))
  }

  #accessBy (request: FastifyRequest, reply: FastifyReply, token: string): MaybePromise<Access> {
    return chain(this.#access.check(request, token), access =>
      chain(this.#checkKey(request, reply, token, access), () => access))
  }

  /** A token that is bound to a key is worth nothing without a proof, also where the option `dpop` is off by now. */
  #checkKey (request: FastifyRequest, reply: FastifyReply, token: string, { jkt }: Access): MaybePromise<void> {
    const { dpop } = this.provider
    if (dpop !== undefined) return dpop.checkAtResource(request, reply, token, jkt)
    if (jkt !== undefined) throw new InvalidToken('The token is bound to a key.')
  }

  #establish (request: FastifyRequest, access: Access): void {
    const { accessToken, user, client } = access
    this.#given.set(request, access)
    this.#byToken.set(access.accessToken, access)
    const shown = user ?? {}
    const authInfo = { accessToken, user: shown, app: client, client }
    Object.assign(request, { accessToken, user: shown, client, authInfo })
    // Express code reads them here. (`client` is the socket there, by an old name of Node's.)
    Object.assign(request.raw, { accessToken, user: shown, authInfo })
    const { headerPrefix } = this.provider.settings
    if (headerPrefix === undefined) return
    const { headers } = request.raw
    headers[`${headerPrefix}client-id`] = String(accessToken.appId)
    if (accessToken.userId !== undefined) headers[`${headerPrefix}user-id`] = String(accessToken.userId)
  }

  /** For the pages of this server; it never replaces the token (O-197), and is no login (S-81). */
  #makeSession (request: FastifyRequest, reply: FastifyReply, { accessToken }: Access): MaybePromise<void> {
    // Of a token that was checked elsewhere nobody here hears when it ends.
    if (this.provider.settings.checkAccessToken !== undefined) return
    return this.provider.sessions.makeFromToken(request, reply, accessToken.userId, accessToken)
  }

  #refuse (request: FastifyRequest, reply: FastifyReply, thrown: unknown): void {
    const error = failureOf(this.provider, request, thrown)
    reply.code(error.statusCode).header('cache-control', 'no-store')
    if (error.statusCode < 500) reply.header('www-authenticate', this.#challenge(request, error))
    reply.send(error.toJSON())
  }

  #challenge (request: FastifyRequest, error: OAuthError): string {
    const { settings, issuerOf } = this.provider
    const issuer = issuerOf(request)
    return challenge(error, {
      realm: issuer,
      metadata: settings.resourceMetadata === undefined ? undefined : resourceMetadataUrl(request, issuer),
      algorithms: settings.dpop?.algorithms,
      byDpop: isDpop(request.headers.authorization)
    })
  }
}

/** @throws InsufficientAuthentication for a login that is weaker or older than a rule asks for (OI-103) */
function mustMeet (rules: readonly Rule[], { accessToken }: Access, names: readonly string[] | undefined): void {
  const asked = assuranceOf(rules)
  if (asked === undefined || isMet({ accessToken }, asked)) return
  throw new InsufficientAuthentication(asked, names)
}

const assuranceOf = (rules: readonly Rule[]): Assurance | undefined =>
  rules.reduce<Assurance | undefined>((most, { assurance }) => strictest(most, assurance), undefined)

const isMet = ({ accessToken }: Pick<Access, 'accessToken'>, asked: Assurance): boolean =>
  accessToken.userId !== undefined && meets(loginOfToken(accessToken), asked)

const pathnameOf = (url: string): string => {
  const at = url.indexOf('?')
  return at === -1 ? url : url.slice(0, at)
}

/** Headers that say who is asking are ours to set. */
function removeHeaders ({ raw: { headers } }: FastifyRequest, prefix: string): void {
  for (const name of Object.keys(headers)) if (name.startsWith(prefix)) delete headers[name]
}
