/** Logins of OpenID Connect: what they wait for, which clients they are known to, and what happens at their end. */
import type { OpenId } from './openid.js'
import { BackChannel } from './logout/back-channel.js'
import { LoginEnds } from './logout/login-ends.js'
import { Waiting } from './interaction/waiting.js'
import { LoginGrants } from './login-grants.js'

export class Logins {
  readonly waiting: Waiting
  readonly grants: LoginGrants
  readonly ends: LoginEnds
  readonly backChannel: BackChannel | undefined

  constructor (readonly openId: Pick<OpenId, 'provider' | 'settings' | 'keys' | 'idTokens'>) {
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
      backChannel: this.backChannel
    })
  }

  #failed (clientId: string, error: Error): void {
    const { registry } = this.openId.provider
    registry.log.warn({ err: error, client: clientId }, 'OAuth: a client was not sent its logout token')
    this.openId.provider.emit('logout.failed', { client: clientId, error })
  }
}
