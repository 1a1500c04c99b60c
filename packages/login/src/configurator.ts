/** `PassportConfigurator` of `loopback-component-passport` (LG-01, LG-05, LG-06). */
import { addEndpoints } from './endpoints.js'
import type { Entry } from './entry.js'
import { InvalidOptionsError } from './errors.js'
import { folderHost, type FolderApplication } from './folder-host.js'
import { installEntry, prepareEntry } from './install.js'
import { Logins } from './logins.js'
import type { LoginModels } from './model-set-up.js'
import { setUpOf } from './set-up.js'
import { passportFace, type PassportFace } from './passport.js'
import { introduce } from './user-of-request.js'
import { expressVisit, type ExpressRequest, type Next, type Visit } from './visit.js'
import type { ServerResponse } from 'node:http'

export interface ModelsToSetUp {
  readonly userModel?: unknown
  readonly userIdentityModel?: unknown
  readonly userCredentialModel?: unknown
  readonly applicationCredentialModel?: unknown
}

export class PassportConfiguration {
  readonly app: FolderApplication
  readonly #options: unknown
  #logins: Logins | undefined

  constructor (app: FolderApplication, options?: unknown) {
    this.app = app
    this.#options = options
    setUpOf(app).logins ??= () => this.logins
  }

  /**
   * Made when they are first needed: server files make the configurator before they boot their folder.
   * @throws FBK_LOGIN_INVALID_OPTIONS
   */
  get logins (): Logins {
    return (this.#logins ??= Logins.of(folderHost(this.app), this.#options ?? ownSetting(this.app.get('login'))))
  }

  /**
   * Puts users of sessions on requests, after the session middleware. `true`: there are no login sessions.
   *
   * ```js
   * const passport = configurator.init()
   * ```
   */
  init (noSession = false): PassportFace {
    setUpOf(this.app).noSession = noSession
    this.#introduce()
    return passportFace(() => this.logins)
  }

  /** @throws FBK_LOGIN_UNKNOWN_MODEL */
  setupModels (options: ModelsToSetUp = {}): LoginModels {
    return this.logins.setUpModels(options)
  }

  /**
   * A way in, by its entry of providers.json.
   * @throws FBK_LOGIN_INVALID_PROVIDER; FBK_LOGIN_PACKAGE_MISSING when the application starts
   */
  configureProvider (name: string, options: unknown): Entry {
    const { logins } = this
    this.#introduce()
    const entry = logins.add(name, options)
    const prepared = prepareEntry(logins, entry)
    // The start fails with it; until then nobody else waits.
    prepared.catch(() => {})
    setUpOf(this.app).loading.push(prepared)
    installEntry(logins, entry, prepared, customOf(entry))
    return entry
  }

  /** Logout, exchange of codes and account page, where options name their paths. */
  addEndpoints (): void {
    addEndpoints(this.logins)
  }

  #introduce (): void {
    const setUp = setUpOf(this.app)
    if (setUp.introduced) return
    setUp.introduced = true
    this.app.middleware('session:after', (req: ExpressRequest, res: ServerResponse, next: Next) => {
      const { logins } = this
      introduce(logins, expressVisit(req, res, next, logins.settings.origin)).then(() => { next() }, next)
    })
  }
}

/** `customCallback` answers in place of what stands here (LG-35). */
function customOf ({ options: { customCallback } }: Entry): ((visit: Visit) => Promise<void>) | undefined {
  if (typeof customCallback !== 'function') return undefined
  return async ({ sides: { req, res, next } }) => {
    await (customCallback as (...args: unknown[]) => unknown)(req, res, next)
  }
}

/** The setting of an application with a purpose of its own for the name is left alone. */
function ownSetting (setting: unknown): unknown {
  if (setting === undefined || setting === null) return {}
  if (typeof setting !== 'object' || Array.isArray(setting)) throw new InvalidOptionsError('the setting "login" must be an object.')
  return setting
}

/** As LoopBack's code makes it. */
export interface PassportConstructor {
  new (app: FolderApplication): PassportConfiguration
  (app: FolderApplication): PassportConfiguration
}

/**
 * With and without `new`, as the original.
 *
 * ```js
 * const { PassportConfigurator } = require('loopback-component-passport')
 * const configurator = new PassportConfigurator(app)
 * configurator.init()
 * configurator.setupModels({ userModel: app.models.user })
 * configurator.configureProvider('google-login', { provider: 'google', module: 'passport-google-oauth20' })
 * ```
 */
export const PassportConfigurator = function (app: FolderApplication) {
  return new PassportConfiguration(app)
} as unknown as PassportConstructor
