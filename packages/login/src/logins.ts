/** What the logins of an application share: settings, models, entries, states, sessions. Kept with its registry. */
import {
  authService, isDelegated, isFullLogin, isLocked, mustEnrolFirst, withinChange
} from '@fastback/auth/service'
import type { ModelClass, ModelInstance, ModelRegistry } from '@fastback/core'
import { nowAndThen, updateRows } from '@fastback/core/remote'
import { Accounts, idOfUser, type LoginRules } from './accounts.js'
import { EndedLogins } from './ended-logins.js'
import type { Entry } from './entry.js'
import { InvalidOptionsError, InvalidProviderError } from './errors.js'
import type { Installed } from './installed.js'
import { defaultEmailDomain } from './in-process.js'
import { endAccounts, linkIdentity } from './linking.js'
import { ModelSetUp, type LoginModels, type ModelChoice } from './model-set-up.js'
import { sealingOf } from './models/sealed-credentials.js'
import { ProviderTokens } from './provider-tokens.js'
import { readEntry } from './read-entry.js'
import { Records } from './records.js'
import { sealingBy } from './sealing.js'
import type { UnprovenAccount } from './second-factor.js'
import type { LoggedIn } from './logged-in.js'
import { Sessions, type Session } from './session.js'
import { setUpOf } from './set-up.js'
import { settingsOf, type LoginSettings } from './settings.js'
import { States } from './states.js'
import { TokenCookies } from './token-cookies.js'
import type { Visit } from './visit.js'
import type { LoginHost } from './login-host.js'

/** Milliseconds. */
const sweepInterval = 600_000

const kLogins = Symbol('fastback.logins')

/**
 * The logins of a registry, if it has some.
 *
 * ```js
 * loginsOf(app.registry)?.entries.get('google')
 * ```
 */
export const loginsOf = (registry: ModelRegistry): Logins | undefined =>
  registry.slot<{ logins: Logins | undefined }>(kLogins, () => ({ logins: undefined })).logins

/**
 * What the logins of an application share.
 *
 * ```js
 * const { entries, settings } = app.logins
 * ```
 */
export class Logins {
  readonly registry: ModelRegistry
  readonly settings: LoginSettings
  readonly entries = new Map<string, Entry>()
  /** What answers the requests of entries. */
  readonly installed = new Map<string, Promise<Installed>>()
  readonly states: States
  readonly ended: EndedLogins
  readonly sessions: Sessions
  readonly sessionRecords: Records
  readonly cookies: TokenCookies
  readonly providerTokens: ProviderTokens
  readonly #modelSetUp: ModelSetUp
  #models: LoginModels | undefined
  readonly #paths = new Map<string, string>()

  /** Whether login sessions exist (LG-06). */
  get hasSessions (): boolean {
    return !setUpOf({ registry: { core: this.registry } } as never).noSession
  }

  private constructor (readonly host: LoginHost, options: unknown) {
    this.registry = host.registry
    this.settings = settingsOf(options)
    this.#modelSetUp = new ModelSetUp(host, this.settings)
    this.states = new States(new Records(() => this.#modelSetUp.own('LoginState')))
    this.sessionRecords = new Records(() => this.#modelSetUp.own('LoginSession'))
    this.ended = new EndedLogins(this.states.records)
    this.sessions = new Sessions(this.sessionRecords, this.settings, this.ended)
    this.cookies = new TokenCookies(this.settings)
    this.providerTokens = new ProviderTokens(this)
    sealingOf(this.registry).sealing = sealingBy(this.settings.storeTokens === false ? [] : this.settings.secrets)
    this.#checkSecrets()
    this.#listen()
    nowAndThen(this.registry, {
      interval: sweepInterval,
      work: () => this.sweep(),
      failed: err => { this.registry.log.warn({ err }, 'login: what has expired could not be removed') }
    })
  }

  /** Removes rows whose time is over: each login that a stranger begins is one. */
  async sweep (): Promise<void> {
    if (this.#models === undefined) return
    for (const records of [this.states.records, this.sessionRecords]) {
      await records.removeAll({ expiredAt: { lte: new Date() } })
    }
  }

  /** Those of a registry, made by the first who asks. */
  static of (host: LoginHost, options: unknown): Logins {
    const slot = host.registry.slot<{ logins: Logins | undefined }>(kLogins, () => ({ logins: undefined }))
    return (slot.logins ??= new Logins(host, options))
  }

  #checkSecrets (): void {
    const { secrets, storeTokens, isProduction, origin } = this.settings
    const { log } = this.registry
    if (secrets.length === 0 && storeTokens !== false) {
      if (isProduction) {
        throw new InvalidOptionsError('the option "secret" is needed in production to encrypt tokens of providers; "storeTokens": false stores none.')
      }
      log.warn({}, 'login: without the option "secret" tokens of providers are not stored')
    }
    if (isProduction && origin === undefined) {
      log.warn({}, 'login: the option "origin" is not set; whoever chooses the Host header of a request chooses where answers of providers go')
    }
  }

  /** A session ends when its user's credentials change, and a password that the user sets is a way in (LG-67). */
  #listen (): void {
    authService(this.registry).credentials.listen(async (event, context) => {
      const { model, userIds, reason, before } = event
      const models = this.#models
      if (models === undefined || model !== models.User.modelName) return
      await this.sessionRecords.removeAll({
        userModel: model, userId: { inq: userIds.map(String) },
        ...(before === undefined ? {} : { created: { lte: new Date(before) } })
      })
      await this.ended.note(model, userIds, before ?? Date.now())
      if (reason === 'deletion' && before === undefined) {
        for (const Model of [models.Identity, models.Credential]) {
          await endAccounts(Model, userIds, withinChange(Model, event, context))
        }
      }
      if (reason !== 'password') return
      await updateRows(models.Identity.compiled, { userId: { inq: userIds } }, { madeUser: false }, { notify: false })
    })
    authService(this.registry).factorProven.add(async ({ Model, userId, next: { account } }) => {
      if (account === undefined || Model !== this.#models?.User) return
      const { provider, authScheme, externalId } = account as UnprovenAccount
      await linkIdentity(this.accounts, userId, provider, authScheme, { provider, id: externalId }, {})
    })
    authService(this.registry).unmailable.add(address => {
      const domain = address.slice(address.lastIndexOf('@') + 1).toLowerCase()
      return [...this.entries.values()].some(entry =>
        this.emailDomain(entry).replaceAll('<provider>', entry.provider).toLowerCase() === domain)
    })
  }

  emailDomain ({ options }: Entry): string {
    const own = options.generatedEmailDomain
    return typeof own === 'string'
      ? own
      : this.settings.generatedEmailDomain ?? (this.host.isNew ? '<provider>.invalid' : defaultEmailDomain)
  }

  /** @throws FBK_LOGIN_UNKNOWN_MODEL */
  get models (): LoginModels {
    return (this.#models ??= this.setUpModels({}))
  }

  /** @throws FBK_LOGIN_UNKNOWN_MODEL */
  setUpModels (given: ModelChoice): LoginModels {
    return (this.#models = this.#modelSetUp.choose(given))
  }

  get accounts (): Accounts {
    const { User, Identity } = this.models
    return new Accounts(User as never, Identity as never)
  }

  /** Makes the tables of what was attached here. */
  async prepare (): Promise<void> {
    for (const name of ['LoginState', 'LoginSession', 'ApplicationCredential']) this.#modelSetUp.own(name)
    this.#models ??= this.setUpModels({})
    await this.registry.migrateAttached()
    await this.registry.connect()
  }

  /**
   * Reads an entry and keeps its paths to itself (LG-10).
   * @throws FBK_LOGIN_INVALID_PROVIDER
   */
  add (name: string, given: unknown): Entry {
    const { settings, registry, host } = this
    const entry = readEntry(name, given, { settings, isNew: host.isNew, log: registry.log as never })
    const { isDirect } = entry
    for (const key of [`${entry.authMethod} ${entry.authPath}`, ...(isDirect ? [] : [`${entry.callbackMethod} ${entry.callbackPath}`])]) {
      const other = this.#paths.get(key)
      if (other !== undefined && other !== name) {
        throw new InvalidProviderError(name, `the path ${key.split(' ')[1] as string} is that of "${other}" already.`)
      }
      this.#paths.set(key, name)
    }
    if (!entry.session && entry.autoLogin && !entry.link && !entry.json && entry.tokenInRedirect === 'query' && !isDirect) {
      this.registry.log.warn({ provider: name }, `login: "${name}" gives tokens in addresses, which are logged; see "tokenInRedirect"`)
    }
    this.entries.set(name, entry)
    return entry
  }

  rulesOf (entry: Entry): LoginRules {
    return {
      // Identities of SAML stand under the entry's name (LG-15).
      provider: entry.kind === 'saml' ? entry.name : entry.provider,
      authScheme: entry.authScheme,
      profileToUser: entry.profileToUser,
      emailOptional: entry.options.emailOptional === true,
      linkByEmail: entry.linkByEmail,
      trustEmail: entry.trustEmail,
      autoLogin: entry.autoLogin,
      emailDomain: this.emailDomain(entry),
      options: entry.options
    }
  }

  /** Who is logged in in a session. */
  async userIn ({ user }: Session): Promise<LoggedIn | undefined> {
    if (user === undefined || user.model !== this.models.User.modelName) return undefined
    const row = await this.userOf(user)
    return row !== null && await this.isOpen(user, row) ? user : undefined
  }

  /**
   * Whether a session is good for its user: nobody's is that of one who is locked (security.md, S-190), or must set up
   * a second factor first (S-150). It goes on when the account is open again, or a factor is there.
   */
  async isOpen (user: LoggedIn, row: ModelInstance): Promise<boolean> {
    return !isLocked(row) && !await mustEnrolFirst(this.models.User, user)
  }

  /** Who is logged in: by a session, or by an access token in a header or a signed cookie (LG-63). */
  async callerOf (visit: Visit, session: Session): Promise<LoggedIn | undefined> {
    const known = this.hasSessions ? await this.userIn(session) : undefined
    if (known !== undefined) return known
    const token = await this.#tokenOf(visit)
    if (token === undefined || token === null || isDelegated(token)) return undefined
    if (!await isFullLogin(this.registry, token)) return undefined
    const { User } = this.models
    const { principalType, userId, created, amr } = token as Readonly<Record<string, unknown>>
    if (typeof principalType === 'string' && principalType !== '' && principalType !== User.modelName) return undefined
    if (userId === undefined || userId === null) return undefined
    return {
      model: User.modelName, id: String(userId), at: created instanceof Date ? created.getTime() : 0,
      ...(Array.isArray(amr) ? { amr: amr as string[] } : {})
    }
  }

  /** Never by the query: another site could make a browser link an account to a stranger's user. */
  async #tokenOf (visit: Visit): Promise<ModelInstance | null | undefined> {
    const Token = this.registry.findModel('AccessToken') && this.registry.getModelByType('AccessToken') as ModelClass & {
      findForRequest (request: object): Promise<ModelInstance | null>
    }
    if (Token === undefined || Token.dataSource === null) return undefined
    const own = this.cookies.tokenOf(visit)
    const signedCookies = { ...visit.req.signedCookies, ...(own === undefined ? {} : { access_token: own }) }
    try {
      return await Token.findForRequest({ headers: visit.req.headers, query: {}, signedCookies })
    } catch {
      return undefined
    }
  }

  /** The row of a user, by the id that sessions keep as text. */
  async userOf ({ id }: Pick<LoggedIn, 'id'>): Promise<ModelInstance | null> {
    const { User } = this.models
    return await (User.findById as (id: unknown) => Promise<ModelInstance | null>).call(User, id)
  }

  /** The id as the user model has it. */
  async idOf (caller: Pick<LoggedIn, 'id'>): Promise<unknown> {
    const user = await this.userOf(caller)
    return user === null ? undefined : idOfUser(this.models.User, user)
  }
}
