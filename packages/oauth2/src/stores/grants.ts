/** Grants: everything that came of one authorization, ended together (O-111, O-122, O-213). */
import type { ModelClass } from '@fastback/core'
import { deleteRows, updateRows } from '@fastback/core/remote'
import type { States } from './states.js'

const quiet = { notify: false }
const longest = 90 * 86_400_000

/** What is written to tokens that are ended together with what came of them. */
export const ended = { revoked: true, refreshTokenSpent: true, refreshTokenSpentAt: null } as const

export class Grants {
  /** @param revoked is called with each grant that is ended */
  constructor (
    readonly Token: ModelClass,
    readonly Code: ModelClass,
    readonly states: States,
    readonly revoked: (grantId: string) => void
  ) {}

  /**
   * Ends a grant. The mark is written first: a token that is stored while this runs is either found here, or finds the
   * mark.
   */
  async revoke (grantId: string): Promise<void> {
    await this.states.add('grant', grantId, new Date(Date.now() + longest))
    await updateRows(this.Token.compiled, { grantId }, ended, quiet)
    this.revoked(grantId)
  }

  async isRevoked (grantId: string): Promise<boolean> {
    return await this.states.get('grant', grantId) !== undefined
  }

  /**
   * Ends everything that a client got from a user. Codes and what was decided for devices go first, those that are
   * being redeemed as well: a token that is made of one meanwhile is either found here, or finds that one gone
   * (`holds`).
   */
  async revokeAllOf (appId: unknown, userId: unknown): Promise<void> {
    if (appId === undefined || appId === null || userId === undefined || userId === null) return
    await deleteRows(this.Code.compiled, { appId, userId }, quiet)
    for (const row of await this.states.ofUser('device decision', userId)) {
      if (row.data.clientId === String(appId)) await this.states.removeRow(row)
    }
    await updateRows(this.Token.compiled, { appId, userId }, ended, quiet)
  }
}
