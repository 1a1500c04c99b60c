/** An OAuth 2.0 provider: everything that its endpoints share. */
import { EventEmitter } from 'node:events'
import { authService } from '@fastback/auth/service'
import { Tokens as CsrfTokens } from '@fastify/csrf'
import type { Attempts } from '@fastback/auth/service'
import type { ModelClass, ModelRegistry } from '@fastback/core'
import { implyProperty, relationsOf } from '@fastback/core/remote'
import { Outgoing } from '@fastback/core/outgoing'
import type { FastifyReply, FastifyRequest } from 'fastify'
import { Assertions } from './clients/assertion.js'
import { Clients } from './clients/clients.js'
import { Secrets } from './clients/secrets.js'
import { digestWith } from './digest.js'
import type { Dpop } from './dpop/dpop.js'
import { InvalidOptionsError, NoOpenIdError, NotResourceServerError, UnknownModelError } from './errors.js'
import { nextAfterLogin } from './endpoints/after-login.js'
import { attemptsWith } from './failures.js'
import { extensionClientProperties, type Extensions } from './extensions.js'
import type { Host } from './host.js'
import { endpointUrl, issuerWith, type IssuerOf } from './issuer.js'
import type { JwtTokens } from './jwt-tokens/jwt-tokens.js'
import { lifetimes, type Lifetime } from './lifetimes.js'
import type { AuthenticateOptions } from './authenticate-options.js'
import { openIdClientProperties } from './openid/models.js'
import { observeClients } from './openid/observe-clients.js'
import type { OpenId } from './openid/openid.js'
import type { SigningKeys } from './openid/signing-keys.js'
import { ResourceGuard } from './resource/guard.js'
import { Sessions, type Session } from './session/sessions.js'
import { Pages } from './pages/pages.js'
import { sourceOf } from './pages/send-page.js'
import { Transactions } from './session/transactions.js'
import type { Settings } from './settings.js'
import { cleanUp } from './stores/clean-up.js'
import { Codes } from './stores/codes.js'
import { endRights } from './stores/end-rights.js'
import { Grants } from './stores/grants.js'
import { Permissions } from './stores/permissions.js'
import { States } from './stores/states.js'
import { Tokens } from './stores/tokens.js'
import { Users } from './stores/users.js'
import type { ProviderModels } from './provider-models.js'

/**
 * Events: `grant.success`, `grant.error`, `grant.revoked`, `authorization.accepted`, `authorization.error`,
 * `logout.failed`, `server_error`, each with what it is about and without secrets.
 *
 * ```js
 * app.oauth2.authenticate(['/api/orders'], { scope: 'orders' })
 * app.oauth2.on('grant.revoked', ({ grantId }) => app.log.info({ grantId }))
 * await app.oauth2.cleanUp()
 * ```
 */
export class Provider extends EventEmitter {
  readonly registry: ModelRegistry
  readonly models: ProviderModels
  readonly issuerOf: IssuerOf
  readonly lifetime: Lifetime
  readonly clients: Clients
  readonly users: Users
  readonly secrets = new Secrets()
  readonly attempts: Attempts | undefined
  readonly states: States
  readonly grants: Grants
  readonly tokens: Tokens
  readonly codes: Codes
  readonly permissions: Permissions
  readonly assertions: Assertions
  readonly csrf = new CsrfTokens({})
  readonly sessions: Sessions
  readonly transactions: Transactions
  readonly guard: ResourceGuard
  readonly pages: Pages
  /** OpenID Connect; undefined without the option `openid`, and before the endpoints are registered. */
  openId: OpenId | undefined
  /** What the options `deviceFlow`, `pushedRequests` and `dynamicRegistration` add: each only where it is on. */
  readonly extensions: Extensions = {}
  /** Undefined without the option `dpop`, and before the application is ready, as the next two. */
  dpop: Dpop | undefined
  jwtTokens: JwtTokens | undefined
  /** What signs. */
  signingKeys: SigningKeys | undefined
  readonly #warned = new Set<string>()

  /**
   * @throws FBK_OAUTH2_INVALID_OPTIONS, FBK_OAUTH2_UNKNOWN_MODEL, FBK_CORE_UNKNOWN_DATA_SOURCE,
   * FBK_CORE_INVALID_NETWORK
   */
  constructor (
    readonly settings: Settings,
    readonly host: Host
  ) {
    super()
    this.registry = host.registry
    this.models = attachModels(settings, host)
    const { Token, Code, Permission, Client, State, User } = this.models
    const digest = digestWith(settings.tokenSecret)
    const { rateLimit } = settings
    this.issuerOf = issuerWith(settings.issuer)
    this.lifetime = lifetimes(settings)
    this.pages = new Pages(settings.pages, (...view) => host.render(...view))
    this.clients = new Clients(Client)
    this.users = new Users(User)
    this.attempts = attemptsWith(rateLimit, host.registry)
    this.states = new States(State, digest)
    this.grants = new Grants(Token, Code, this.states, grantId => {
      this.emit('grant.revoked', { grantId })
    })
    this.tokens = new Tokens(Token, {
      digest,
      lifetime: this.lifetime,
      grants: this.grants,
      isAsItWas: user => this.users.isAsItWas(user),
      generateToken: settings.generateToken,
      refreshTokenGrace: settings.refreshTokenGrace,
      mayBeUnbound: (client, jkt) => { this.dpop?.mustBind(client, jkt) },
      jwtFor: (client, resources) => this.jwtTokens?.isFor(client, resources) === true ? this.jwtTokens : undefined,
      longestFor: resources => Math.min(...resources.map(uri => settings.indicators?.get(uri)?.ttl ?? Infinity))
    })
    this.codes = new Codes(Code, digest)
    this.permissions = new Permissions(Permission, this.grants)
    this.assertions = new Assertions(this.clients, this.states, {
      algorithms: settings.jwtAlgorithms,
      clockTolerance: settings.clockTolerance,
      outgoing: new Outgoing({ allow: settings.allowedNetworks })
    })
    this.sessions = new Sessions(this.states, settings.session, {
      issuerOf: this.issuerOf,
      newSecret: () => this.csrf.secretSync(),
      isTokenGood: id => this.tokens.holds(id),
      ended: async logins => { await this.openId?.logins.ends.end(logins) }
    })
    this.transactions = new Transactions(this.states, this.sessions)
    authService(this.registry).credentials.listen(endRights(this.models, settings.keepConsents,
      () => this.openId?.logins.ends.tell))
    if (settings.authorizationServer && settings.issuer !== undefined) this.service.issuer ??= settings.issuer
    this.guard = new ResourceGuard(this, { caseSensitive: isCaseSensitive(host) })
    for (const { paths, options } of settings.authenticate) this.authenticate(paths, options)
  }

  /**
   * Opens the paths, and all below them, to requests with a good token only: `provider.authenticate(['/api/orders'], {
   * scope: 'orders' })`.
   * @throws FBK_OAUTH2_NOT_A_RESOURCE_SERVER, FBK_OAUTH2_INVALID_OPTIONS
   */
  authenticate (paths?: string | readonly string[], options: AuthenticateOptions = {}): void {
    if (!this.settings.resourceServer) throw new NotResourceServerError()
    this.guard.add(paths, options)
  }

  /** Whom assertions must be meant for. */
  readonly audience = (request: FastifyRequest): string[] => {
    const issuer = this.issuerOf(request)
    const { token } = this.settings.paths
    return token === undefined ? [issuer] : [issuer, endpointUrl(issuer, token)]
  }

  /** What accounts of the application share. */
  get service (): ReturnType<typeof authService> {
    return authService(this.registry)
  }

  /** Where those who have proved one factor prove another. */
  get secondFactorPage (): string {
    return this.settings.openId?.secondFactorPage ?? '/login/second-factor'
  }

  /** Where the form of a login page may lead: to the client that waits in the session. */
  async waitingOrigins ({ data: { pending } }: Session): Promise<string[]> {
    const client = pending?.client_id === undefined ? undefined : await this.clients.find(pending.client_id)
    return [...new Set(client?.redirectUris.map(sourceOf))]
  }

  /** Logs a warning, once per key. */
  warnOnce (key: string, message: string): void {
    if (this.#warned.has(key) || this.#warned.size > 10_000) return
    this.#warned.add(key)
    this.registry.log.warn({}, message)
  }

  /**
   * Logs a user in at the pages of this server who was logged in elsewhere in the application: by a third party's
   * account. A request of a client that waits for the login goes on at the address that this gives; for a user who must
   * have a second factor and has none, that is where they set one up, and they are not logged in before (OI-256).
   * @param request with `headers`, `protocol` and `host`
   * @param reply its `header(name, value)` takes the cookie
   * @param amr how the user proved who they are (RFC 8176). Default: `fed`, by an account elsewhere
   */
  async logInBy (
    request: object, reply: object, userId: unknown, amr: readonly string[] = ['fed']
  ): Promise<string | undefined> {
    if (!this.settings.authorizationServer) return undefined
    const visit = request as FastifyRequest
    const before = await this.sessions.load(visit)
    const next = nextAfterLogin(this.settings, before)
    // As for tokens (OI-219): how a provider elsewhere checks its users is its own business.
    const user = amr.includes('mfa') || amr.includes('fed') ? undefined : await this.users.byId(userId)
    if (user !== undefined && await this.users.mustEnrol(user)) {
      if (next === undefined) return undefined
      await this.sessions.goHalfway(visit, reply as FastifyReply, this.users.halfway(user))
      return this.secondFactorPage
    }
    await this.sessions.logIn(visit, reply as FastifyReply, userId, { amr })
    return next
  }

  /**
   * The keys that sign: `await app.oauth2.keys.rotate({ revoke: kid })`.
   * @throws FBK_OAUTH2_NO_OPENID without the options `openid` and `jwtAccessTokens`
   */
  get keys (): SigningKeys {
    if (this.signingKeys === undefined) throw new NoOpenIdError('oauth2.keys')
    return this.signingKeys
  }

  /** Removes what has expired. */
  async cleanUp (): Promise<void> {
    await cleanUp(this.models)
    await this.signingKeys?.look()
    await this.extensions.registration?.removeUnused()
  }
}

function attachModels (settings: Settings, host: Host): ProviderModels {
  const { dataSource, userModel, applicationModel, allowInsecureRedirects } = settings
  const find = (name: string, option = 'models'): ModelClass => {
    const Model = host.model(name)
    if (Model === undefined) throw new UnknownModelError(option, name)
    return Model
  }
  host.model('User')
  const models = {
    Token: find('OAuthAccessToken'),
    Code: find('OAuthAuthorizationCode'),
    Permission: find('OAuthPermission'),
    Scope: find('OAuthScope'),
    ScopeMapping: find('OAuthScopeMapping'),
    Client: find(applicationModel, 'applicationModel'),
    State: find('OAuthState'),
    ...(settings.openId === undefined && settings.jwtTokens === undefined ? {} : { Key: find('OAuthKey') }),
    User: userModel === undefined ? host.registry.getModelByType('User') as ModelClass : find(userModel, 'userModel')
  }
  const { User, ...own } = models
  const isLocal = settings.authorizationServer || settings.checkAccessToken === undefined
  if (isLocal && dataSource === undefined && own.Token.dataSource === null) {
    throw new InvalidOptionsError('the option "dataSource" is needed: the name of a data source.')
  }
  if (settings.openId !== undefined) {
    for (const [name, property] of Object.entries(openIdClientProperties)) implyProperty(own.Client, name, property)
    observeClients(own.Client, settings.openId)
  } else if (settings.dpop !== undefined) {
    implyProperty(own.Client, 'dpopBoundAccessTokens', openIdClientProperties.dpopBoundAccessTokens)
  }
  for (const [name, property] of Object.entries(extensionClientProperties(settings))) {
    implyProperty(own.Client, name, property)
  }
  if (dataSource !== undefined) {
    for (const Model of Object.values(own)) if (Model.dataSource === null) host.attach(Model, dataSource)
  }
  if (settings.dpop !== undefined && own.State.dataSource === null) {
    throw new InvalidOptionsError('the option "dataSource" is needed with "dpop": proofs that were used are marked there.')
  }
  for (const Model of [own.Token, own.Code, own.Permission]) {
    relate(Model, User, 'user', 'userId')
    relate(Model, own.Client, 'application', 'appId')
  }
  if (allowInsecureRedirects) own.Client.settings.allowInsecureRedirects = true
  return models
}

type Relate = (target: ModelClass, options: { as: string, foreignKey: string }) => void

/** `userId` gets the type of the user model's ids by this. */
function relate (Model: ModelClass, target: ModelClass, as: string, foreignKey: string): void {
  if (!relationsOf(Model).has(as)) (Model.belongsTo as Relate).call(Model, target, { as, foreignKey })
}

function isCaseSensitive ({ fastify }: Host): boolean {
  const { routerOptions, caseSensitive } = fastify.initialConfig as {
    routerOptions?: { caseSensitive?: boolean }
    caseSensitive?: boolean
  }
  return (routerOptions?.caseSensitive ?? caseSensitive) !== false
}
