/**
 * What happens when a login ends before its time (OI-127, OI-130): the tokens of its openid grants end, and each client
 * that got an id_token in it is sent a logout token.
 */
import type { MaybePromise } from '@fastback/core'
import type { Client } from '../../clients/client.js'
import type { EndedLogin } from '../../session/sessions.js'
import type { LoginGrant, LoginGrants } from '../login-grants.js'
import type { BackChannel, LogoutMessage } from './back-channel.js'
import { logoutClaims } from './logout-token.js'

export interface LoginEndsParts {
  readonly grants: LoginGrants
  readonly revokeGrant: (grantId: string) => Promise<void>
  readonly findClient: (id: string) => MaybePromise<Client | undefined>
  /** Signs as `logout+jwt`, with the algorithm of the client's id_tokens. */
  readonly sign: (claims: Readonly<Record<string, unknown>>, client: Client) => Promise<string>
  readonly fail: (error: unknown) => void
  /** Undefined: clients are not told (`backchannelLogout: false`). */
  readonly backChannel: BackChannel | undefined
}

export class LoginEnds {
  constructor (readonly parts: LoginEndsParts) {}

  /** Ends what came of logins, and returns before any client has been called. */
  async end (logins: readonly EndedLogin[]): Promise<void> {
    for (const { userId, sid } of logins) await this.endGrants(await this.parts.grants.of(userId, sid))
  }

  /** Ends grants of logins; those with `offline_access` stay when the login alone has ended. */
  async endGrants (grants: readonly LoginGrant[]): Promise<void> {
    for (const { grantId, offline } of grants) if (!offline) await this.parts.revokeGrant(grantId)
    await this.parts.grants.remove(grants)
    await this.notify(grants)
  }

  /** The same for logins whose rows and tokens have ended already: nobody waits for it. */
  readonly tell = (grants: readonly LoginGrant[]): void => {
    this.notify(grants).catch(this.parts.fail)
  }

  /** Sends logout tokens: one for each client and login. */
  async notify (grants: readonly LoginGrant[]): Promise<void> {
    const { backChannel, findClient, sign } = this.parts
    if (backChannel === undefined) return
    const told = grants.filter(({ untold }) => untold !== true)
    const each = new Map(told.map(grant => [`${grant.clientId} ${grant.sid}`, grant]))
    const messages: LogoutMessage[] = []
    for (const { clientId, sid, sub, issuer } of each.values()) {
      const client = await findClient(clientId)
      const uri = client?.row.backchannelLogoutURI
      if (client === undefined || typeof uri !== 'string' || uri === '') continue
      messages.push({
        clientId, uri, token: async () => await sign({ ...logoutClaims({ issuer, clientId, sub, sid }) }, client)
      })
    }
    backChannel.send(messages)
  }
}
