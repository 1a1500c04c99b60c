/** The pages of a provider: in the language of whoever asks, with its looks, or as the application makes them. */
import type { FastifyReply, FastifyRequest } from 'fastify'
import { ServerError } from '../errors.js'
import type { Session } from '../session/sessions.js'
import { accountPage, type AccountPage } from './account-page.js'
import { decisionPage, type DecisionPage } from './decision-page.js'
import {
  deviceDecisionPage, deviceDonePage, devicePage, type DeviceDecisionPage, type DeviceDonePage, type DevicePage
} from './device-page.js'
import { enrolmentPage, type EnrolmentPage } from './enrolment-page.js'
import { errorPage, type ErrorPage } from './error-page.js'
import {
  authenticatorPage, newPasskeyPage, recoveryCodesPage, type AuthenticatorPage, type NewPasskeyPage,
  type RecoveryCodesPage
} from './factor-pages.js'
import { formPostPage, type FormPostPage } from './form-post-page.js'
import { grantsPage, type GrantsPage } from './grants-page.js'
import { languageFor } from './language.js'
import { layoutFor, type Layout, type PageContent } from './layout.js'
import { loggingOutPage, type LoggingOutPage } from './logging-out-page.js'
import { loginPage, type LoginPage } from './login-page.js'
import { loggedOutPage, logoutPage, type LogoutPage } from './logout-page.js'
import { secondFactorPage, type SecondFactorPage } from './second-factor-page.js'
import { sendOwnPage, sendPage, type PageOptions } from './send-page.js'
import type { PageSettings, PageView, ViewName } from './settings.js'
import { en, type Texts } from './texts/en.js'

/** What each page shows. */
interface Shown {
  readonly login: LoginPage
  readonly secondFactor: SecondFactorPage
  readonly enrolment: EnrolmentPage
  readonly decision: DecisionPage
  readonly logout: LogoutPage
  readonly loggedOut: object
  readonly loggingOut: LoggingOutPage
  readonly grants: GrantsPage
  readonly account: AccountPage
  readonly authenticator: AuthenticatorPage
  readonly recoveryCodes: RecoveryCodesPage
  readonly newPasskey: NewPasskeyPage
  readonly device: DevicePage
  readonly deviceDecision: DeviceDecisionPage
  readonly deviceDone: DeviceDonePage
  readonly error: ErrorPage
  readonly formPost: FormPostPage
}

const builtIn: { readonly [name in keyof Shown]: (page: Shown[name], texts: Texts) => PageContent } = {
  login: loginPage,
  secondFactor: secondFactorPage,
  enrolment: enrolmentPage,
  decision: decisionPage,
  logout: logoutPage,
  loggedOut: loggedOutPage,
  loggingOut: loggingOutPage,
  grants: grantsPage,
  account: accountPage,
  authenticator: authenticatorPage,
  recoveryCodes: recoveryCodesPage,
  newPasskey: newPasskeyPage,
  device: devicePage,
  deviceDecision: deviceDecisionPage,
  deviceDone: deviceDonePage,
  error: errorPage,
  formPost: formPostPage
}

export interface Sent extends PageOptions {
  /** Of the visitor: what the client asked for may wait in it. */
  readonly session?: Session | undefined
  /** What a page of the application gets. Default: what the built-in one does. */
  readonly values?: Readonly<Record<string, unknown>>
}

/** Fills in a view of the application. */
type Render = (
  request: FastifyRequest, reply: FastifyReply, view: string, values: Readonly<Record<string, unknown>>
) => Promise<string>

export class Pages {
  readonly #layout: Layout

  /** @throws FBK_OAUTH2_INVALID_OPTIONS */
  constructor (readonly settings: PageSettings, readonly render: Render) {
    this.#layout = layoutFor(settings)
  }

  /**
   * Sends a page.
   *
   * ```js
   * return await provider.pages.send(request, reply, 'loggedOut', {})
   * ```
   * @throws whatever a view of the application throws
   */
  async send<N extends keyof Shown> (
    request: FastifyRequest, reply: FastifyReply, name: N, page: Shown[N], { session, values, ...options }: Sent = {}
  ): Promise<FastifyReply> {
    const { language, texts } = this.#languageOf(request, session)
    const view = this.settings.views[name as ViewName]
    if (view === undefined) return this.#sendBuiltIn(reply, name, page, language, options)
    // Without the option `pages` a view gets what it always got.
    const given = { ...values ?? page, ...this.settings.isOn ? { language, texts } : {} }
    return sendOwnPage(reply, await this.#own(request, reply, view, given), options)
  }

  /** Sends an error as it is built in, when a page of the application for it failed as well. */
  sendError (request: FastifyRequest, reply: FastifyReply, error: ErrorPage, status: number): FastifyReply {
    return this.#sendBuiltIn(reply, 'error', error, this.#languageOf(request, undefined).language, { status })
  }

  #sendBuiltIn<N extends keyof Shown> (
    reply: FastifyReply, name: N, page: Shown[N], language: string, options: PageOptions
  ): FastifyReply {
    const texts = this.settings.languages.get(language) ?? en
    return sendPage(reply, this.#layout.page(builtIn[name](page, texts), language), this.#layout, options)
  }

  async #own (
    request: FastifyRequest, reply: FastifyReply, view: PageView, values: Readonly<Record<string, unknown>>
  ): Promise<string> {
    const text: unknown = typeof view === 'function'
      ? await view(values, request)
      : await this.render(request, reply, view, values)
    if (typeof text !== 'string') throw new ServerError('Something went wrong.', 'a view of the option "pages.views" gave no text')
    return text
  }

  #languageOf (request: FastifyRequest, session: Session | undefined): { language: string, texts: Texts } {
    const { languages, language: otherwise } = this.settings
    const language = languageFor(request, session, languages, otherwise)
    return { language, texts: languages.get(language) ?? en }
  }
}
