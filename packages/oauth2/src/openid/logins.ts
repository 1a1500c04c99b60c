/** Logins of OpenID Connect: what they wait for, which clients they are known to, and what happens at their end. */
import type { Row } from '@fastback/core'
import type { FastifyInstance } from 'fastify'
import { grantsEndpoints } from '../account/grants-endpoint.js'
import type { AuthorizationRequest } from '../checks/authorization-request.js'
import type { Client } from '../clients/client.js'
import { loginOf, type Session } from '../session/sessions.js'
import type { OpenIdContext } from './context.js'
import { interactWithUser, type AuthorizationVisit } from './interaction/authorize.js'
import { requestKey, type InteractionRequest } from './interaction/interaction-request.js'
import { LoginRequired } from './interaction/refusals.js'
import { Waiting } from './interaction/waiting.js'
import { LoginGrants } from './login-grants.js'
import { BackChannel } from './logout/back-channel.js'
import { endSessionEndpoint } from './logout/end-session.js'
import { LoginEnds } from './logout/login-ends.js'
import type { OpenId } from './openid.js'

export class Logins {
  readonly waiting: Waiting
  readonly grants: LoginGrants
  readonly ends: LoginEnds
  readonly backChannel: BackChannel | undefined

  constructor (readonly openId: OpenId) {
    const { provider, settings, keys, idTokens } = openId
    const { states, sessions, clients } = provider
    this.waiting = new Waiting(states, sessions)
    this.grants = new LoginGrants(states)
    this.backChannel = settings.backchannelLogout
      ? new BackChannel({
        allow: provider.settings.allowedNetworks,
        production: process.env.NODE_ENV === 'production',
        failed: (clientId, error) => { this.#failed(clientId, error) }
      })
      : undefined
    this.ends = new LoginEnds({
      grants: this.grants,
      revokeGrant: grantId => provider.grants.revoke(grantId),
      findClient: id => clients.find(id),
      sign: (claims, client) => keys.sign({ ...claims }, { alg: idTokens.algorithmOf(client), typ: 'logout+jwt' }),
      fail: err => { provider.registry.log.warn({ err }, 'OAuth: logout tokens could not be sent') },
      backChannel: this.backChannel
    })
  }

  /** The endpoints that people see. */
  register (scope: FastifyInstance): void {
    const { openId, openId: { provider } } = this
    const { endSession, grants } = provider.settings.paths
    if (endSession !== undefined) {
      const endpoint = endSessionEndpoint(provider, openId)
      scope.get(endSession, { exposeHeadRoute: false }, endpoint)
      scope.post(endSession, endpoint)
    }
    if (grants !== undefined) grantsEndpoints(scope, provider, grants)
    scope.addHook('onClose', async () => { this.backChannel?.close() })
  }

  /**
   * Sends the page that an authorization request needs, if it needs one (OI-90 to OI-100).
   * @returns what the response is made of; undefined: a page was sent
   * @throws OAuthError to be sent to the client
   */
  async interact (visit: AuthorizationVisit): Promise<AuthorizationRequest | undefined> {
    return await interactWithUser(this.openId, visit)
  }

  /**
   * Uses up what a request stands on, before its response is made: one login satisfies one request once (OI-92).
   * @throws LoginRequired when another response was made of it
   */
  async use ({ marks = [] }: InteractionRequest): Promise<void> {
    for (const mark of marks) {
      if (!await this.waiting.use(mark)) throw new LoginRequired('The login was used for another response.')
    }
  }

  /**
   * Remembers that a client gets an id_token in a login; or, by the implicit grant, an access token alone, which ends
   * with the login whatever its scopes: nothing refreshes it.
   */
  async addGrant ({ context, grantId, issuer, client, user, scopes, isImplicit = false }: {
    readonly context: OpenIdContext
    readonly grantId: string
    readonly issuer: string
    readonly client: Client
    readonly user: Readonly<Row>
    readonly scopes: readonly string[]
    readonly isImplicit?: boolean
  }): Promise<void> {
    const { provider, subjects } = this.openId
    const userId = provider.users.idOf(user)
    // It is needed no longer than the session may be there.
    const expiredAt = new Date(Date.now() + provider.settings.session.maxAge * 1000)
    const sub = subjects.of(client, userId)
    const grant = { sid: context.sid, clientId: client.id, grantId, sub, issuer }
    await this.grants.add(isImplicit
      ? { ...grant, offline: false, untold: true }
      : { ...grant, offline: scopes.includes('offline_access') }, userId, expiredAt)
  }

  /** Who can go on without a login, at `prompt=select_account` (OI-95); undefined: nobody. */
  async choiceOf (session: Session): Promise<string | undefined> {
    const { users } = this.openId.provider
    const userId = loginOf(session)
    const user = userId === undefined || this.#choiceKey(session) === undefined ? undefined : await users.byId(userId)
    return user === undefined ? undefined : users.nameFor(user)
  }

  /** Notes that the user goes on with this account: false where there was nothing to choose. */
  async choose (session: Session): Promise<boolean> {
    const key = loginOf(session) === undefined ? undefined : this.#choiceKey(session)
    if (key !== undefined) await this.waiting.choose(session, key)
    return key !== undefined
  }

  /** Of the waiting request, where it leaves the choice to the user and asks for no new login as well. */
  #choiceKey ({ data }: Session): string | undefined {
    const pending = data.pushed ?? data.pending
    const asked = pending?.prompt?.split(' ') ?? []
    return pending !== undefined && asked.includes('select_account') && !asked.includes('login')
      ? requestKey(pending, this.openId.provider.states.digest)
      : undefined
  }

  #failed (clientId: string, error: Error): void {
    const { provider } = this.openId
    provider.registry.log.warn({ err: error, client: clientId }, 'OAuth: a client was not sent its logout token')
    provider.emit('logout.failed', { client: clientId, error })
  }
}
