/**
 * Which clients got an id_token or an openid token in which login, and by which grant: rows of their own, so that two
 * requests of a session at once lose nothing, in whichever process they are (OI-06, OI-130).
 */
import type { Row } from '@fastback/core'
import type { States } from '../stores/states.js'

export interface LoginGrant {
  readonly sid: string
  readonly clientId: string
  readonly grantId: string
  /** Who the user is for this client, and this server for both: a logout token says the same. */
  readonly sub: string
  readonly issuer: string
  /** The grant outlives the login (`offline_access`, OI-127). */
  readonly offline: boolean
  /** The client got no id_token, and is not told of the end of the login (OI-130); its token ends. */
  readonly untold?: true
}

export class LoginGrants {
  constructor (readonly states: States) {}

  /** @param expiredAt when the session ends by itself: nothing is sent for it any more (OI-135) */
  async add (grant: LoginGrant, userId: unknown, expiredAt: Date): Promise<void> {
    await this.states.add('login grant', grant.grantId, expiredAt, grant, userId)
  }

  /** Those of a user; with `sid` of one login. */
  async of (userId: unknown, sid?: string): Promise<LoginGrant[]> {
    const rows = await this.states.ofUser('login grant', userId)
    const grants = rows.map(({ data }) => data as Row & LoginGrant)
    return sid === undefined ? grants : grants.filter(grant => grant.sid === sid)
  }

  async remove (grants: readonly LoginGrant[]): Promise<void> {
    for (const { grantId } of grants) await this.states.remove('login grant', grantId)
  }
}
