/** What a provider has given out for its users ends when their credentials change (security.md, S-73). */
import type { CredentialsListener } from '@fastback/auth'
import { isDelegated, withinChange } from '@fastback/auth/service'
import type { ModelClass, OperationOptions } from '@fastback/core'
import { deleteRows, findRows, updateRows, whenCommitted } from '@fastback/core/remote'
import type { LoginGrant } from '../openid/login-grants.js'
import type { ProviderModels } from '../provider-models.js'
import { ended } from './grants.js'

/**
 * Ends access and refresh tokens, codes, sessions and open transactions of the users; and their consents, unless the
 * application keeps those. The token of the request that made the change goes on.
 *
 * Sessions end first, then codes, then tokens: what is made of one of them meanwhile is either found here, or finds
 * that one gone (`holds` of an issue, `issue` of the authorization endpoint).
 * @param loggedOut gets what clients got in the logins that ended, when that is committed (OI-275); undefined: nobody
 * wants to know
 */
export function endRights ({ User, Token, Code, State, Permission }: ProviderModels, keepConsents: boolean,
  loggedOut: () => ((grants: readonly LoginGrant[]) => void) | undefined): CredentialsListener {
  // A resource server that asks elsewhere has no records.
  const isStored = Token.dataSource !== null
  return async (event, context) => {
    const { model, userIds, reason, before } = event
    if (!isStored || model !== User.modelName) return
    const options = (Model: ModelClass): OperationOptions => ({ notify: false, ...withinChange(Model, event, context) })
    const where = { userId: { inq: userIds }, ...(before === undefined ? {} : { issuedAt: { lte: new Date(before) } }) }
    const { accessToken } = context
    const ofStates = { ...where, userId: { inq: userIds.map(String) } }
    const tell = loggedOut()
    const grants = tell === undefined
      ? []
      : await findRows(State.compiled, { where: { ...ofStates, kind: 'login grant' } }, options(State))
    await deleteRows(State.compiled, ofStates, options(State))
    await deleteRows(Code.compiled, where, options(Code))
    await updateRows(Token.compiled, { ...where, ...(isDelegated(accessToken) ? { id: { neq: accessToken.id } } : {}) },
      ended, options(Token))
    if (reason === 'deletion' || !keepConsents) await deleteRows(Permission.compiled, where, options(Permission))
    if (tell === undefined || grants.length === 0) return
    whenCommitted({ Model: User, options: { transaction: context.transaction } }, () => {
      tell(grants.map(({ data }) => data as LoginGrant))
    })
  }
}
